import CEditLine

/// A key press or other event from the terminal.
enum Key: Equatable {
  case scalar(Unicode.Scalar)
  /// A complete escape sequence including its `ESC`.
  case sequence([UInt8])
  /// An `ESC` that nothing followed.
  case escape
  /// The text of a bracketed paste.
  case paste(Paste)
  /// A byte that is not part of UTF-8 text.
  case invalidUTF8

  struct Paste: Equatable {
    var text: String
    var isValidUTF8 = true
    var isTooLong = false
  }
}
