import Foundation

/// Pictures that no market takes and phones and the web are full of: they are read, and sent as JPEG or PNG.
package enum ForeignPicture: String, Hashable, Sendable, CaseIterable {
  case webp
  /// HEIC and AVIF, which are one container.
  case heif
  /// Its first frame.
  case gif

  /// By the first bytes; nil for anything else, also for JPEG and PNG.
  package static func detect(_ bytes: Data) -> ForeignPicture? {
    let view = ByteView(bytes)
    if view.hasPrefix("RIFF", at: 0), view.hasPrefix("WEBP", at: 8) { return .webp }
    if view.hasPrefix("GIF87a", at: 0) || view.hasPrefix("GIF89a", at: 0) { return .gif }
    guard view.hasPrefix("ftyp", at: 4) else { return nil }
    let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"]
    return brands.contains { view.hasPrefix($0, at: 8) } ? .heif : nil
  }

  /// What people call it.
  package var name: String {
    switch self {
    case .webp: "WebP"
    case .heif: "HEIC/AVIF"
    case .gif: "GIF"
    }
  }

  /// What it is read with, as Debian packages it; nil for what is read without a library.
  package var library: String? {
    switch self {
    case .webp: "libwebp7"
    case .heif: "libheif1"
    case .gif: nil
    }
  }

  /// The picture upright.
  ///
  /// Throws ``PictureError/needsLibrary(_:)``, ``PictureError/tooManyPixels(width:height:)`` before anything is decoded,
  /// ``PictureError/damaged(_:)`` and ``PictureError/unsupported(_:)``.
  package func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    switch self {
    case .webp: try WebPCodec.decode(bytes)
    case .heif: try HEIFCodec.decode(bytes)
    case .gif: try GIFCodec.decode(bytes)
    }
  }

  /// What the file says of where it was taken is dropped with everything else; whether it says so is only looked for where
  /// such files have it.
  func hasPosition(_ bytes: Data) -> Bool {
    switch self {
    case .webp: WebPCodec.facts(bytes)?.hasPosition ?? false
    case .heif, .gif: false
    }
  }

  /// Refuses sizes that nothing should be decoded for.
  static func check(width: Int, height: Int) throws(PictureError) {
    guard width > 0, height > 0 else { throw .damaged("The picture has no pixels") }
    guard width <= PictureHeader.mostPixels / height else { throw .tooManyPixels(width: width, height: height) }
  }
}
