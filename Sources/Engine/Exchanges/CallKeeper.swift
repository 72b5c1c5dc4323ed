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
/// An exchange is put aside when it ends; what takes time (hiding secrets, deflating, SQLite) is done on a queue of its
/// own. Where it cannot be kept that is said once, and no command fails or waits for it.
package final class CallKeeper: Sendable {
  private struct State {
    var isOn = false
    var profile = ""
    var secrets: [NamedSecret] = []
    var waiting: [(exchange: Exchange, profile: String, secrets: [NamedSecret], ended: Date)] = []
    var bytes = 0
    var isWorking = false
    var store: CallStore?
    /// Nothing is kept any more in this process.
    var isClosed = false
    var trouble: Message?
    var hasTold = false
  }

  /// The shell's own name in the archive.
  package let session = ULID.make()
  private let path: String
  private let known: KnownSecrets
  private let maker = PlaceholderMaker()
  private let queue = DispatchQueue(label: "calls", qos: .utility)
  private let state = Mutex(State())

  /// Bytes of answers that may wait to be written; a scan that is faster than the disk is not held up.
  private static let mostWaiting = 64 << 20
  /// Times that a batch is written anew where another shell holds the file; each waits half a second.
  private static let mostTries = 6
  /// In UTF-8 bytes; longer texts are cut.
  private static let longest = 8 << 20
  /// What comes within it is one transaction; a script of a hundred writes has a few.
  private static let pause = DispatchTimeInterval.milliseconds(100)
  /// How long the end of the program waits for what is not written yet: a little is written at once, unless another shell
  /// holds the file; the pages of a large scan are not waited for to their end.
  private static let patience = (little: DispatchTimeInterval.seconds(3), much: DispatchTimeInterval.milliseconds(700))
  /// In bytes of answers.
  private static let little = 1 << 20

  /// - Parameters:
  ///   - path: of the file, made with its folder when the first call is kept.
  ///   - secrets: what no kept text holds, beside those of the request and the session.
  package init(at path: String, secrets: KnownSecrets) {
    self.path = path
    known = secrets
  }

  /// Whether to keep what comes, for which profile, and what is secret from now on.
  package func follow(_ session: Session) {
    let isOn = session.settings.calls && session.server.calls.value == .on
    let secrets = session.secrets
    state.withLock { state in
      state.isOn = isOn
      state.profile = session.server.name
      state.secrets = secrets
    }
  }

  package func note(_ exchange: Exchange) {
    let ended = Date()
    let size = (try? exchange.outcome.get())?.body.count ?? 0
    state.withLock { state in
      guard state.isOn, !state.isClosed else { return }
      guard state.bytes + size <= CallKeeper.mostWaiting else { return CallKeeper.tell(CallKeeper.tooFast, &state) }
      state.waiting.append((exchange, state.profile, state.secrets, ended))
      state.bytes += size
      guard !state.isWorking else { return }
      state.isWorking = true
      queue.asyncAfter(deadline: .now() + CallKeeper.pause) { self.work() }
    }
  }

  /// Why something was not kept; each process says it once.
  package func trouble() -> Message? {
    state.withLock { state in
      defer { state.trouble = nil }
      return state.trouble
    }
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

  /// The end of the program: what is not written soon is given up.
  package func finish() {
    let done = DispatchSemaphore(value: 0)
    let isLittle = state.withLock { $0.bytes < CallKeeper.little }
    queue.async {
      self.work()
      done.signal()
    }
    _ = done.wait(timeout: .now() + (isLittle ? CallKeeper.patience.little : CallKeeper.patience.much))
  }

  /// The archive itself; made when it is not there.
  ///
  /// - Throws: `ArchiveFailure`.
  package func store() throws(ArchiveFailure) -> CallStore {
    if let store = state.withLock({ $0.store }) { return store }
    let folder = Paths.parent(of: path)
    guard (try? Files.makeFolder(folder)) != nil else {
      throw .unreachable(path: folder, reason: String(cString: strerror(errno)))
    }
    let store = try CallStore(at: path, isNetwork: PrivateFiles.isNetwork(folder))
    state.withLock { $0.store = $0.store ?? store }
    return store
  }

  /// Everything that waits, in one transaction; what came meanwhile, in the next.
  private func work() {
    while true {
      let batch = state.withLock { state in
        defer { (state.waiting, state.bytes) = ([], 0) }
        state.isWorking = !state.waiting.isEmpty
        return state.waiting
      }
      guard !batch.isEmpty else { return }
      let calls = batch.map { kept($0.exchange, $0.profile, $0.secrets, ended: $0.ended) }
      do {
        try add(calls)
      } catch {
        state.withLock { state in
          // Of a lock that another holds only this batch is lost.
          if error != .busy { state.isClosed = true }
          CallKeeper.tell(error.words, &state)
        }
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

  private func kept(
    _ exchange: Exchange, _ profile: String, _ secrets: [NamedSecret], ended: Date
  ) -> (call: StoredCall, content: Data) {
    let all = exchange.secrets + secrets + known.all
    let placeholders = maker.placeholders(for: all)
    let duration = Int(exactly: (exchange.duration / .microseconds(1)).rounded(.down)) ?? 0
    let end = Int64(exactly: (ended.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    let writer = ExchangeWriter(
      placeholders, hiding: exchange.request.answeredSecret, longest: CallKeeper.longest, hashes: true)
    let kept = writer.kept(exchange, started: end - Int64(duration / 1000), duration: duration)
    let reply = try? exchange.outcome.get()
    let call = StoredCall(
      session: session, started: kept.started, duration: duration, profile: profile, base: kept.base,
      method: kept.request.method, path: placeholders.hide(exchange.request.target), status: reply?.status,
      size: reply?.body.count ?? 0, type: reply?.header("Content-Type").map(placeholders.hide))
    return (call, Data(kept.json.utf8))
  }

  private static func tell(_ reason: LocalizedText, _ state: inout State) {
    guard !state.hasTold else { return }
    state.hasTold = true
    state.trouble = .warning("Calls of this session are not all kept.", ko: "이 세션의 호출 일부가 저장되지 않습니다.")
      .because(reason)
      .next("\(.command("set calls off")) keeps none.", ko: "\(.command("set calls off"))로 저장하지 않습니다.")
  }

  private static let tooFast = LocalizedText(
    "They come faster than they can be written.", ko: "쓰는 것보다 빨리 들어옵니다.")
}
