/// The fill of a shape: one color, or a vertical gradient of two.
package struct Paint: Hashable, Sendable {
  package var top: Pixel
  package var bottom: Pixel

  package static func plain(_ colour: Pixel) -> Paint { Paint(top: colour, bottom: colour) }
  package static func gradient(_ top: Pixel, _ bottom: Pixel) -> Paint { Paint(top: top, bottom: bottom) }

  /// Returns the color after `part` of `whole` rows.
  func colour(_ part: Int, of whole: Int) -> Pixel {
    guard top != bottom, whole > 0 else { return top }
    func mix(_ from: UInt8, _ to: UInt8) -> UInt8 {
      UInt8(clamping: (Int(from) * (whole - part) + Int(to) * part) / whole)
    }
    return Pixel(
      mix(top.red, bottom.red), mix(top.green, bottom.green), mix(top.blue, bottom.blue), mix(top.alpha, bottom.alpha))
  }
}
