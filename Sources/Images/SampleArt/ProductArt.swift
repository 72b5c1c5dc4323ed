/// Flat drawings of products, which give a sample market its own pictures without photographs.
package enum ProductArt {
  /// Draws a motif at `side` pixels.
  ///
  /// The seed selects the colors; the same parameters give the same picture.
  package static func draw(_ motif: Subject, palette seed: UInt64, side: Int) -> Bitmap {
    let palette = Palette(seed: seed)
    var canvas = Canvas(side: side, ground: .gradient(palette.groundTop, palette.groundBottom))
    canvas.fill(.circle(Point(50, 46), 36), .plain(Pixel(red: 255, green: 255, blue: 255, alpha: 90)))
    canvas.shadow(Point(50, 83), across: 34, down: 5)
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

/// The products that can be drawn.
package enum Subject: String, Hashable, Sendable, CaseIterable {
  case laptop, phone, headphones, camera, watch, keyboard
  case mug, chair, lamp, plant, book, kettle
  case shirt, shoe, bag, umbrella
  case bicycle, guitar, ball, backpack
}

/// A deterministic random number generator (SplitMix64, Steele, Lea and Flood 2014).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= SeededGenerator.increment
    return SeededGenerator.mixed(state)
  }

  /// The constant added to the state before each number: the golden ratio as a fraction of 2⁶⁴.
  package static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns a hash of the state, which differs in about half of its bits if one bit of the state differs.
  package static func mixed(_ state: UInt64) -> UInt64 {
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
