import Synchronization
import TestSupport

/// Runs all tasks of a simulation on one thread, from one suspension point to the next, in an order drawn from a seed.
///
/// Time is virtual: it passes only when nothing can run, to the next instant that something waits for.
final class SeededScheduler: TaskExecutor {
  private struct Timer {
    var instant: Duration
    var number: Int
    var fire: @Sendable () -> Void
  }

  private enum Step {
    case job(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    var random: SplitMix64
    var now = Duration.zero
    var ready: [Step] = []
    var timers: [Timer] = []
    var timersAdded = 0
    var steps = 0
    var history: [String] = []
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(random: SplitMix64(seed))) }

  var now: Duration { state.withLock { $0.now } }
  /// How many steps have run.
  var steps: Int { state.withLock { $0.steps } }
  /// The events that were recorded, each with its instant.
  var history: [String] { state.withLock { $0.history } }

  func record(_ event: String) {
    state.withLock { state in
      let milliseconds = String(state.now.milliseconds)
      state.history.append(
        String(repeating: " ", count: max(0, 6 - milliseconds.utf8.count)) + milliseconds + " " + event)
    }
  }

  /// Returns a number drawn from the seed.
  func draw(_ range: ClosedRange<Int>) -> Int {
    state.withLock { Int.random(in: range, using: &$0.random) }
  }

  /// Returns true so often in a hundred.
  func happens(_ percent: Int) -> Bool { draw(1...100) <= percent }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.ready.append(.job(job)) }
  }

  /// Runs work later, at the same instant.
  func enqueue(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.ready.append(.work(work)) }
  }

  /// Runs work once so much time has passed.
  func after(_ time: Duration, _ fire: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.timersAdded += 1
      state.timers.append(Timer(instant: state.now + time, number: state.timersAdded, fire: fire))
    }
  }

  func sleep(_ time: Duration) async {
    await withCheckedContinuation { continuation in after(time) { continuation.resume() } }
  }

  /// Runs until nothing can run and nothing is waited for.
  ///
  /// - Parameters:
  ///   - limit: so many steps at most.
  ///   - before: called before each step with its number.
  /// - Returns: false where the limit was reached.
  func run(atMost limit: Int, before: (Int) -> Void = { _ in }) -> Bool {
    let end = steps + limit
    while let step = next() {
      let number = steps
      guard number < end else { return false }
      before(number)
      switch step {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .work(let work): work()
      }
    }
    return true
  }

  private func next() -> Step? {
    state.withLock { state in
      state.steps += 1
      guard state.ready.isEmpty else {
        let index = Int.random(in: state.ready.indices, using: &state.random)
        return state.ready.remove(at: index)
      }
      let first = state.timers.indices.min { left, right in
        let (left, right) = (state.timers[left], state.timers[right])
        return (left.instant, left.number) < (right.instant, right.number)
      }
      guard let first else { return nil }
      let timer = state.timers.remove(at: first)
      state.now = max(state.now, timer.instant)
      return .work(timer.fire)
    }
  }
}

extension Duration {
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
