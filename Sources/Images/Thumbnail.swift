import Foundation

/// The thumbnail that a market shows in its lists.
package enum Thumbnail {
  private static let quality = 82

  /// Returns a picture whose longer side is at most `side` pixels, upright and without metadata: a PNG if it has
  /// transparency, otherwise a JPEG.
  ///
  /// It is never larger in pixels than the original.
  ///
  /// - Throws: `PictureError` if decoding or encoding fails.
  package static func make(_ bytes: Data, side: Int) throws(PictureError) -> Data {
    let small = try Bitmap(decoding: bytes, covering: side).scaled(toFit: side)
    return small.hasTransparency ? try small.png() : try small.jpeg(quality: quality)
  }
}
