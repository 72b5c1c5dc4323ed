import Foundation
import MarketAPI
import Networking
import Synchronization
import Text
import WriteJournal

/// Converts an exchange to its stored form.
struct ExchangeSerializer {
  /// The maximum size of a text in UTF-8 bytes.
  ///
  /// Longer texts are truncated.
  static let longest = 64 << 10

  private let placeholders: SecretPlaceholders
  /// The variable that replaces the whole response body.
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
    var failure: String?
    switch exchange.outcome {
    case .success(let answer): response = stored(answer)
    case .failure(let error): failure = placeholders.hide(error.evidence)
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
    return sent.filter { !own.contains($0.name.lowercased()) }.map { pair($0.name, $0.value) }
  }

  private func stored(_ request: Request) -> StoredExchange.Request {
    StoredExchange.Request(
      method: request.method.rawValue, path: request.path.map(placeholders.hide),
      query: request.query.map { pair($0.name, $0.value) }, headers: request.headers.map { pair($0.name, $0.value) },
      body: stored(request.body))
  }

  private func stored(_ body: Body) -> StoredExchange.Body {
    switch body {
    case .none: .none
    case .data(let data, let type): self.body(data, type)
    case .multipart(let form): .form(form.parts.map(part))
    }
  }

  private func part(_ part: Multipart.Part) -> StoredExchange.Part {
    let isFile = part.fileName != nil
    return StoredExchange.Part(
      name: part.name, fileName: part.fileName.map(placeholders.hide), type: part.type,
      text: isFile ? nil : String(validating: part.content, as: UTF8.self).map(short), size: part.content.count,
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

  private func body(_ data: Data, _ type: String?) -> StoredExchange.Body {
    if data.isEmpty { return .none }
    guard let text = String(validating: data, as: UTF8.self) else {
      return .bytes(type: type, size: data.count, sha256: hash(data))
    }
    return .text(short(text), type: type, size: data.count)
  }

  private func pair(_ name: String, _ value: String) -> StoredExchange.NameValue {
    StoredExchange.NameValue(placeholders.hide(name), short(value))
  }

  /// Hides secrets first and truncates then, so that no part of a secret remains.
  private func short(_ text: String) -> String {
    let hidden = placeholders.hide(text)
    guard hidden.utf8.count > longest else { return hidden }
    return String(decoding: hidden.utf8.prefix(longest), as: UTF8.self) + "…"
  }

  private func hash(_ data: Data) -> String? { hashes ? SHA256.hex(data) : nil }
}

/// Placeholders for secrets in stored text: the variable between double underscores, `__OPENMARKET_SECRET__`.
///
/// Unlike dots they identify the secret, so that a stored request can be printed as a curl command.
package struct SecretPlaceholders: Sendable {
  private let masker: SecretRedactor

  package init(_ secrets: [NamedSecret]) { masker = SecretRedactor(secrets) }

  package func hide(_ text: String) -> String { masker.replacing(in: text, SecretPlaceholders.text) }

  package static func text(_ variable: String) -> String { "__\(variable)__" }

  /// The placeholders as if they were secrets, so that a `SecretRedactor` or a curl command finds them.
  package static let known: [NamedSecret] = [
    Credentials.secretVariable, Credentials.identifierVariable, Credentials.deletionTokenVariable,
  ].compactMap { variable in Secret(text(variable)).map { NamedSecret(variable, $0) } }

  /// Returns the placeholders of other secrets in some texts, such as `__OPENMARKET_AUTHORIZATION__`, so that a curl
  /// command uses their variables.
  package static func found(in texts: [String]) -> [NamedSecret] {
    let names = texts.flatMap { $0.matches(of: /__(OPENMARKET_[A-Z0-9_]*[A-Z0-9])__/).map { String($0.1) } }
    return Set(names).sorted().compactMap { name in Secret(text(name)).map { NamedSecret(name, $0) } }
  }

  /// Returns the text for display, with dots instead of secrets.
  package static func masked(_ text: String) -> String { SecretRedactor(known + found(in: [text])).mask(text) }
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
