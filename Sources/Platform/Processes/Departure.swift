import Synchronization

/// Knows the signal that ends the program, and who has to be told of it: programs we started, a question, the work at hand.
package final class Departure: Sendable {
  private struct State {
    var signal: Int32?
    var told: [Int: @Sendable (Int32) -> Void] = [:]
    var work: [Int: @Sendable () -> Void] = [:]
    var next = 0
    var lent = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Nil while nothing ends.
  package var signal: Int32? { state.withLock { $0.signal } }

  /// How the program ends by it.
  package var status: ExitStatus? { signal.map { ExitStatus(signal: $0) } }

  package var isWorking: Bool { state.withLock { !$0.work.isEmpty } }

  /// Does what the closure does; when the program has to end meanwhile, or had to before, `tell` gets the signal at once.
  package func telling<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ tell: @escaping @Sendable (_ signal: Int32) -> Void,
    during body: () async -> Value
  ) async -> Value {
    let (number, signal) = state.withLock { state in
      state.next += 1
      state.told[state.next] = tell
      return (state.next, state.signal)
    }
    if let signal { tell(signal) }
    defer { state.withLock { _ = $0.told.removeValue(forKey: number) } }
    return await body()
  }

  /// True while a program of the user's has the terminal, and with it Ctrl-C.
  package var isLending: Bool { state.withLock { $0.lent > 0 } }

  /// The terminal belongs to another program until the closure is over.
  func lending<Value: Sendable>(_ body: () async -> Value) async -> Value {
    state.withLock { $0.lent += 1 }
    defer { state.withLock { $0.lent -= 1 } }
    return await body()
  }

  /// Waits for the work; it is cancelled when its time is over.
  package func waiting<Value: Sendable>(for work: Task<Value, Never>) async -> Value {
    let number = state.withLock { state in
      state.next += 1
      state.work[state.next] = { work.cancel() }
      return state.next
    }
    defer { state.withLock { _ = $0.work.removeValue(forKey: number) } }
    return await work.value
  }

  package func begin(_ signal: Int32) {
    let told = state.withLock { state in
      state.signal = signal
      return Array(state.told.values)
    }
    for tell in told { tell(signal) }
  }

  package func cancelWork() {
    for cancel in state.withLock({ Array($0.work.values) }) { cancel() }
  }
}
