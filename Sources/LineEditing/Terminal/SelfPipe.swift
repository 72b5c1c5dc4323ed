import CGlibc
import Glibc

/// A pipe that only wakes a `poll`: nonblocking and close-on-exec.
struct SelfPipe {
  /// The read end, or -1 if no pipe could be created; `poll` ignores it then.
  let readEnd: Int32
  let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe2(&ends, O_CLOEXEC | O_NONBLOCK)
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}
