import CPhonePictures
import Foundation

/// The formats that markets do not accept, but that phones and the web use: they are converted to JPEG or PNG.
package enum ConvertibleFormat: String, Hashable, Sendable, CaseIterable {
  case webp
  /// HEIC and AVIF, which share a container.
  case heif

  /// Detects the format by the first bytes; returns `nil` for all others, including JPEG and PNG.
  package static func detect(_ bytes: Data) -> ConvertibleFormat? {
    let view = ByteView(bytes)
    if view.hasPrefix("RIFF", at: 0), view.hasPrefix("WEBP", at: 8) { return .webp }
    guard view.hasPrefix("ftyp", at: 4) else { return nil }
    let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"]
    return brands.contains { view.hasPrefix($0, at: 8) } ? .heif : nil
  }

  /// The common name of the format.
  package var name: String {
    switch self {
    case .webp: "WebP"
    case .heif: "HEIC/AVIF"
    }
  }

  /// The name of the Debian package with the decoder.
  package var library: String {
    switch self {
    case .webp: "libwebp7"
    case .heif: "libheif1"
    }
  }

  /// Decodes the picture upright.
  ///
  /// - Throws: ``PictureError/needsLibrary(_:)`` and ``PictureError/tooManyPixels(width:height:)`` before anything is
  ///   decoded; ``PictureError/damaged(_:)`` and ``PictureError/unsupported(_:)``.
  package func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    switch self {
    case .webp: try WebPDecoder.decode(bytes)
    case .heif: try HEIFDecoder.decode(bytes)
    }
  }

  /// Returns true if the file contains a GPS location, as far as it is searched for one.
  ///
  /// The location is removed with all other metadata in any case.
  func hasPosition(_ bytes: Data) -> Bool {
    switch self {
    case .webp: WebPDecoder.exif(bytes)?.hasPosition ?? false
    case .heif: false
    }
  }

  /// Checks the dimensions before decoding.
  static func check(width: Int, height: Int) throws(PictureError) {
    guard width > 0, height > 0 else { throw .damaged(.noPixels) }
    guard width <= PictureHeader.maximumPixelCount / height else { throw .tooManyPixels(width: width, height: height) }
  }
}
