import CGlibc
import Glibc

/// A pipe with close-on-exec, which other programs inherit only if they are given one of its ends.
enum CloseOnExecPipe {
  /// Creates a pipe.
  ///
  /// Returns `nil` and sets `errno` if no descriptors are left.
  static func makeCloseOnExecPipe() -> (exit: Int32, entrance: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    return (ends[0], ends[1])
  }
}
