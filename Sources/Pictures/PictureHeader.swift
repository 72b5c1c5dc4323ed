import Foundation

/// What a picture says of itself, known without decoding it: a bomb is refused before it can go off.
package struct PictureHeader: Hashable, Sendable {
  /// More pixels than this are refused (100 megapixels).
  package static let mostPixels = 100_000_000
  /// More than this are not decoded for a terminal (16 megapixels, 64 MB): nobody asked for what a market sends.
  package static let mostShownPixels = 16_000_000

  package var format: PictureFormat
  /// Pixels, as the file stores them.
  package var storedWidth: Int
  package var storedHeight: Int
  package var orientation: Orientation
  /// True when the file tells where it was taken (EXIF or XMP GPS latitude or longitude).
  package var hasPosition: Bool
  /// Channels as stored: 1 gray, 3 colour, 4 CMYK for JPEG; PNG's own count, a palette being 1.
  package var channels: Int

  /// Pixels, as a viewer shows them (orientation applied).
  package var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  package var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Throws ``PictureError/tooManyToShow(width:height:)`` for what would cost more memory than a look is worth.
  func checkShown() throws(PictureError) {
    guard storedWidth <= PictureHeader.mostShownPixels / storedHeight else {
      throw .tooManyToShow(width: width, height: height)
    }
  }

  /// Throws ``PictureError/notAPicture``, ``PictureError/damaged(_:)`` or
  /// ``PictureError/tooManyPixels(width:height:)``; no pixel is decoded.
  package static func read(_ bytes: Data) throws(PictureError) -> PictureHeader {
    guard let format = PictureFormat.detect(bytes) else { throw .notAPicture }
    let view = ByteView(bytes)
    let header =
      switch format {
      case .jpeg: try JPEGHeader.read(view)
      case .png: try PNGHeader.read(view)
      }
    guard header.storedWidth > 0, header.storedHeight > 0 else { throw .damaged("The picture has no pixels") }
    guard header.storedWidth <= mostPixels / header.storedHeight else {
      throw .tooManyPixels(width: header.width, height: header.height)
    }
    return header
  }
}
