import CEditLine
import CGlibc
import Foundation
import Glibc
import Synchronization

/// Signals as a stream of their numbers, to be handled by ordinary code.
///
/// The handler only writes the number to a pipe. Child programs do not inherit a handler, whereas they would inherit
/// `SIG_IGN`.
package struct SignalDispatcher {
  /// Returns the signals from now on until the stream ends.
  ///
  /// Several streams may listen to the same signals.
  package static func stream(_ signals: [Int32]) -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    let id = listen(signals) { continuation.yield($0) }
    continuation.onTermination = { _ in hub.remove(id) }
    return stream
  }

  /// Calls `body` with each of the signals on the thread that reads them, however busy all others are.
  ///
  /// It must be fast. Returns the identifier for `end`.
  @discardableResult
  package static func watch(_ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void) -> Int {
    listen(signals, body)
  }

  /// Ends a watch.
  package static func end(_ watch: Int) { hub.remove(watch) }

  private static func listen(_ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void) -> Int {
    // A signal that was ignored when the program was started is left ignored.
    let signals = signals.filter { !isIgnored($0) }
    let id = hub.add(signals, body)
    for signal in signals { install(signal) }
    return id
  }

  /// Returns true if the signal was ignored by the parent process.
  package static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let hub = Hub()
  /// The write end of the pipe for the handler, which may only use async-signal-safe operations.
  fileprivate static let rope = Atomic<Int32>(-1)

  private static func install(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(SignalDispatcher.rope.load(ordering: .relaxed), &byte, 1)
      errno = saved
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// Passes each signal to its listeners on its own thread: if all threads of the pool are busy, even the signal that
  /// ends the program would have to wait.
  private final class Hub: Sendable {
    private struct Listener {
      var id: Int
      var signals: [Int32]
      var body: @Sendable (Int32) -> Void
    }

    private let listeners = Mutex((next: 0, all: [Listener]()))
    private let pipe = SelfPipe()

    init() {
      SignalDispatcher.rope.store(pipe.writeEnd, ordering: .relaxed)
      let thread = Thread { [self] in
        while true { pass(from: pipe.readEnd) }
      }
      thread.name = "signals"
      thread.start()
    }

    func add(_ signals: [Int32], _ body: @escaping @Sendable (Int32) -> Void) -> Int {
      listeners.withLock { listeners in
        listeners.next += 1
        listeners.all.append(Listener(id: listeners.next, signals: signals, body: body))
        return listeners.next
      }
    }

    func remove(_ id: Int) {
      listeners.withLock { $0.all.removeAll { $0.id == id } }
    }

    private func pass(from descriptor: Int32) {
      var waits = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&waits, 1, -1)
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(descriptor, &bytes, bytes.count)
      for signal in bytes.prefix(max(0, count)).map({ Int32($0) }) {
        let waiting = listeners.withLock { listeners in
          listeners.all.filter { $0.signals.contains(signal) }.map(\.body)
        }
        for body in waiting { body(signal) }
      }
    }
  }
}

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

/// A terminal that was hung up while the program runs.
package enum TerminalHangup {
  private static let standard = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]

  /// Returns true if the descriptor was a terminal that is hung up now.
  package static func hasOccurred(_ descriptor: Int32) -> Bool {
    var modes = termios()
    return tcgetattr(descriptor, &modes) != 0 && errno == EIO
  }

  /// Redirects the hung-up ones of the descriptors to `/dev/null`, so that no more is read from or written to them.
  package static func redirectToDevNull(_ descriptors: [Int32] = standard) {
    let lost = descriptors.filter(hasOccurred)
    guard !lost.isEmpty else { return }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    for descriptor in lost {
      let flags = fcntl(descriptor, F_GETFD)
      dup2(nothing, descriptor)
      _ = fcntl(descriptor, F_SETFD, flags)
    }
    close(nothing)
  }

  /// Raises SIGHUP after a failed write if the terminal was hung up and the kernel sent SIGHUP only to another process
  /// of the session.
  package static func raiseIfNeeded(_ descriptor: Int32) {
    if hasOccurred(descriptor) { kill(getpid(), SIGHUP) }
  }
}
