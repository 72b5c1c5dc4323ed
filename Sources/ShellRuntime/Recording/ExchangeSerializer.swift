import Foundation
import Networking
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
    var reply: StoredExchange.Response?
    var failure: String?
    switch exchange.outcome {
    case .success(let answer): reply = stored(answer)
    case .failure(let error): failure = placeholders.hide(error.evidence)
    }
    var result = StoredExchange(
      started: end - Int64(duration / 1000), duration: duration, base: exchange.base.absoluteString,
      request: stored(request), reply: reply, failure: failure)
    result.attempt = exchange.attempt
    if let phases = (try? exchange.outcome.get())?.timing?.phases { result.phases = phases.microseconds }
    return result
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

  private func stored(_ reply: Response) -> StoredExchange.Response {
    let type = reply.header("Content-Type")
    let body =
      hiding.map { .text(SecretPlaceholders.text($0), type: type, size: reply.body.count) } ?? body(reply.body, type)
    return StoredExchange.Response(
      status: reply.status, headers: reply.headers.prefix(100).map { pair($0.name, $0.value) }, body: body)
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
