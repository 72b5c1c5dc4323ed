/// The colors of a drawing, selected by a seed and always harmonious.
package struct Palette: Hashable, Sendable {
  package var groundTop, groundBottom: Pixel
  /// The colors of the object: lit, normal and shaded.
  package var light, main, dark: Pixel
  package var accent, accentDark: Pixel
  package let metal = Pixel(206, 211, 220)
  package let metalDark = Pixel(150, 157, 170)
  package let outline = Pixel(44, 48, 62)
  package let inkLight = Pixel(78, 84, 102)
  package let highlight = Pixel(250, 248, 243)
  package let wood = Pixel(196, 146, 98)
  package let woodDark = Pixel(150, 105, 66)
  package let leaf = Pixel(86, 160, 104)
  package let leafDark = Pixel(52, 118, 78)

  package init(seed: UInt64) {
    // A hash, so that neighbouring seeds give different colors.
    var random = SeededGenerator(seed: seed)
    let mixed = random.next()
    let hue = Double(mixed % 360)
    let other = hue + [35, 150, 180, 210][Int(mixed >> 20 & 3)]
    groundTop = Self.colour(hue + 180, 0.38, 0.955)
    groundBottom = Self.colour(hue + 195, 0.32, 0.855)
    light = Self.colour(hue, 0.62, 0.66)
    main = Self.colour(hue, 0.58, 0.54)
    dark = Self.colour(hue, 0.56, 0.41)
    accent = Self.colour(other, 0.72, 0.62)
    accentDark = Self.colour(other, 0.6, 0.47)
  }

  /// Returns a color from a hue in degrees and saturation and lightness from 0 to 1 (CSS Color 3, section 4.2.4).
  private static func colour(_ hue: Double, _ saturation: Double, _ lightness: Double) -> Pixel {
    let reach = saturation * min(lightness, 1 - lightness)
    func channel(_ offset: Double) -> UInt8 {
      let place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      let value = lightness - reach * max(-1, min(place - 3, 9 - place, 1))
      return UInt8(exactly: (value * 255).rounded()) ?? 0
    }
    return Pixel(channel(0), channel(8), channel(4))
  }
}
