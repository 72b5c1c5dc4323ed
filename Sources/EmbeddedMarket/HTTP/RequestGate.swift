import Synchronization

/// Holds requests back while the market is paused or is set back, so that no request sees a part of a change.
final class RequestGate: Sendable {
  private struct State {
    var isPaused = false
    /// Indicates that the caller of `exclusively` changes the market, or waits for the last request to leave.
    var isExclusive = false
    /// The number of requests that have entered and not left.
    var active = 0
    var nextID = 0
    var waiting: [Int: (request: CheckedContinuation<Void, any Error>, whilePaused: Bool)] = [:]
    var lastLeft: CheckedContinuation<Void, Never>?

    func isOpen(whilePaused: Bool) -> Bool { !isExclusive && (!isPaused || whilePaused) }

    /// Lets the waiting requests in for which the gate is open; they must be resumed.
    mutating func admit() -> [CheckedContinuation<Void, any Error>] {
      let admitted = waiting.filter { isOpen(whilePaused: $0.value.whilePaused) }
      active += admitted.count
      for id in admitted.keys { waiting[id] = nil }
      return admitted.values.map(\.request)
    }
  }

  private let state = Mutex(State())

  /// The number of requests that wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Waits until the gate is open, and enters; each entry needs a `leave`.
  ///
  /// - Parameter whilePaused: Indicates that a pause does not hold the request back, as it is the teacher's.
  /// - Throws: `CancellationError`; the request has not entered then.
  func enter(whilePaused: Bool = false) async throws {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let now: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.isOpen(whilePaused: whilePaused) {
            state.active += 1
            return .success(())
          }
          state.waiting[id] = (continuation, whilePaused)
          return nil
        }
        if let now { continuation.resume(with: now) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id)?.request }?.resume(throwing: CancellationError())
    }
  }

  func leave() {
    let last = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.active -= 1
      guard state.active == 0 else { return nil }
      defer { state.lastLeft = nil }
      return state.lastLeft
    }
    last?.resume()
  }

  /// Holds requests back from now on, or lets them in.
  func setPaused(_ isPaused: Bool) {
    let admitted = state.withLock { state in
      state.isPaused = isPaused
      return state.admit()
    }
    for request in admitted { request.resume() }
  }

  /// Calls `body` while no request is inside; the next ones wait for its end.
  ///
  /// There must not be two such calls at once.
  func exclusively<Value: Sendable>(_ body: () async throws -> Value) async rethrows -> Value {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        state.isExclusive = true
        if state.active > 0 { state.lastLeft = continuation }
        return state.active == 0
      }
      if isEmpty { continuation.resume() }
    }
    defer {
      let admitted = state.withLock { state in
        state.isExclusive = false
        return state.admit()
      }
      for request in admitted { request.resume() }
    }
    return try await body()
  }
}
