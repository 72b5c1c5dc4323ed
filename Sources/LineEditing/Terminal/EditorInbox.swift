import Glibc
import Synchronization

/// Events from other threads for the editor, delivered through a self-pipe that wakes its `poll`.
final class EditorInbox: Sendable {
  struct EditorEvents: Sendable {
    var notices: [String] = []
    var isContinued = false
    var isCancelled = false
    var isStopped = false
  }

  private let mail = Mutex(EditorEvents())
  /// The read end of the pipe, or -1 if it could not be created; events are then handled at the next key.
  let readEnd: Int32
  private let writeEnd: Int32

  init() {
    let pipe = SelfPipe()
    (readEnd, writeEnd) = (pipe.readEnd, pipe.writeEnd)
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  func post(_ change: (inout EditorEvents) -> Void) {
    mail.withLock { change(&$0) }
    var byte: UInt8 = 1
    // A full pipe wakes the editor already.
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes all events.
  ///
  /// That the editor is stopped is preserved.
  func take() -> EditorEvents {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(readEnd, &bytes, bytes.count) > 0 {}
    return mail.withLock { mail in
      let taken = mail
      mail = EditorEvents(isStopped: taken.isStopped)
      return taken
    }
  }
}
