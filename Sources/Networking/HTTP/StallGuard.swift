import AsyncHTTPClient
import Foundation
import NIOCore
import Synchronization

/// Gives an exchange up that makes no progress within its limits, and tells how far a long body has come.
///
/// Going up, progress is a byte that the other side acknowledged, or one that the system took where the kernel does not
/// tell of acknowledgements; coming back, a part of the answer.
final class StallGuard: Sendable {
  /// No progress within the limit.
  struct Stalled: Error {}

  typealias Progress = @Sendable (_ sent: Int?, _ total: Int) -> Void

  private enum Phase: Sendable {
    case idle
    case sending
    case waiting
    case receiving
    case over
  }

  private struct State: Sendable {
    var phase = Phase.idle
    /// When the last progress was made.
    var since = ContinuousClock.now
    var line: (any Channel)?
    /// What the other side had acknowledged when the request began.
    var base: UInt64?
    var acknowledged = 0
    var taken = 0
    var told: Int?
    /// The next look, and when it comes.
    var next: (look: Scheduled<Void>, due: ContinuousClock.Instant)?
  }

  private let method: Method
  private let size: Int
  private let limits: TimeLimits
  private let progress: Progress?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - size: of the body, in bytes.
  ///   - progress: told how much of a body longer than a piece has arrived, and nil when there is no more to tell.
  init(_ method: Method, size: Int, _ limits: TimeLimits, progress: Progress?) {
    self.method = method
    self.size = size
    self.limits = limits
    self.progress = size > Upload.piece ? progress : nil
  }

  /// The head has left over `line`: from here on time counts.
  func begin(_ task: HTTPClient.Task<Reply>, over line: (any Channel)?) {
    state.withLock {
      $0.phase = size > 0 ? .sending : .waiting
      $0.since = .now
      $0.line = line
    }
    look(task)
  }

  func pieceWasTaken(_ count: Int) {
    state.withLock {
      $0.taken += count
      $0.since = .now
    }
  }

  func requestWasTaken(_ task: HTTPClient.Task<Reply>) {
    let isNew = state.withLock { state in
      state.since = .now
      guard state.phase == .sending else { return false }
      state.phase = .waiting
      return true
    }
    if isNew { look(task) }
  }

  func answerComes(_ task: HTTPClient.Task<Reply>) {
    let isNew = state.withLock { state in
      state.since = .now
      guard state.phase == .sending || state.phase == .waiting else { return false }
      state.phase = .receiving
      return true
    }
    guard isNew else { return }
    tell(nil)
    look(task)
  }

  func end() {
    let next = state.withLock { state in
      state.phase = .over
      state.line = nil
      return state.next.take()
    }
    next?.look.cancel()
    tell(nil)
  }

  private func look(_ task: HTTPClient.Task<Reply>) {
    let line: (any Channel)? = state.withLock { state in
      switch state.phase {
      case .sending, .waiting: size > 0 ? state.line : nil
      case .idle, .receiving, .over: nil
      }
    }
    guard let line else { return judge(task, nil) }
    LineState.of(line).whenSuccess { self.judge(task, $0) }
  }

  private func judge(_ task: HTTPClient.Task<Reply>, _ line: LineState?) {
    let (delay, arrived): (Duration?, Int) = state.withLock { state in
      let now = ContinuousClock.now
      if let line {
        let base = state.base ?? line.acknowledged
        state.base = base
        let acknowledged = min(size, Int(clamping: line.acknowledged - min(base, line.acknowledged)))
        if acknowledged > state.acknowledged {
          state.acknowledged = acknowledged
          state.since = now
        }
      }
      let arrived = state.acknowledged > 0 ? state.acknowledged : state.taken
      guard let limit = limit(in: state.phase) else { return (.seconds(-1), arrived) }
      let left = limit - state.since.duration(to: now)
      guard left > .zero else { return (nil, arrived) }
      let isGoingUp = size > 0 && state.phase != .receiving && state.acknowledged < size
      return (isGoingUp ? min(left, max(.milliseconds(10), min(.milliseconds(250), limit / 8))) : left, arrived)
    }
    guard let delay else { return task.fail(reason: Stalled()) }
    guard delay > .zero else { return }
    tell(arrived)
    lookAgain(task, in: delay)
  }

  /// One that comes sooner will see for itself how long there is still to wait.
  private func lookAgain(_ task: HTTPClient.Task<Reply>, in delay: Duration) {
    let due = ContinuousClock.now + delay
    let (comesSooner, later): (Bool, Scheduled<Void>?) = state.withLock { state in
      if let next = state.next, next.due <= due { return (true, nil) }
      return (false, state.next.take()?.look)
    }
    if comesSooner { return }
    later?.cancel()
    let look = task.eventLoop.scheduleTask(in: TimeAmount(delay)) { [weak self] in
      guard let self else { return }
      self.state.withLock { $0.next = nil }
      self.look(task)
    }
    state.withLock { $0.next = (look, due) }
  }

  private func limit(in phase: Phase) -> Duration? {
    switch phase {
    case .idle, .over: nil
    case .sending: limits.upload
    case .waiting: limits.wait(forAnswerTo: method, ofSize: size)
    case .receiving: limits.wait(forMoreOf: method)
    }
  }

  private func tell(_ sent: Int?) {
    guard let progress else { return }
    let isNews = state.withLock { state in
      guard state.told != sent, sent == nil || state.phase == .sending || state.phase == .waiting else { return false }
      state.told = sent
      return true
    }
    if isNews { progress(sent, size) }
  }
}
