import Dispatch
import Glibc
import Synchronization

/// Signals as a stream of their numbers, to be answered by ordinary code.
///
/// The handler only writes the number to a pipe. A signal handled so is not inherited as ignored by programs that are
/// started, which one set to `SIG_IGN` would be.
package struct Signals {
  /// The signals from now on, until the stream ends; other streams may listen to the same ones.
  package static func stream(_ signals: [Int32]) -> AsyncStream<Int32> {
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    // One that was ignored when the program was started is not meant for it.
    let signals = signals.filter { !isIgnored($0) }
    let id = hub.add(Set(signals), continuation)
    continuation.onTermination = { _ in hub.remove(id) }
    for signal in signals { install(signal) }
    return stream
  }

  /// Whether whoever started the program wants nothing of the signal to reach it.
  package static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static let hub = Hub()
  /// Read by the handler, which may do no more than that.
  fileprivate static let rope = Atomic<Int32>(-1)

  private static func install(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let saved = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(Signals.rope.load(ordering: .relaxed), &byte, 1)
      errno = saved
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  /// Hands each signal to those who asked for it.
  private final class Hub: Sendable {
    private struct Listener {
      var id: Int
      var signals: Set<Int32>
      var continuation: AsyncStream<Int32>.Continuation
    }

    private let listeners = Mutex((next: 0, all: [Listener]()))

    init() {
      let pipe = WakePipe()
      Signals.rope.store(pipe.writeEnd, ordering: .relaxed)
      let source = DispatchSource.makeReadSource(
        fileDescriptor: pipe.readEnd, queue: .global(qos: .userInteractive))
      // The source keeps the hub and the hub is never let go, so neither has to hold the other.
      source.setEventHandler {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(pipe.readEnd, &bytes, bytes.count)
        for byte in bytes.prefix(max(0, count)) { self.pass(Int32(byte)) }
        withExtendedLifetime(source) {}
      }
      source.activate()
    }

    func add(_ signals: Set<Int32>, _ continuation: AsyncStream<Int32>.Continuation) -> Int {
      listeners.withLock { listeners in
        listeners.next += 1
        listeners.all.append(Listener(id: listeners.next, signals: signals, continuation: continuation))
        return listeners.next
      }
    }

    func remove(_ id: Int) {
      listeners.withLock { $0.all.removeAll { $0.id == id } }
    }

    private func pass(_ signal: Int32) {
      let waiting = listeners.withLock { listeners in
        listeners.all.filter { $0.signals.contains(signal) }.map(\.continuation)
      }
      for continuation in waiting { continuation.yield(signal) }
    }
  }
}
