import Pictures

/// Draws the things of the sample market.
enum Artist {
  /// The same motif and palette draw the same picture; an unknown motif is a mug.
  static func draw(_ motif: String, palette: UInt64, side: Int) -> Bitmap {
    ProductArt.draw(Motif(rawValue: motif) ?? .mug, palette: palette, side: side)
  }
}
