import Foundation
import Glibc

/// The metadata of a picture, read without decoding it, so that a decompression bomb is rejected.
package struct PictureHeader: Hashable, Sendable {
  /// The maximum number of pixels (100 megapixels).
  package static let maximumPixelCount = 100_000_000
  /// The maximum number of pixels to decode for a terminal (16 megapixels, 64 MB), because the server chooses the
  /// pictures.
  package static let maximumDisplayPixelCount = 16_000_000

  package var format: PictureFormat
  /// The width in pixels as stored.
  package var storedWidth: Int
  package var storedHeight: Int
  package var orientation: Orientation
  /// Indicates a location (EXIF or XMP GPS latitude or longitude).
  package var hasGPSLocation: Bool
  /// The number of stored channels: 1 gray, 3 color, 4 CMYK for JPEG; PNG's own number, where a palette is 1.
  package var channels: Int

  /// The width in pixels as displayed, after applying the orientation.
  package var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  package var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Checks that the picture may be displayed.
  ///
  /// Throws ``PictureError/tooLargeToDisplay(width:height:)`` if decoding takes too much memory.
  func checkDisplayable() throws(PictureError) {
    guard storedWidth <= PictureHeader.maximumDisplayPixelCount / storedHeight else {
      throw .tooLargeToDisplay(width: width, height: height)
    }
  }

  /// - Throws: ``PictureError/notAPicture``, ``PictureError/gif``, ``PictureError/damaged(_:)`` or
  ///   ``PictureError/tooManyPixels(width:height:)``; no pixel is decoded.
  package static func read(_ bytes: Data) throws(PictureError) -> PictureHeader {
    guard let format = PictureFormat.detect(bytes) else {
      throw ByteView(bytes).hasPrefix("GIF8", at: 0) ? .gif : .notAPicture
    }
    let view = ByteView(bytes)
    let header =
      switch format {
      case .jpeg: try JPEGHeader.read(view)
      case .png: try PNGHeader.read(view)
      }
    guard header.storedWidth > 0, header.storedHeight > 0 else { throw .damaged("the image is empty") }
    guard header.storedWidth <= maximumPixelCount / header.storedHeight else {
      throw .tooManyPixels(width: header.width, height: header.height)
    }
    return header
  }
}
