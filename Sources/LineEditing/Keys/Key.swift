/// One thing that came from the keyboard.
enum Key: Equatable {
  case scalar(Unicode.Scalar)
  /// A whole escape sequence, its `ESC` included.
  case sequence([UInt8])
  /// `ESC` that nothing followed.
  case escape
  /// What stood between the brackets of a bracketed paste.
  case paste(Paste)
  /// A byte that is not part of any UTF-8 text.
  case notText

  struct Paste: Equatable {
    var text: String
    var isText = true
    var isTooLong = false
  }
}

/// Whose keys the fingers know.
package enum Keys: String, Sendable, CaseIterable {
  case emacs, vi
}

/// How long a line may get, wherever it comes from.
package enum LineLimit {
  /// 64 KiB of UTF-8, the line end not counted.
  package static let bytes = 65_536
}
