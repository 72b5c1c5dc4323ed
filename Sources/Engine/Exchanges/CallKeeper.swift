import Archive
import Catalog
import Dispatch
import Foundation
import Journal
import Marketplace
import Networking
import Platform
import Presentation
import Synchronization
import Text

/// Records every HTTP exchange of the session in the archive, in the background.
///
/// A finished exchange is queued; redaction and disk writes happen on a serial queue. If recording fails, the user is
/// warned once. Commands never wait for it and never fail because of it.
package final class CallKeeper: Sendable {
  private struct State {
    var isOn = false
    var profile = ""
    var secrets: [NamedSecret] = []
    var waiting: [Waiting] = []
    /// The number of body bytes that may be stored at the moment, and the time of its last update.
    var room = CallKeeper.bodies.atOnce
    var roomTold = ContinuousClock.now
    /// A Boolean value that indicates that a disk write is scheduled.
    var isAwaited = false
    /// A Boolean value for the first exchange, which is written at once: a program that sends one request is showing
    /// its result at that time.
    var isFirst = true
    /// A Boolean value that indicates that this process records nothing any more.
    var isClosed = false
    var trouble: Message?
    var hasTold = false
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
  private let calls: CallStore
  private let known: KnownSecrets
  private let maker = PlaceholderMaker()
  private let queue = DispatchQueue(label: "calls", qos: .utility)
  /// The disk writes in progress.
  private let writing = DispatchGroup()
  private let state = Mutex(State())

  /// The limits for stored response bodies in bytes: `atOnce` is the burst, `aSecond` the rate.
  ///
  /// If a scan of a whole market exceeds them, the remaining pages are stored without their bodies.
  private static let bodies = (atOnce: 1 << 18, aSecond: 1 << 20)
  /// The maximum number of attempts if another shell locks the file.
  ///
  /// Each waits half a second.
  private static let mostTries = 20
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
  private static let patience = DispatchTimeInterval.seconds(10)

  /// Creates a recorder.
  ///
  /// Its file and folder are created with the first exchange. `secrets` are removed from all stored text, in addition
  /// to those of the request and the session.
  package init(at path: String, secrets: KnownSecrets) {
    let folder = Paths.parent(of: path)
    self.folder = folder
    calls = CallStore(at: path) { PrivateFiles.isNetwork(folder) }
    known = secrets
  }

  /// Adopts the session's settings: whether to record, the profile, and the secrets.
  package func follow(_ session: Session) {
    state.withLock { state in
      state.isOn = session.settings.calls && session.server.calls.value == .on
      state.profile = session.server.name
      state.secrets = session.secrets
    }
  }

  package func note(_ exchange: Exchange) {
    let ended = Date()
    var exchange = exchange
    let reply = try? exchange.outcome.get()
    let size = reply?.body.count ?? 0
    state.withLock { state in
      guard state.isOn, !state.isClosed else { return }
      let isWhole = CallKeeper.take(size, from: &state)
      if !isWhole, var reply {
        reply.body = Data()
        exchange.outcome = .success(reply)
      }
      state.waiting.append(
        Waiting(
          exchange: exchange, size: size, isWhole: isWhole, profile: state.profile, secrets: state.secrets, ended: ended
        ))
      guard !state.isAwaited else { return }
      state.isAwaited = true
      defer { state.isFirst = false }
      if state.isFirst { return queue.async { self.work() } }
      queue.asyncAfter(deadline: .now() + CallKeeper.pause) { self.work() }
    }
  }

  /// Takes `size` bytes from the limit, or returns false if the body shouldn't be stored.
  private static func take(_ size: Int, from state: inout State) -> Bool {
    let now = ContinuousClock.now
    let (seconds, rest) = state.roomTold.duration(to: now).components
    let gained = Int(min(seconds, 1) * 1_000 + rest / 1_000_000_000_000_000) * (bodies.aSecond / 1_000)
    if gained > 0 {
      state.room = min(bodies.atOnce, state.room + gained)
      state.roomTold = now
    }
    // A single body is stored regardless of its size.
    guard size <= state.room || state.room == bodies.atOnce else { return false }
    state.room = max(0, state.room - size)
    return true
  }

  /// Returns the reason why an exchange wasn't stored.
  ///
  /// Each process reports it once.
  package func trouble() -> Message? {
    state.withLock { $0.trouble.take() }
  }

  /// Waits until everything recorded so far is written or has failed.
  package func settle() async {
    await withCheckedContinuation { done in
      queue.async {
        self.work()
        done.resume()
      }
    }
  }

  /// Ends the recording at the end of the program.
  ///
  /// What isn't written soon is lost; `trouble()` reports it.
  package func finish() {
    let isWaiting = state.withLock { state in
      state.isOn = false
      return !state.waiting.isEmpty
    }
    if isWaiting { queue.async(group: writing) { self.work() } }
    guard writing.wait(timeout: .now() + CallKeeper.patience) == .timedOut else { return }
    // The program ends before the other shells release the file, so the loss is reported.
    state.withLock { CallKeeper.tell(ArchiveFailure.busy.words, &$0) }
  }

  /// Returns the archive, after creating its folder if necessary.
  ///
  /// - Throws: `ArchiveFailure`.
  package func store() throws(ArchiveFailure) -> CallStore {
    guard (try? Files.makeFolder(folder)) != nil else {
      throw .unreachable(path: folder, reason: String(cString: strerror(errno)))
    }
    return calls
  }

  /// Writes everything that is queued.
  private func work() {
    writing.enter()
    defer { writing.leave() }
    let batch = state.withLock { state in
      defer { state.waiting = [] }
      state.isAwaited = false
      return state.waiting
    }
    guard !batch.isEmpty else { return }
    do {
      try add(batch.map(kept))
    } catch {
      state.withLock { state in
        // If another shell locked the file, only this batch is lost.
        if error != .busy { state.isClosed = true }
        CallKeeper.tell(error.words, &state)
      }
    }
  }

  /// Another shell may lock the file for longer than one attempt.
  private func add(_ calls: [(call: StoredCall, content: Data)]) throws(ArchiveFailure) {
    for _ in 1..<CallKeeper.mostTries {
      do throws(ArchiveFailure) {
        return try store().add(calls)
      } catch {
        guard error == .busy else { throw error }
      }
    }
    try store().add(calls)
  }

  private func kept(_ waiting: Waiting) -> (call: StoredCall, content: Data) {
    let exchange = waiting.exchange
    let placeholders = maker.placeholders(for: exchange.secrets + waiting.secrets + known.all)
    let writer = ExchangeWriter(
      placeholders, hiding: exchange.request.answeredSecret, longest: CallKeeper.longest, hashes: true)
    var kept = writer.kept(exchange, ended: waiting.ended)
    let reply = try? exchange.outcome.get()
    if !waiting.isWhole { kept.reply?.body = .bytes(type: reply?.header("Content-Type"), size: waiting.size) }
    let call = StoredCall(
      session: session, started: kept.started, duration: kept.duration, profile: waiting.profile, base: kept.base,
      method: kept.request.method, path: placeholders.hide(exchange.request.target), status: reply?.status,
      size: waiting.size, type: reply?.header("Content-Type").map(placeholders.hide))
    return (call, kept.bytes)
  }

  private static func tell(_ reason: LocalizedText, _ state: inout State) {
    guard !state.hasTold else { return }
    state.hasTold = true
    state.trouble = .warning("Some calls of this session could not be saved.", ko: "이 세션의 호출 일부가 저장되지 않습니다.")
      .because(reason)
      .next(
        "To stop saving calls, run \(.command("set calls off")).",
        ko: "호출을 저장하지 않으려면 \(.command("set calls off"), .object) 실행하세요.")
  }
}
