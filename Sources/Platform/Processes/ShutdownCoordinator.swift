import Synchronization

/// Coordinates the shutdown after a termination signal: informs child programs and prompts, and cancels running work.
package final class ShutdownCoordinator: Sendable {
  private struct State {
    var signal: Int32?
    var observers: [(number: Int, notify: @Sendable (Int32) -> Void)] = []
    var work: [(number: Int, cancel: @Sendable () -> Void)] = []
    var next = 0
    var lent = 0
    var interruptCount = 0
    var lendingObserver: (@Sendable (_ isLent: Bool) -> Void)?
  }

  private let state = Mutex(State())

  package init() {}

  /// The signal that ends the program, or `nil`.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// The exit status for that signal.
  package var status: ExitStatus? { signal.map { ExitStatus(signal: $0) } }

  package var isWorking: Bool { state.withLock { !$0.work.isEmpty } }

  /// Runs the closure.
  ///
  /// If a termination signal has arrived or arrives during the call, `notify` is called with it at once.
  package func notifying<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ notify: @escaping @Sendable (_ signal: Int32) -> Void,
    during body: () async -> Value
  ) async -> Value {
    let (number, signal) = state.withLock { state in
      state.next += 1
      state.observers.append((state.next, notify))
      return (state.next, state.signal)
    }
    if let signal { notify(signal) }
    defer { state.withLock { $0.observers.removeAll { $0.number == number } } }
    return await body()
  }

  /// Indicates whether another program owns the terminal, and with it Ctrl-C.
  package var isLending: Bool { state.withLock { $0.lent > 0 } }

  /// Runs the closure while another program owns the terminal.
  func lending<Value: Sendable>(_ body: () async -> Value) async -> Value {
    let observer = state.withLock { state in
      state.lent += 1
      return state.lendingObserver
    }
    observer?(true)
    defer {
      state.withLock { $0.lent -= 1 }
      observer?(false)
    }
    return await body()
  }

  /// The number of SIGINTs that were recorded.
  var interruptCount: Int { state.withLock { $0.interruptCount } }

  /// Records that a SIGINT was handled.
  package func recordInterrupt() { state.withLock { $0.interruptCount += 1 } }

  /// Waits, for half a second at most, until a SIGINT is recorded after `count` others.
  ///
  /// Call it when a child that shares the terminal was ended by SIGINT: the same Ctrl-C was sent to this process, which may
  /// handle it later, and it isn't meant for the next line.
  func waitForInterrupt(after count: Int) async {
    let end = ContinuousClock.now + .milliseconds(500)
    while interruptCount == count, !Task.isCancelled, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Sets the closure that is called when another program begins and ends to own the terminal.
  package func observeLending(_ observer: @escaping @Sendable (_ isLent: Bool) -> Void) {
    state.withLock { $0.lendingObserver = observer }
  }

  /// Waits for the work, which is cancelled when the program has to end.
  package func waiting<Value: Sendable>(for work: Task<Value, Never>) async -> Value {
    let number = state.withLock { state in
      state.next += 1
      state.work.append((state.next, { work.cancel() }))
      return state.next
    }
    defer { state.withLock { $0.work.removeAll { $0.number == number } } }
    return await work.value
  }

  package func begin(_ signal: Int32) {
    let observers = state.withLock { state in
      state.signal = signal
      return state.observers
    }
    for one in observers { one.notify(signal) }
  }

  package func cancelWork() {
    for one in state.withLock({ $0.work }) { one.cancel() }
  }
}
