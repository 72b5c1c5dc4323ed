import Dispatch
import Foundation
import History
import Networking
import Platform
import Presentation
import Synchronization
import Text
import WriteJournal

/// Records every HTTP exchange of the session in the archive, in the background.
///
/// A finished exchange is queued; redaction and disk writes happen on a serial queue. If recording fails, the user is
/// warned once. Commands never wait for it and never fail because of it.
package final class CallRecorder: Sendable {
  private struct State {
    var isOn = false
    var profile = ""
    var secrets: [NamedSecret] = []
    var waiting: [Waiting] = []
    /// The number of body bytes that may be stored at the moment, and the time of its last update.
    var availableBytes = CallRecorder.bodies.atOnce
    var lastRefill = ContinuousClock.now
    /// A Boolean value that indicates that a disk write is scheduled.
    var isFlushScheduled = false
    /// A Boolean value for the first exchange, which is written at once: a program that sends one request is showing
    /// its result at that time.
    var isFirst = true
    /// A Boolean value that indicates that the file was opened or is being opened.
    var isOpened = false
    /// A Boolean value that indicates that this process records nothing any more.
    var isClosed = false
    var warning: Message?
    var hasWarned = false
  }

  private struct Waiting {
    var exchange: Exchange
    /// The size of the response body, even if the body isn't stored.
    var size: Int
    var isWhole: Bool
    var profile: String
    var secrets: [NamedSecret]
    var ended: Date
  }

  /// The identifier of this shell in the archive.
  package let session = ULID.make()
  private let folder: String
  private let calls: ExchangeStore
  private let known: SecretRegistry
  private let maker = SecretPlaceholderCache()
  private let queue = DispatchQueue(label: "calls", qos: .utility)
  /// The disk writes in progress.
  private let writing = DispatchGroup()
  private let state = Mutex(State())

  /// The limits for stored response bodies in bytes: `atOnce` is the burst, `aSecond` the rate.
  ///
  /// If a complete scan exceeds them, the remaining pages are stored without their bodies.
  private static let bodies = (atOnce: 1 << 18, aSecond: 1 << 20)
  /// The maximum number of attempts if another shell locks the file.
  ///
  /// Each waits half a second.
  private static let maximumTries = 20
  /// The maximum size of a text in UTF-8 bytes.
  ///
  /// Longer texts are truncated.
  private static let longest = 8 << 20
  /// The time to collect exchanges before they are written together.
  ///
  /// It is short, so that little remains to be written at the end of the program.
  private static let pause = DispatchTimeInterval.milliseconds(50)
  /// The time that the end of the program waits for pending disk writes, which takes longer only if another shell locks
  /// the file.
  private static let timeout = DispatchTimeInterval.seconds(10)

  /// Creates a recorder.
  ///
  /// Its file and folder are created with the first exchange. `secrets` are removed from all stored text, in addition
  /// to those of the request and the session.
  package init(at path: String, secrets: SecretRegistry) {
    let folder = Paths.parent(of: path)
    self.folder = folder
    calls = ExchangeStore(at: path) { PrivateFiles.isNetwork(folder) }
    known = secrets
  }

  /// Adopts the session's settings: whether to record, the profile, and the secrets.
  package func configure(_ session: Session) {
    state.withLock { state in
      state.isOn = session.settings.calls && session.server.calls.value == .on
      state.profile = session.server.name
      state.secrets = session.secrets
    }
  }

  /// Opens the file in the background, before the first request is sent.
  ///
  /// Otherwise a program that sends one request would wait for it at its end.
  package func openFile() {
    let isFirst = state.withLock { state in
      defer { state.isOpened = state.isOpened || state.isOn }
      return state.isOn && !state.isOpened
    }
    // An error is reported when the exchange is written.
    if isFirst { queue.async { try? self.archive().open() } }
  }

  package func record(_ exchange: Exchange) {
    let ended = Date()
    var exchange = exchange
    let response = try? exchange.outcome.get()
    let size = response?.body.count ?? 0
    state.withLock { state in
      guard state.isOn, !state.isClosed else { return }
      let isWhole = CallRecorder.take(size, from: &state)
      if !isWhole, var response {
        response.body = Data()
        exchange.outcome = .success(response)
      }
      state.waiting.append(
        Waiting(
          exchange: exchange, size: size, isWhole: isWhole, profile: state.profile, secrets: state.secrets, ended: ended
        ))
      guard !state.isFlushScheduled else { return }
      state.isFlushScheduled = true
      defer { state.isFirst = false }
      if state.isFirst { return queue.async { self.drainQueue() } }
      queue.asyncAfter(deadline: .now() + CallRecorder.pause) { self.drainQueue() }
    }
  }

  /// Takes `size` bytes from the limit, or returns false if the body shouldn't be stored.
  private static func take(_ size: Int, from state: inout State) -> Bool {
    let now = ContinuousClock.now
    let (seconds, rest) = state.lastRefill.duration(to: now).components
    let gained = Int(min(seconds, 1) * 1_000 + rest / 1_000_000_000_000_000) * (bodies.aSecond / 1_000)
    if gained > 0 {
      state.availableBytes = min(bodies.atOnce, state.availableBytes + gained)
      state.lastRefill = now
    }
    // A single body is stored regardless of its size.
    guard size <= state.availableBytes || state.availableBytes == bodies.atOnce else { return false }
    state.availableBytes = max(0, state.availableBytes - size)
    return true
  }

  /// Returns the reason why an exchange wasn't stored.
  ///
  /// Each process reports it once.
  package func takeWarning() -> Message? {
    state.withLock { $0.warning.take() }
  }

  /// Waits until everything recorded so far is written or has failed.
  package func flush() async {
    await withCheckedContinuation { done in
      queue.async {
        self.drainQueue()
        done.resume()
      }
    }
  }

  /// Ends the recording at the end of the program.
  ///
  /// Exchanges that cannot be written within the timeout are lost; `takeWarning()` reports it.
  package func shutDown() {
    let isWaiting = state.withLock { state in
      state.isOn = false
      return !state.waiting.isEmpty
    }
    if isWaiting { queue.async(group: writing) { self.drainQueue() } }
    guard writing.wait(timeout: .now() + CallRecorder.timeout) == .timedOut else { return }
    // The program ends before the other shells release the file, so the loss is reported.
    state.withLock { CallRecorder.tell(StoreError.busy.localizedDescription, &$0) }
  }

  /// Returns the archive, after creating its folder if necessary.
  ///
  /// - Throws: `StoreError`.
  package func archive() throws(StoreError) -> ExchangeStore {
    guard (try? Files.createDirectory(folder)) != nil else {
      throw .unreachable(path: folder, reason: String(cString: strerror(errno)))
    }
    return calls
  }

  /// Writes everything that is queued.
  private func drainQueue() {
    writing.enter()
    defer { writing.leave() }
    let batch = state.withLock { state in
      defer { state.waiting = [] }
      state.isFlushScheduled = false
      return state.waiting
    }
    guard !batch.isEmpty else { return }
    do {
      try add(batch.map(record))
    } catch {
      state.withLock { state in
        // If another shell locked the file, only this batch is lost.
        if error != .busy { state.isClosed = true }
        CallRecorder.tell(error.localizedDescription, &state)
      }
    }
  }

  /// Another shell may lock the file for longer than one attempt.
  private func add(_ calls: [(call: ExchangeRecord, content: Data)]) throws(StoreError) {
    for _ in 1..<CallRecorder.maximumTries {
      do throws(StoreError) {
        return try archive().add(calls)
      } catch {
        guard error == .busy else { throw error }
      }
    }
    try archive().add(calls)
  }

  private func record(_ waiting: Waiting) -> (call: ExchangeRecord, content: Data) {
    let exchange = waiting.exchange
    let placeholders = maker.placeholders(for: exchange.secrets + waiting.secrets + known.all)
    let writer = ExchangeSerializer(
      placeholders, hiding: exchange.request.responseSecretName, longest: CallRecorder.longest, hashes: true)
    var stored = writer.stored(exchange, ended: waiting.ended)
    let response = try? exchange.outcome.get()
    if !waiting.isWhole { stored.response?.body = .bytes(type: response?.header("Content-Type"), size: waiting.size) }
    let call = ExchangeRecord(
      session: session, started: stored.started, duration: stored.duration, profile: waiting.profile, base: stored.base,
      method: stored.request.method, path: placeholders.hide(exchange.request.target), status: response?.status,
      size: waiting.size, type: response?.header("Content-Type").map(placeholders.hide))
    return (call, stored.bytes)
  }

  private static func tell(_ reason: LocalizedText, _ state: inout State) {
    guard !state.hasWarned else { return }
    state.hasWarned = true
    state.warning = .warning("Some calls of this session could not be saved.", ko: "이 세션의 호출 일부가 저장되지 않습니다.")
      .because(reason)
      .next(
        "To stop saving calls, run \(.command("set calls off")).",
        ko: "호출을 저장하지 않으려면 \(.command("set calls off"), .object) 실행하세요.")
  }
}
