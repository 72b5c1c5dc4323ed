import Catalog
import Foundation
import Networking
import Platform
import Presentation
import Text
import WriteJournal

/// A request that the built-in market received from an app, and its response, without secrets.
package struct ReceivedCall: Hashable, Sendable {
  /// The number since the market started, from 1.
  package let number: Int
  /// The path and query, in which the server has masked secrets.
  package let target: String
  /// The name of the vendor, or the address of the client.
  package let sender: String
  /// The words of a refusal, or the reason why there was no response.
  package let words: String?
  /// The details of a refusal that its response lacks.
  package let detail: String?
  /// The exchange as `explain` reads it.
  package let exchange: StoredExchange
  /// A Boolean value that indicates that the exchange has the content of the request.
  package let hasContent: Bool
  /// The `User-Agent` of the request, or `nil` without one.
  package let agent: String?

  /// A Boolean value that indicates that the app got no successful response.
  package var isRefused: Bool { exchange.response.map { $0.status >= 400 } ?? true }

  /// A Boolean value that indicates a request of Foundation's `URLSession`, by the `User-Agent` that it has on Linux and on
  /// systems of Apple.
  package var isOfURLSession: Bool {
    guard let agent else { return false }
    return agent.contains("CFNetwork/") || agent.contains("(unknown%20version)%20curl/")
  }

  /// The members of requests that prove who sends them.
  private static let secretNames: Set = ["secret", "password"]

  /// Creates the call of a request.
  ///
  /// - Parameters:
  ///   - time: The time of the response, which is stored in seconds.
  ///   - headers: The header fields by which requests differ.
  ///   - body: The body as it was sent, or `nil` if it isn't known; its secrets are masked here.
  ///   - agent: The `User-Agent`.
  package init(
    number: Int, time: Date, method: String, target: String, status: Int?, duration: Duration, sender: String,
    words: String?, detail: String?, headers: [(name: String, value: String)] = [],
    body: StoredExchange.Body?, agent: String? = nil
  ) {
    self.agent = agent
    (self.number, self.target, self.sender) = (number, target, sender)
    (self.words, self.detail, hasContent) = (words, detail, body != nil)
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let query = (halves.count == 2 ? halves[1].split(separator: "&") : []).map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return StoredExchange.NameValue(parts[0], parts.count == 2 ? PercentEncoding.decode(parts[1]) ?? parts[1] : "")
    }
    let request = StoredExchange.Request(
      method: method, path: halves[0].split(separator: "/").map { PercentEncoding.decode(String($0)) ?? String($0) },
      query: query, headers: headers.map { StoredExchange.NameValue($0.name, $0.value) },
      body: body.map(ReceivedCall.withoutSecrets) ?? .none)
    let message = words.map { JSON.object([("message", .string($0))]).serialized }
    let response = status.map { status in
      StoredExchange.Response(
        status: status, headers: [],
        body: message.map { .text($0, type: "application/json", size: $0.utf8.count) } ?? .none)
    }
    exchange = StoredExchange(
      started: Timestamp(time).seconds * 1000, duration: max(0, duration.wholeMicroseconds ?? 0), base: "",
      request: request, response: response, failure: status == nil ? .noResponse : nil)
  }

  /// Returns a body with dots in place of secrets and passwords.
  ///
  /// JSON that can't be read is represented by its size, as a secret in it can't be found.
  private static func withoutSecrets(_ body: StoredExchange.Body) -> StoredExchange.Body {
    switch body {
    case .none, .bytes: return body
    case .text(let text, let type, let size):
      return masked(text).map { .text($0, type: type, size: size) } ?? .bytes(type: type, size: size)
    case .form(let parts):
      var shown: [StoredExchange.Part] = []
      for var part in parts {
        if secretNames.contains(part.name) {
          part.text = Secret.mask
        } else if part.name == "params", let text = part.text {
          guard let masked = masked(text) else { return .bytes(type: "multipart/form-data", size: text.utf8.count) }
          part.text = masked
        }
        shown.append(part)
      }
      return .form(shown)
    }
  }

  /// Returns an object of JSON with its secrets masked, or `nil` for another text.
  private static func masked(_ text: String) -> String? {
    guard let object = (try? JSON(parsing: Data(text.utf8)))?.object else { return nil }
    return JSON.object(
      object.keys.map { ($0, secretNames.contains($0) ? .string(Secret.mask) : object[$0] ?? .null) }
    ).serialized
  }
}

extension CommandScope {
  /// Returns the last requests of apps to the built-in market whose number is above `number`, oldest first.
  ///
  /// - Throws: `CommandError` for another market than the built-in one; the errors of opening it.
  package func receivedCalls(after number: Int) async throws -> [ReceivedCall] {
    guard session.server.isEmbedded else { throw CommandScope.callsElsewhere }
    _ = try await address()
    guard let calls = await context.network.embedded.received(number, session.server.embeddedEdition) else {
      throw CommandScope.callsElsewhere
    }
    return calls
  }

  private static let callsElsewhere = CommandError(
    .usageError,
    .failure("Only requests to the built-in market can be shown.", ko: "내장 마켓에 온 요청만 볼 수 있습니다.").next(
      "For a market of \(.command("openmarket serve")), run \(.command("class URL follow")) with its teacher's URL.",
      ko: "\(.command("openmarket serve"))의 마켓은 교사용 주소로 \(.command("class URL follow"), .object) 실행하세요."))
}
