import Foundation

/// A pipe with close-on-exec, which other programs inherit only if they are given one of its ends.
enum CloseOnExecPipe {
  /// Creates a pipe.
  ///
  /// Returns `nil` and sets `errno` if no descriptors are left.
  static func makeCloseOnExecPipe() -> (exit: Int32, entrance: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
