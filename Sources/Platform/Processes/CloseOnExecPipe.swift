import CGlibc
import Glibc

/// A pipe with close-on-exec, which other programs inherit only if they are given one of its ends.
struct CloseOnExecPipe {
  let readEnd: Int32
  let writeEnd: Int32

  /// Creates a pipe.
  ///
  /// Returns `nil` and sets `errno` if no descriptors are left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { return nil }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}
