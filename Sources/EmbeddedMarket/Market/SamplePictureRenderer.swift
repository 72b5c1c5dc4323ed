import Images

/// Draws the products of the sample market.
enum SamplePictureRenderer {
  /// Returns the picture of a motif, which depends only on the parameters.
  ///
  /// An unknown motif is a mug.
  static func draw(_ motif: String, palette: UInt64, side: Int) -> Bitmap {
    ProductArt.draw(Subject(rawValue: motif) ?? .mug, palette: palette, side: side)
  }
}
