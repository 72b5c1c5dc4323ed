import Glibc
import Synchronization

/// What other threads have to say to an editor that waits for a key: a list, and a pipe that wakes its poll.
final class Mailbox: Sendable {
  struct Mail: Sendable {
    var notices: [String] = []
    var isResized = false
    var isContinued = false
    var isCancelled = false
    var isStopped = false
  }

  private let mail = Mutex(Mail())
  /// Readable when there is mail; -1 when no pipe could be had, and then mail waits for the next key.
  let bell: Int32
  private let rope: Int32

  init() {
    let pipe = WakePipe()
    (bell, rope) = (pipe.readEnd, pipe.writeEnd)
  }

  deinit {
    close(bell)
    close(rope)
  }

  func post(_ change: (inout Mail) -> Void) {
    mail.withLock { change(&$0) }
    var byte: UInt8 = 1
    // A full pipe is a bell that rings already.
    _ = write(rope, &byte, 1)
  }

  /// Takes all mail; that the editor is stopped stays known.
  func take() -> Mail {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(bell, &bytes, bytes.count) > 0 {}
    return mail.withLock { mail in
      let taken = mail
      mail = Mail(isStopped: taken.isStopped)
      return taken
    }
  }
}

/// A pipe that only wakes a poll: never blocks, not inherited by other programs.
struct WakePipe {
  /// -1 when no pipe could be had; poll then ignores it.
  let readEnd: Int32
  let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}
