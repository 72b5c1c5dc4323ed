/// Why data could not be written to standard output or a file.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader went away: `| head`.
  case closed
  case failed(path: String?, errno: Int32)
}
