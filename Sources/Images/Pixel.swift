/// A color: sRGB, eight bits per channel, alpha not premultiplied.
package struct Pixel: Hashable, Sendable {
  package var red: UInt8
  package var green: UInt8
  package var blue: UInt8
  package var alpha: UInt8

  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255) {
    (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
  }

  package static let white = Pixel(255, 255, 255)
  package static let black = Pixel(0, 0, 0)
  package static let clear = Pixel(0, 0, 0, 0)
}
