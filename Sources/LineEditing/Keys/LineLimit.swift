import CEditLine

/// The maximum length of a line from any source.
package enum LineLimit {
  /// The limit in bytes: 64 KiB of UTF-8, without the line end.
  package static let bytes = 65_536
}
