import Synchronization

/// A result that is set once, for one caller; later results are ignored.
package final class OneShotResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case awaited(CheckedContinuation<Value, any Error>)
    case settled(Result<Value, any Error>)
  }

  private let state = Mutex(State.open)

  package init() {}

  package var value: Value {
    get async throws {
      try await withCheckedThrowingContinuation { continuation in
        let settled: Result<Value, any Error>? = state.withLock { state in
          if case .settled(let result) = state { return result }
          state = .awaited(continuation)
          return nil
        }
        if let settled { continuation.resume(with: settled) }
      }
    }
  }

  package func resolve(_ result: Result<Value, any Error>) {
    let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .settled: return nil
      case .open:
        state = .settled(result)
        return nil
      case .awaited(let continuation):
        state = .settled(result)
        return continuation
      }
    }
    waiting?.resume(with: result)
  }
}
