import Foundation

extension Bitmap {
  /// The picture as a viewer shows it: decoded whole, its EXIF orientation applied.
  ///
  /// Throws what ``PictureHeader/read(_:)`` throws, and ``PictureError/damaged(_:)`` for a file that is cut short.
  package init(decoding bytes: Data) throws(PictureError) {
    try self.init(decoding: bytes, header: PictureHeader.read(bytes), eighths: 8)
  }

  /// The same, but decoded only as large as needed for neither side of the result to have to be made larger when
  /// the longer one becomes `side`: a JPEG of 100 megapixels need not pass through 400 MB.
  package init(decoding bytes: Data, covering side: Int) throws(PictureError) {
    try self.init(decoding: bytes, header: PictureHeader.read(bytes), covering: side)
  }

  /// The same, for a file whose header was looked at before.
  init(decoding bytes: Data, header: PictureHeader, covering side: Int) throws(PictureError) {
    let longer = max(header.storedWidth, header.storedHeight)
    let eighths = (1...8).first { longer * $0 / 8 >= side } ?? 8
    try self.init(decoding: bytes, header: header, eighths: eighths)
  }

  /// The same, but decoded with no more than about `pixels` pixels if the format allows it.
  init(decoding bytes: Data, header: PictureHeader, atMost pixels: Int) throws(PictureError) {
    let stored = header.storedWidth * header.storedHeight
    let eighths = (1...8).last { stored / 64 * $0 * $0 <= pixels } ?? 1
    try self.init(decoding: bytes, header: header, eighths: eighths)
  }

  private init(decoding bytes: Data, header: PictureHeader, eighths: Int) throws(PictureError) {
    let stored =
      switch header.format {
      case .jpeg: try JPEGCodec.decode(bytes, header: header, eighths: eighths)
      case .png: try PNGCodec.decode(bytes)
      }
    self = stored.turned(header.orientation)
  }

  /// A JPEG of this picture, laid on white; `quality` is 1...100.
  ///
  /// - Throws: `PictureError` where the codec fails.
  package func jpeg(quality: Int) throws(PictureError) -> Data {
    try JPEGCodec.encode(flattened(), quality: quality)
  }

  /// A PNG of this picture, transparency kept.
  ///
  /// - Throws: `PictureError` where the codec fails.
  package func png() throws(PictureError) -> Data {
    try PNGCodec.encode(self)
  }
}

/// Bytes of a picture with the size they show.
struct Encoded {
  let bytes: Data
  let width: Int
  let height: Int

  init(_ bitmap: Bitmap, _ bytes: Data) {
    self.bytes = bytes
    width = bitmap.width
    height = bitmap.height
  }
}

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
