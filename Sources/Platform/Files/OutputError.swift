import Foundation

/// The error for data that could not be written to standard output or a file.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe, as `| head` does.
  case closed
  case failed(path: String?, errno: Int32)
}
