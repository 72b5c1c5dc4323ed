import Dispatch
import Foundation
import History
import MarketAPI
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
    state.withLock { CallRecorder.report(StoreError.busy.localizedDescription, &$0) }
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
        CallRecorder.report(error.localizedDescription, &state)
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
      method: stored.request.method, path: placeholders.hideSent(exchange.request.target), status: response?.status,
      size: waiting.size, type: response?.header("Content-Type").map(placeholders.hide))
    return (call, stored.bytes)
  }

  private static func report(_ reason: LocalizedText, _ state: inout State) {
    guard !state.hasWarned else { return }
    state.hasWarned = true
    state.warning = .warning("Some calls of this session could not be saved.", ko: "이 세션의 호출 일부가 저장되지 않습니다.")
      .because(reason)
      .next(
        "To stop saving calls, run \(.command("set calls off")).",
        ko: "호출을 저장하지 않으려면 \(.command("set calls off"), .object) 실행하세요.")
  }
}

/// Converts an exchange to its stored form.
struct ExchangeSerializer {
  /// The maximum size of a text in UTF-8 bytes.
  ///
  /// Longer texts are truncated.
  static let longest = 64 << 10

  private let placeholders: SecretPlaceholders
  /// The variable that replaces the response body.
  private let hiding: String?
  private let longest: Int
  /// A Boolean value that indicates whether files are identified by the hash of their data.
  private let hashes: Bool

  init(
    _ placeholders: SecretPlaceholders, hiding: String?, longest: Int = ExchangeSerializer.longest, hashes: Bool = false
  ) {
    self.placeholders = placeholders
    self.hiding = hiding
    self.longest = longest
    self.hashes = hashes
  }

  func stored(_ exchange: Exchange, ended: Date) -> StoredExchange {
    let duration = exchange.duration.wholeMicroseconds ?? 0
    let end = Int64(exactly: (ended.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    let request = exchange.request
    var response: StoredExchange.Response?
    var failure: Evidence?
    switch exchange.outcome {
    case .success(let answer): response = stored(answer)
    case .failure(let error): failure = error.evidence.masked(placeholders.hide)
    }
    var result = StoredExchange(
      started: end - Int64(duration / 1000), duration: duration, base: exchange.base.absoluteString,
      request: stored(request), response: response, failure: failure)
    result.attempt = exchange.attempt
    if let timing = (try? exchange.outcome.get())?.timing {
      result.phases = timing.phases.microseconds
      result.request.addedHeaders = added(timing.headers, to: request)
    }
    return result
  }

  /// Returns the fields that were sent and are neither the request's own nor follow from its URL and its body.
  private func added(_ sent: [HeaderField], to request: Request) -> [StoredExchange.NameValue] {
    let own = Set(request.headers.map { $0.name.lowercased() }).union(["host", "content-type"])
    return sent.filter { !own.contains($0.name.lowercased()) }.map { sentPair($0.name, $0.value) }
  }

  private func stored(_ request: Request) -> StoredExchange.Request {
    StoredExchange.Request(
      method: request.method.rawValue, path: request.path.map { placeholders.hideSegment($0) },
      query: request.query.map { sentPair($0.name, $0.value) },
      headers: request.headers.map { sentPair($0.name, $0.value) },
      body: stored(request.body))
  }

  private func stored(_ body: Body) -> StoredExchange.Body {
    switch body {
    case .none: .none
    case .data(let data, let type): self.body(data, type, isSent: true)
    case .multipart(let form): .form(form.parts.map(part))
    }
  }

  private func part(_ part: Multipart.Part) -> StoredExchange.Part {
    let isFile = part.fileName != nil
    return StoredExchange.Part(
      name: part.name, fileName: part.fileName.map(placeholders.hide), type: part.type,
      text: isFile
        ? nil
        : String(validating: part.content, as: UTF8.self).map { truncated(placeholders.hide($0, ofField: part.name)) },
      size: part.content.count,
      sha256: isFile ? hash(part.content) : nil)
  }

  private func stored(_ response: Response) -> StoredExchange.Response {
    let type = response.header("Content-Type")
    let body =
      hiding.map { .text(SecretPlaceholders.text($0), type: type, size: response.body.count) }
      ?? body(response.body, type)
    return StoredExchange.Response(
      status: response.status, headers: response.headers.prefix(100).map { pair($0.name, $0.value) }, body: body)
  }

  private func body(_ data: Data, _ type: String?, isSent: Bool = false) -> StoredExchange.Body {
    if data.isEmpty { return .none }
    guard let text = String(validating: data, as: UTF8.self) else {
      return .bytes(type: type, size: data.count, sha256: hash(data))
    }
    return .text(
      truncated(isSent ? placeholders.hideSent(text) : placeholders.hide(text)), type: type, size: data.count)
  }

  private func pair(_ name: String, _ value: String) -> StoredExchange.NameValue {
    StoredExchange.NameValue(placeholders.hide(name), short(value))
  }

  /// Returns a field of a request or a header that was sent.
  private func sentPair(_ name: String, _ value: String) -> StoredExchange.NameValue {
    StoredExchange.NameValue(placeholders.hideSent(name), truncated(placeholders.hide(value, ofField: name)))
  }

  private func short(_ text: String) -> String { truncated(placeholders.hide(text)) }

  /// Truncates a text whose secrets are hidden already, so that no part of a secret remains.
  private func truncated(_ hidden: String) -> String {
    guard hidden.utf8.count > longest else { return hidden }
    return String(decoding: hidden.utf8.prefix(longest), as: UTF8.self) + "…"
  }

  private func hash(_ data: Data) -> String? { hashes ? SHA256.hex(data) : nil }
}

/// Placeholders for secrets in stored text: the variable between double underscores, `__OPENMARKET_SECRET__`.
///
/// Unlike dots they identify the secret, so that a stored request can be printed as a curl command.
package struct SecretPlaceholders: Sendable {
  private let received: SecretRedactor
  private let sent: SecretRedactor

  package init(_ secrets: [NamedSecret]) {
    received = SecretRedactor(secrets)
    sent = received.with(.request)
  }

  /// Returns a text that was received, or that isn't sent.
  package func hide(_ text: String) -> String { received.replacing(in: text, SecretPlaceholders.text) }

  /// Returns a text that is sent, which stays exact but for the places of secrets.
  package func hideSent(_ text: String) -> String { sent.replacing(in: text, SecretPlaceholders.text) }

  /// Returns the value of a field or header that is sent.
  package func hide(_ value: String, ofField name: String) -> String {
    sent.replacing(in: value, ofField: name, SecretPlaceholders.text)
  }

  /// Returns a segment of the path of a request.
  package func hideSegment(_ segment: String) -> String { String(hideSent("/" + segment).dropFirst()) }

  package static func text(_ variable: String) -> String { "__\(variable)__" }

  /// The placeholders as if they were secrets, so that a `SecretRedactor` or a curl command finds them.
  package static let known: [NamedSecret] = [
    Credentials.secretVariable, Credentials.identifierVariable, Credentials.deletionTokenVariable,
  ].compactMap(named)

  /// Returns the placeholders of other secrets in some texts, such as `__OPENMARKET_AUTHORIZATION__`, so that a curl
  /// command uses their variables.
  package static func found(in texts: [String]) -> [NamedSecret] {
    let names = texts.flatMap { $0.matches(of: /__(OPENMARKET_[A-Z0-9_]*[A-Z0-9])__/).map { String($0.1) } }
    return Set(names).sorted().compactMap(named)
  }

  private static func named(_ variable: String) -> NamedSecret? {
    Secret(text(variable)).map { NamedSecret(variable, $0, isPlaceholder: true) }
  }

  /// Returns the text for display, with dots instead of secrets.
  package static func masked(_ text: String) -> String {
    let others = text.contains("__OPENMARKET_") ? found(in: [text]).filter { !known.contains($0) } : []
    return (others.isEmpty ? redactor : SecretRedactor(known + others)).mask(text)
  }

  private static let redactor = SecretRedactor(known)
}

/// A cache of placeholders.
///
/// The requests of a batch use the same secrets, and computing all encodings of a secret takes longer than storing most
/// requests.
package final class SecretPlaceholderCache: Sendable {
  /// The maximum number of cached sets of secrets.
  ///
  /// A session has few.
  private static let maximumCount = 8
  private let made = Mutex<[(secrets: [NamedSecret], placeholders: SecretPlaceholders)]>([])

  package init() {}

  func placeholders(for secrets: [NamedSecret]) -> SecretPlaceholders {
    made.withLock { made in
      if let known = made.first(where: { $0.secrets == secrets }) { return known.placeholders }
      if made.count == SecretPlaceholderCache.maximumCount { made.removeFirst() }
      made.append((secrets, SecretPlaceholders(secrets)))
      return made[made.count - 1].placeholders
    }
  }
}

/// Collects the exchanges of one operation in the form stored in the journal: without secrets and picture data, and
/// with truncated bodies.
package final class ExchangeCollector: Sendable {
  private let credentials: [NamedSecret]
  private let now: @Sendable () -> Date
  private let maker: SecretPlaceholderCache
  private let stored = Mutex<[StoredExchange]>([])

  package init(
    _ credentials: Credentials?, now: @escaping @Sendable () -> Date,
    maker: SecretPlaceholderCache = SecretPlaceholderCache()
  ) {
    self.maker = maker
    let identifier = credentials?.identifier.flatMap { Secret($0) }
    let held = [(Credentials.secretVariable, credentials?.secret), (Credentials.identifierVariable, identifier)]
    self.credentials = held.compactMap { variable, secret in secret.map { NamedSecret(variable, $0) } }
    self.now = now
  }

  package var exchanges: [StoredExchange] { stored.withLock { $0 } }

  /// Adds an exchange.
  ///
  /// A response that is a credential isn't stored, whatever it contains.
  package func add(_ exchange: Exchange) {
    let writer = ExchangeSerializer(
      maker.placeholders(for: exchange.request.secrets + credentials), hiding: exchange.request.responseSecretName)
    let written = writer.stored(exchange, ended: now())
    stored.withLock { $0.append(written) }
  }
}

extension Phases {
  /// The phases in microseconds by their names in HAR 1.2.
  ///
  /// Phases that weren't measured are omitted.
  package var microseconds: [String: Int] {
    let times = [
      ("blocked", blocked), ("dns", dns), ("connect", connect), ("ssl", tls), ("send", send), ("wait", wait),
      ("receive", receive),
    ]
    var all: [String: Int] = [:]
    all.reserveCapacity(times.count)
    for case (let name, let time?) in times { all[name] = time.wholeMicroseconds }
    return all
  }
}

extension Duration {
  /// The duration rounded toward zero, or `nil` for an implausible one.
  var wholeMicroseconds: Int? {
    let (seconds, rest) = components
    guard seconds.magnitude < 1 << 40 else { return nil }
    return Int(seconds) * 1_000_000 + Int(rest / 1_000_000_000_000)
  }
}
