/// How long a line may get, wherever it comes from.
package enum LineLimit {
  /// 64 KiB of UTF-8, the line end not counted.
  package static let bytes = 65_536
}
