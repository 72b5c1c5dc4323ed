/// Flat drawings of products, which give a sample market its own pictures without photographs.
package enum ProductArt {
  /// Draws a motif at `side` pixels.
  ///
  /// The seed selects the colors; the same parameters give the same picture.
  package static func draw(_ motif: Subject, palette seed: UInt64, side: Int) -> Bitmap {
    let palette = Palette(seed: seed)
    var canvas = Canvas(side: side, ground: .gradient(palette.groundTop, palette.groundBottom))
    canvas.fill(.circle(Point(50, 46), 36), .plain(Pixel(255, 255, 255, 90)))
    canvas.shadow(Point(50, 83), 34, 5)
    switch motif {
    case .laptop: laptop(&canvas, palette)
    case .phone: phone(&canvas, palette)
    case .headphones: headphones(&canvas, palette)
    case .camera: camera(&canvas, palette)
    case .watch: watch(&canvas, palette)
    case .keyboard: keyboard(&canvas, palette)
    case .mug: mug(&canvas, palette)
    case .chair: chair(&canvas, palette)
    case .lamp: lamp(&canvas, palette)
    case .plant: plant(&canvas, palette)
    case .book: book(&canvas, palette)
    case .kettle: kettle(&canvas, palette)
    case .shirt: shirt(&canvas, palette)
    case .shoe: shoe(&canvas, palette)
    case .bag: bag(&canvas, palette)
    case .umbrella: umbrella(&canvas, palette)
    case .bicycle: bicycle(&canvas, palette)
    case .guitar: guitar(&canvas, palette)
    case .ball: ball(&canvas, palette)
    case .backpack: backpack(&canvas, palette)
    }
    return canvas.bitmap
  }

  /// Returns points from pairs of coordinates.
  static func points(_ numbers: Double...) -> [Point] {
    stride(from: 0, to: numbers.count - 1, by: 2).map { Point(numbers[$0], numbers[$0 + 1]) }
  }
}
