import Foundation

/// The small picture a market shows in its lists.
package enum Thumbnail {
  private static let quality = 82

  /// A picture whose longer side is at most `side` pixels, upright, without metadata: PNG when it shows
  /// transparency, else JPEG. Never larger than the original in pixels.
  package static func make(_ bytes: Data, side: Int) throws(PictureError) -> Data {
    let small = try Bitmap(decoding: bytes, covering: side).scaled(toFit: side)
    return small.hasTransparency ? try small.png() : try small.jpeg(quality: quality)
  }
}
