/// Why a picture cannot be used; every case carries what a message needs to say so in any tongue.
package enum PictureError: Error, Hashable, Sendable {
  case notFound(path: String)
  /// `reason` is the system's own text for the error number.
  case unreadable(path: String, reason: String)
  case notAFile(path: String, kind: FileKind)
  /// Sizes in bytes; `bytes` is at least this many when the file did not tell.
  case tooLarge(bytes: Int, limit: Int)
  case notAPicture
  case tooManyPixels(width: Int, height: Int)
  /// It may be uploaded and saved, but is not decoded to be looked at.
  case tooManyToShow(width: Int, height: Int)
  /// Cut short or broken; the text is the decoder's, in English.
  case damaged(String)
  /// Sound, but of a kind no decoder here knows (lossless or 12-bit JPEG, for example).
  case unsupported(String)
  /// No size of the picture fits below so few bytes.
  case cannotFit(limit: Int)
  /// The encoder refused.
  case unwritable(String)
}
