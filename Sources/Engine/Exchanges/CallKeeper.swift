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

/// Keeps every exchange of the session in the archive of calls, behind the back of the command that made it.
///
/// An exchange is put aside when it ends; what takes time (hiding secrets, writing it down) is done on a queue of its
/// own. Where it cannot be kept that is said once, and no command fails or waits for it.
package final class CallKeeper: Sendable {
  private struct State {
    var isOn = false
    var profile = ""
    var secrets: [NamedSecret] = []
    var waiting: [Waiting] = []
    /// Bytes of bodies that may still come at once.
    var room = CallKeeper.bodies.atOnce
    var roomTold = ContinuousClock.now
    /// What waits is about to be written.
    var isAwaited = false
    /// The first one is written at once: a program that sends one request has its answer to show meanwhile.
    var isFirst = true
    /// Nothing is kept any more in this process.
    var isClosed = false
    var trouble: Message?
    var hasTold = false
  }

  private struct Waiting {
    var exchange: Exchange
    /// Of the answer's body, also where it is not kept.
    var size: Int
    var isWhole: Bool
    var profile: String
    var secrets: [NamedSecret]
    var ended: Date
  }

  /// The shell's own name in the archive.
  package let session = ULID.make()
  private let folder: String
  private let calls: CallStore
  private let known: KnownSecrets
  private let maker = PlaceholderMaker()
  private let queue = DispatchQueue(label: "calls", qos: .utility)
  /// What is being written now.
  private let writing = DispatchGroup()
  private let state = Mutex(State())

  /// Bodies of answers that are kept, in bytes: so many at once and so many more a second. A scan of a whole market, which
  /// is kept as a version, brings more; of its other pages everything but the body is kept.
  private static let bodies = (atOnce: 1 << 18, aSecond: 1 << 20)
  /// Times that a batch is written anew where another shell holds the file; each waits half a second.
  private static let mostTries = 20
  /// In UTF-8 bytes; longer texts are cut.
  private static let longest = 8 << 20
  /// What comes within it is written at once; a script of a hundred writes has a few, and little is left for its end.
  private static let pause = DispatchTimeInterval.milliseconds(50)
  /// How long the end of the program waits for what is not written yet: it is written at once, unless another shell holds
  /// the file.
  private static let patience = DispatchTimeInterval.seconds(10)

  /// - Parameters:
  ///   - path: of the file, made with its folder when the first call is kept.
  ///   - secrets: what no kept text holds, beside those of the request and the session.
  package init(at path: String, secrets: KnownSecrets) {
    let folder = Paths.parent(of: path)
    self.folder = folder
    calls = CallStore(at: path) { PrivateFiles.isNetwork(folder) }
    known = secrets
  }

  /// Whether to keep what comes, for which profile, and what is secret from now on.
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

  /// False where a body of that size comes too soon after others to be kept.
  private static func take(_ size: Int, from state: inout State) -> Bool {
    let now = ContinuousClock.now
    let (seconds, rest) = state.roomTold.duration(to: now).components
    let gained = Int(min(seconds, 1) * 1_000 + rest / 1_000_000_000_000_000) * (bodies.aSecond / 1_000)
    if gained > 0 {
      state.room = min(bodies.atOnce, state.room + gained)
      state.roomTold = now
    }
    // One body by itself is kept however long it is.
    guard size <= state.room || state.room == bodies.atOnce else { return false }
    state.room = max(0, state.room - size)
    return true
  }

  /// Why something was not kept; each process says it once.
  package func trouble() -> Message? {
    state.withLock { $0.trouble.take() }
  }

  /// Comes back when what was noted so far is written, or could not be.
  package func settle() async {
    await withCheckedContinuation { done in
      queue.async {
        self.work()
        done.resume()
      }
    }
  }

  /// The end of the program: nothing is noted any more, and what is not written soon is given up; ``trouble()`` then says so.
  package func finish() {
    let isWaiting = state.withLock { state in
      state.isOn = false
      return !state.waiting.isEmpty
    }
    if isWaiting { queue.async(group: writing) { self.work() } }
    guard writing.wait(timeout: .now() + CallKeeper.patience) == .timedOut else { return }
    // The process ends before the other shells let go of the file: what is lost is told.
    state.withLock { CallKeeper.tell(ArchiveFailure.busy.words, &$0) }
  }

  /// The archive itself; its folder is made when it is not there.
  ///
  /// - Throws: `ArchiveFailure`.
  package func store() throws(ArchiveFailure) -> CallStore {
    guard (try? Files.makeFolder(folder)) != nil else {
      throw .unreachable(path: folder, reason: String(cString: strerror(errno)))
    }
    return calls
  }

  /// Everything that waits, at once; what comes meanwhile waits for the next time.
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
        // Of a lock that another holds only this batch is lost.
        if error != .busy { state.isClosed = true }
        CallKeeper.tell(error.words, &state)
      }
    }
  }

  /// Another shell may hold the file for longer than one wait.
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
    state.trouble = .warning("Calls of this session are not all kept.", ko: "이 세션의 호출 일부가 저장되지 않습니다.")
      .because(reason)
      .next("\(.command("set calls off")) keeps none.", ko: "\(.command("set calls off"))로 저장하지 않습니다.")
  }
}
