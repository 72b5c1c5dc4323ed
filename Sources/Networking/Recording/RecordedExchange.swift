import Foundation

/// An exchange in a recording: one line of JSON without secrets.
package struct RecordedExchange: Hashable, Sendable {
  package var question: RecordedQuestion
  package var outcome: Result<Reply, TransportFailure>

  /// The minimum length of secrets that are searched for in the response only.
  ///
  /// A shorter one occurs in prices and dates by chance, and a response without those could not be decoded.
  private static let shortest = 8

  /// Records an exchange, replacing secrets with placeholders.
  ///
  /// `known` are secrets that are not in the request but must not appear in the response; short ones are ignored.
  package init(_ exchange: Exchange, _ standIns: Redactions, hiding known: [NamedSecret] = []) {
    question = RecordedQuestion(exchange.request, to: exchange.base, standIns)
    let own = exchange.secrets
    let others = known.filter { !own.contains($0) && $0.secret.reveal().utf8.count >= RecordedExchange.shortest }
    let secrets = own + others
    outcome = exchange.outcome.map { reply in
      let headers = reply.headers.map { Header($0.name, standIns.hide($0.value, secrets)) }
      let body = String(validating: reply.body, as: UTF8.self).map { Data(standIns.hide($0, secrets).utf8) }
      return Reply(
        status: reply.status, headers: headers, body: body ?? Masker(secrets).mask(bytes: reply.body))
    }
  }

  /// Decodes a line, or returns `nil` if it is not a recorded exchange.
  package init?(_ json: JSON) {
    guard let line = json.object, let method = try? line.string("method"), let base = try? line.string("base"),
      let target = try? line.string("target"), let body = try? line.string("body"),
      let outcome = RecordedExchange.outcome(line)
    else { return nil }
    question = RecordedQuestion(base: base, method: method, target: target, body: body)
    self.outcome = outcome
  }

  package var json: JSON {
    var members: [(String, JSON)] = [
      ("method", .string(question.method)), ("base", .string(question.base)), ("target", .string(question.target)),
      ("body", .string(question.body)),
    ]
    switch outcome {
    case .success(let reply):
      members.append(("status", .int(reply.status)))
      members.append(("headers", .array(reply.headers.map { .array([.string($0.name), .string($0.value)]) })))
      let text = String(validating: reply.body, as: UTF8.self)
      members.append(text.map { ("text", .string($0)) } ?? ("base64", .string(reply.body.base64EncodedString())))
    case .failure(let failure):
      members.append(("failure", .string(failure.reason.code)))
      members.append(("detail", .string(failure.reason.detail)))
      members.append(("sent", .bool(failure.mayHaveBeenSent)))
      if failure.extent == .partial { members.append(("cut", .bool(true))) }
    }
    return .object(members)
  }

  private static func outcome(_ line: JSONObject) -> Result<Reply, TransportFailure>? {
    if let code = try? line.string("failure") {
      let reason = TransportFailure.Reason(code: code, detail: (try? line.string("detail")) ?? "")
      let wasSent = (try? line.bool("sent")) ?? true
      let wasCut = (try? line.bool("cut")) ?? false
      return .failure(TransportFailure(reason, extent: wasSent ? wasCut ? .partial : .whole : .nothing))
    }
    guard let status = try? line.int("status") else { return nil }
    let headers = ((try? line.array("headers")) ?? []).compactMap { pair -> Header? in
      guard case .array(let parts) = pair, parts.count == 2, case .string(let name) = parts[0],
        case .string(let value) = parts[1]
      else { return nil }
      return Header(name, value)
    }
    let text = (try? line.string("text")).map { Data($0.utf8) }
    let bytes = (try? line.string("base64")).flatMap { Data(base64Encoded: $0) }
    return (text ?? bytes).map { .success(Reply(status: status, headers: headers, body: $0)) }
  }
}

extension TransportFailure.Reason {
  fileprivate var code: String {
    switch self {
    case .nameNotFound: "nameNotFound"
    case .refused: "refused"
    case .tls: "tls"
    case .timedOut: "timedOut"
    case .cutOff: "cutOff"
    case .noTLS: "noTLS"
    case .notHTTP: "notHTTP"
    case .cancelled: "cancelled"
    case .tooLarge, .insecure, .badAddress, .badHeader, .badForm, .notRecorded, .other: "other"
    }
  }

  fileprivate var detail: String {
    switch self {
    case .nameNotFound(let text), .tls(let text), .notHTTP(let text), .other(let text): text
    case .refused, .timedOut, .cutOff, .noTLS, .cancelled: ""
    case .tooLarge, .insecure, .badAddress, .badHeader, .badForm, .notRecorded: String(describing: self)
    }
  }

  fileprivate init(code: String, detail: String) {
    switch code {
    case "nameNotFound": self = .nameNotFound(host: detail)
    case "refused": self = .refused
    case "tls": self = .tls(detail)
    case "timedOut": self = .timedOut
    case "cutOff": self = .cutOff
    case "noTLS": self = .noTLS
    case "notHTTP": self = .notHTTP(detail)
    case "cancelled": self = .cancelled
    default: self = .other(detail)
    }
  }
}
