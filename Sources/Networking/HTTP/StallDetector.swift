import AsyncHTTPClient
import NIOCore
import Synchronization

/// Fails an exchange that makes no progress within its limits, and reports the progress of a long upload.
///
/// While uploading, progress is a byte that the peer acknowledged, or one that the system accepted if the kernel does
/// not report acknowledgements. While receiving, progress is any part of the response.
final class StallDetector: Sendable {
  /// The error for an exchange without progress within the limit.
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
    /// The time of the last progress.
    var lastProgress = ContinuousClock.now
    var task: HTTPClient.Task<Response>?
    var connection: (any Channel)?
    /// The peer's acknowledged byte count when it was first read; earlier requests of the connection are in it.
    var baseline: UInt64?
    var acknowledged = 0
    var bytesWritten = 0
    var lastReported: Int?
  }

  private let method: RequestMethod
  private let size: Int
  private let limits: Timeouts
  private let progress: Progress?
  private let watch: StallWatch
  private let state = Mutex(State())

  /// Creates the detector of one exchange whose request body has `size` bytes.
  ///
  /// `progress` is called with the number of bytes that have arrived if the body is longer than one chunk, and with
  /// `nil` when nothing more will be reported.
  init(_ method: RequestMethod, size: Int, _ limits: Timeouts, by watch: StallWatch, progress: Progress?) {
    self.method = method
    self.size = size
    self.limits = limits
    self.watch = watch
    self.progress = size > BodyWriter.chunkSize ? progress : nil
  }

  /// Starts the time limits: the head was sent over `connection`.
  func didStart(_ task: HTTPClient.Task<Response>, over connection: (any Channel)?) {
    state.withLock {
      $0.phase = size > 0 ? .sending : .waiting
      $0.lastProgress = .now
      $0.task = task
      $0.connection = connection
    }
    watch.add(self)
    // The progress of a short body is not reported, so the kernel is first asked when the upload takes long.
    if progress != nil { check() } else { scheduleNextCheck() }
  }

  func didWrite(_ count: Int) {
    state.withLock {
      $0.bytesWritten += count
      $0.lastProgress = .now
    }
  }

  func didSendRequest() {
    let isNew = state.withLock { state in
      state.lastProgress = .now
      guard state.phase == .sending else { return false }
      state.phase = .waiting
      return true
    }
    if isNew { scheduleNextCheck() }
  }

  func didReceiveBytes() {
    let isNew = state.withLock { state in
      state.lastProgress = .now
      guard state.phase == .sending || state.phase == .waiting else { return false }
      state.phase = .receiving
      return true
    }
    guard isNew else { return }
    reportProgress(nil)
    scheduleNextCheck()
  }

  func didEnd() {
    watch.remove(self)
    state.withLock { state in
      state.phase = .over
      state.connection = nil
      state.task = nil
    }
    reportProgress(nil)
  }

  /// Reads the upload's progress from the kernel if it matters, and fails the exchange if it stalled.
  func check() {
    let connection: (any Channel)? = state.withLock { state in
      switch state.phase {
      case .sending, .waiting: size > 0 ? state.connection : nil
      case .idle, .receiving, .over: nil
      }
    }
    guard let connection else { return scheduleNextCheck() }
    TCPInfo.read(connection).whenSuccess { info in
      if let info { self.note(info) }
      self.reportProgress(self.state.withLock { $0.acknowledged > 0 ? $0.acknowledged : $0.bytesWritten })
      self.scheduleNextCheck()
    }
  }

  private func note(_ info: TCPInfo) {
    state.withLock { state in
      let base = state.baseline ?? info.acknowledged
      state.baseline = base
      let acknowledged = min(size, Int(clamping: info.acknowledged - min(base, info.acknowledged)))
      guard acknowledged > state.acknowledged else { return }
      state.acknowledged = acknowledged
      state.lastProgress = .now
    }
  }

  /// Fails the exchange if it stalled, or else schedules the next check.
  private func scheduleNextCheck() {
    let (late, due): (HTTPClient.Task<Response>?, ContinuousClock.Instant?) = state.withLock { state in
      guard let limit = limit(in: state.phase) else { return (nil, nil) }
      let now = ContinuousClock.now
      let end = state.lastProgress + limit
      guard now < end else { return (state.task, nil) }
      let isGoingUp = size > 0 && state.phase != .receiving && state.acknowledged < size
      return (nil, isGoingUp ? min(end, now + max(.milliseconds(10), min(.milliseconds(250), limit / 8))) : end)
    }
    if let due { watch.schedule(by: due) }
    guard let late else { return }
    // This also removes an exchange that ended while its head was being sent, for which `didEnd()` is not called again.
    watch.remove(self)
    late.fail(reason: Stalled())
  }

  private func limit(in phase: Phase) -> Duration? {
    switch phase {
    case .idle, .over: nil
    case .sending: limits.upload
    case .waiting: limits.wait(forResponseTo: method, ofSize: size)
    case .receiving: limits.wait(forMoreOf: method)
    }
  }

  private func reportProgress(_ sent: Int?) {
    guard let progress else { return }
    let isNews = state.withLock { state in
      guard state.lastReported != sent, sent == nil || state.phase == .sending || state.phase == .waiting else {
        return false
      }
      state.lastReported = sent
      return true
    }
    if isNews { progress(sent, size) }
  }
}

/// A timer shared by all detectors of an event loop: a timer per request would be created and cancelled with every
/// request.
final class StallWatch: Sendable {
  private struct State: Sendable {
    var detectors: [StallDetector] = []
    /// The next scheduled check and its time.
    var next: (check: Scheduled<Void>, due: ContinuousClock.Instant)?
  }

  private let loop: any EventLoop
  private let state = Mutex(State())

  init(on loop: any EventLoop) { self.loop = loop }

  func add(_ one: StallDetector) { state.withLock { $0.detectors.append(one) } }

  func remove(_ one: StallDetector) { state.withLock { $0.detectors.removeAll { $0 === one } } }

  /// Schedules a check of all detectors no later than `due`, on the event loop's thread.
  func schedule(by due: ContinuousClock.Instant) {
    let (comesSooner, later): (Bool, Scheduled<Void>?) = state.withLock { state in
      if let next = state.next, next.due <= due { return (true, nil) }
      return (false, state.next.take()?.check)
    }
    if comesSooner { return }
    later?.cancel()
    let check = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: due))) { [weak self] in
      guard let self else { return }
      let detectors = self.state.withLock { state in
        state.next = nil
        return state.detectors
      }
      for one in detectors { one.check() }
    }
    state.withLock { $0.next = (check, due) }
  }
}
