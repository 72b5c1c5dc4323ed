import Foundation

/// What a picture is like to look at, as far as numbers tell: whether it is sharp, and whether another is the same.
package struct PictureLook: Hashable, Sendable {
  /// Below this the sharpest edges are soft: a picture out of focus, or a small one that was made large.
  ///
  /// The limit was found on drawn pictures and their blurred copies, not on photographs: it only warns.
  private static let leastSharpness = 0.12
  /// The side at which edges are looked at, and the side of the print.
  private static let (side, printSide) = (256, 16)

  /// How steep the steepest edges are beside the whole range of the picture, 0 to 1; nil for one that shows next to nothing.
  package let sharpness: Double?
  /// A few colours, the same for the same picture in another size or quality.
  private let print: [UInt8]

  /// - Throws: what decoding throws.
  package init(_ bytes: Data) throws(PictureError) {
    self.init(try Bitmap(decoding: bytes, covering: PictureLook.side))
  }

  package init(_ bitmap: Bitmap) {
    let small = bitmap.flattened().scaled(toFit: PictureLook.side)
    let gray = PictureLook.gray(small)
    sharpness = PictureLook.sharpness(gray, small.width, small.height)
    let few = small.scaled(width: PictureLook.printSide, height: PictureLook.printSide).pixels
    print = few.indices.filter { $0 % 4 != 3 }.map { few[$0] }
  }

  package var isBlurred: Bool { sharpness.map { $0 < PictureLook.leastSharpness } ?? false }

  /// Whether both show the same, whatever their sizes and qualities.
  package func isSame(as other: PictureLook) -> Bool {
    let distances = zip(print, other.print).map { abs(Int($0) - Int($1)) }
    return distances.reduce(0, +) < distances.count * 2 && (distances.max() ?? 0) < 24
  }

  private static func gray(_ bitmap: Bitmap) -> [UInt8] {
    stride(from: 0, to: bitmap.pixels.count, by: 4).map { at in
      let (red, green, blue) = (Int(bitmap.pixels[at]), Int(bitmap.pixels[at + 1]), Int(bitmap.pixels[at + 2]))
      return UInt8((red * 299 + green * 587 + blue * 114) / 1000)
    }
  }

  /// The step between neighbours that only a few of a thousand exceed, beside the step from dark to light.
  private static func sharpness(_ gray: [UInt8], _ width: Int, _ height: Int) -> Double? {
    guard width > 2, height > 2 else { return nil }
    var tones = [Int](repeating: 0, count: 256)
    for tone in gray { tones[Int(tone)] += 1 }
    let range = place(gray.count * 99 / 100, in: tones) - place(gray.count / 100, in: tones)
    guard range > 16 else { return nil }
    var steps = [Int](repeating: 0, count: 256)
    var count = 0
    for row in 0..<height - 1 {
      for column in 0..<width - 1 {
        let here = Int(gray[row * width + column])
        let step = max(
          abs(here - Int(gray[row * width + column + 1])), abs(here - Int(gray[(row + 1) * width + column])))
        steps[step] += 1
        count += 1
      }
    }
    var left = max(1, count / 500)
    var step = 255
    while step > 0, left > steps[step] {
      left -= steps[step]
      step -= 1
    }
    return min(1, Double(step) / Double(range))
  }

  /// The value at that place of all values in their order, of which `counts` tells how many there are of each.
  private static func place(_ place: Int, in counts: [Int]) -> Int {
    var below = 0
    for (value, count) in counts.enumerated() {
      below += count
      if below > place { return value }
    }
    return counts.count - 1
  }
}
