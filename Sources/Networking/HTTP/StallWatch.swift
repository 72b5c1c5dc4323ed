import NIOCore
import Synchronization

/// A timer shared by all guards of an event loop: a timer per request would be created and cancelled with every
/// request.
final class StallWatch: Sendable {
  private struct State: Sendable {
    var guards: [StallDetector] = []
    /// The next scheduled check and its time.
    var next: (look: Scheduled<Void>, due: ContinuousClock.Instant)?
  }

  private let loop: any EventLoop
  private let state = Mutex(State())

  init(on loop: any EventLoop) { self.loop = loop }

  func add(_ one: StallDetector) { state.withLock { $0.guards.append(one) } }

  func remove(_ one: StallDetector) { state.withLock { $0.guards.removeAll { $0 === one } } }

  /// Schedules a check of all guards no later than `due`, on the event loop's thread.
  func schedule(by due: ContinuousClock.Instant) {
    let (comesSooner, later): (Bool, Scheduled<Void>?) = state.withLock { state in
      if let next = state.next, next.due <= due { return (true, nil) }
      return (false, state.next.take()?.look)
    }
    if comesSooner { return }
    later?.cancel()
    let look = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: due))) { [weak self] in
      guard let self else { return }
      let guards = self.state.withLock { state in
        state.next = nil
        return state.guards
      }
      for one in guards { one.check() }
    }
    state.withLock { $0.next = (look, due) }
  }
}
