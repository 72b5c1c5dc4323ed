import Foundation
import Glibc

/// The error for a picture that cannot be used.
///
/// Every case contains what a message in any language needs.
package enum PictureError: Error, Hashable, Sendable {
  case notFound(path: String)
  /// `reason` is the system's message for the `errno`.
  case unreadable(path: String, reason: String)
  case notARegularFile(path: String, kind: FileKind)
  /// Sizes in bytes; `bytes` is a lower bound if the file's size is unknown.
  case tooLarge(bytes: Int, limit: Int)
  case notAPicture
  /// A GIF, which no edition accepts and which is not converted.
  case gif
  case tooManyPixels(width: Int, height: Int)
  /// The picture may be uploaded and saved, but is not decoded for display.
  case tooLargeToDisplay(width: Int, height: Int)
  /// The file is truncated or damaged; the text is the decoder's message in English.
  case damaged(String)
  /// The file is valid, but no decoder supports its variant (lossless or 12-bit JPEG, for example).
  case unsupported(String)
  /// The format needs a library that is not installed.
  case needsLibrary(ConvertibleFormat)
  /// No size of the picture is below the limit.
  case cannotFit(limit: Int)
  /// Encoding failed.
  case encodingFailed(String)
}
