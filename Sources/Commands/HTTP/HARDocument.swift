import Foundation
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Journaled exchanges as an HTTP archive (HAR 1.2), which a browser's network panel can open.
///
/// Secrets are dots.
package struct HARDocument {
  private let exchanges: [StoredExchange]
  private let session: Session

  /// Creates an archive of `exchanges`, oldest first, that says which edition and vendor `session` has.
  package init(_ exchanges: [StoredExchange], _ session: Session) {
    self.exchanges = exchanges
    self.session = session
  }

  package var report: Report {
    let archive = json
    let rows = exchanges.map { exchange -> [Table.Cell] in
      let entry = HAREntry(exchange)
      return [.text(entry.started), .text(exchange.request.method), .text(entry.address), .number(entry.status)]
    }
    let table = Table(
      [
        .init("started", LocalizedText("started", ko: "시작")), .init("method", LocalizedText("method", ko: "방식")),
        .init("url", LocalizedText("url", ko: "URL")),
        .init("status", LocalizedText("status", ko: "상태"), isNumber: true),
      ], rows: rows)
    return .drawing(
      Figure(IndentedJSON(archive).plainLines, table: table, json: JSON.escapingInvisibleScalars(archive.serialized)))
  }

  var json: JSON {
    .object([
      (
        "log",
        .object([
          ("version", .string("1.2")),
          ("creator", .object([("name", .string("openmarket")), ("version", .string("1"))])),
          ("_openmarket", server), ("entries", .array(exchanges.map { HAREntry($0).json })),
        ])
      )
    ])
  }

  /// The facts that a replay cannot read from the entries, in a custom field (HAR 1.2, "Custom Fields").
  private var server: JSON {
    var members = [("embedded", JSON.bool(session.server.isEmbedded))]
    if let dialect = session.server.dialect?.value { members.append(("edition", .string(dialect.name))) }
    if let vendor = session.credentials.vendorID { members.append(("vendor_id", .int(vendor))) }
    return .object(members)
  }
}

/// An exchange as an entry of an HTTP archive (HAR 1.2, section "entries").
struct HAREntry {
  private let exchange: StoredExchange

  init(_ exchange: StoredExchange) { self.exchange = exchange }

  var json: JSON {
    var entry: [(String, JSON)] = [
      ("startedDateTime", .string(started)), ("time", time), ("request", request), ("response", response),
      ("cache", .object([])), ("timings", timings),
    ]
    let attempt = exchange.attempt > 1 ? "attempt \(exchange.attempt)" : nil
    let comments = [attempt, exchange.failure?.english].compactMap(\.self)
    if !comments.isEmpty { entry.append(("comment", text(comments.joined(separator: ": ")))) }
    return .object(entry)
  }

  /// The start in ISO 8601: `2026-11-21T08:04:20.123Z`.
  var started: String {
    let seconds = exchange.started / 1000
    let moment = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    let fraction = String(1000 + abs(exchange.started % 1000)).dropFirst()
    return moment.dropLast() + "." + fraction + "Z"
  }

  var address: String { SecretPlaceholders.masked(exchange.address ?? exchange.base) }

  /// The status, or 0 without a complete response.
  var status: Int { exchange.response?.status ?? 0 }

  /// The header that HTTP/1.1 requires, which the transport adds.
  private var host: [StoredExchange.NameValue] {
    guard let base = URL(string: exchange.base), let name = base.host else { return [] }
    return [StoredExchange.NameValue("Host", name + (base.port.map { ":\($0)" } ?? ""))]
  }

  private var request: JSON {
    let request = exchange.request
    var members: [(String, JSON)] = [
      ("method", .string(request.method)), ("url", .string(address)), ("httpVersion", .string("HTTP/1.1")),
      ("cookies", .array([])), ("headers", pairs(host + request.sentHeaders + (request.addedHeaders ?? []))),
      ("queryString", pairs(request.query)),
      ("headersSize", .int(-1)), ("bodySize", .int(size(of: request.body))),
    ]
    if let data = postData(request.body) { members.insert(("postData", data), at: 6) }
    return .object(members)
  }

  private var response: JSON {
    let response = exchange.response
    let body = response?.body ?? .none
    return .object([
      ("status", .int(status)), ("statusText", .string(HTTPStatus.name(of: status))),
      ("httpVersion", .string("HTTP/1.1")),
      ("cookies", .array([])), ("headers", pairs(response?.headers ?? [])), ("content", content(body)),
      ("redirectURL", text(response?.headers.first { $0.name.lowercased() == "location" }?.value ?? "")),
      ("headersSize", .int(-1)), ("bodySize", .int(size(of: body))),
    ])
  }

  private func postData(_ body: StoredExchange.Body) -> JSON? {
    switch body {
    case .none: return nil
    case .text(let text, let type, _):
      return .object([("mimeType", self.text(type ?? "")), ("text", self.text(text))])
    case .bytes(let type, _, _):
      return .object([("mimeType", text(type ?? "")), ("text", .string("")), ("comment", .string("not kept"))])
    case .form(let parts):
      return .object([("mimeType", .string("multipart/form-data")), ("params", .array(parts.map(param)))])
    }
  }

  private func param(_ part: StoredExchange.Part) -> JSON {
    var members: [(String, JSON)] = [("name", text(part.name))]
    if let value = part.text { members.append(("value", text(value))) }
    if let name = part.fileName { members.append(("fileName", text(name))) }
    if let type = part.type { members.append(("contentType", text(type))) }
    return .object(members)
  }

  private func content(_ body: StoredExchange.Body) -> JSON {
    switch body {
    case .none: .object([("size", .int(0)), ("mimeType", .string("x-unknown"))])
    case .text(let text, let type, let size):
      .object([("size", .int(size)), ("mimeType", self.text(type ?? "x-unknown")), ("text", self.text(text))])
    case .bytes(let type, let size, _): .object([("size", .int(size)), ("mimeType", text(type ?? "x-unknown"))])
    case .form: .object([("size", .int(-1)), ("mimeType", .string("multipart/form-data"))])
    }
  }

  private func size(of body: StoredExchange.Body) -> Int {
    switch body {
    case .none: 0
    case .text(_, _, let size), .bytes(_, let size, _): size
    // The boundaries and part headers aren't stored.
    case .form: -1
    }
  }

  private func pairs(_ pairs: [StoredExchange.NameValue]) -> JSON {
    .array(pairs.map { .object([("name", text($0.name)), ("value", text($0.value))]) })
  }

  private func text(_ text: String) -> JSON { .string(SecretPlaceholders.masked(text)) }
}

/// The phases of an exchange in milliseconds as HAR 1.2 requires: -1 for a phase that doesn't apply, `ssl` included in
/// `connect`, and the sum of all others equal to the time of the entry.
extension HAREntry {
  private var timings: JSON {
    .object([
      ("blocked", number(phase("blocked"))), ("dns", number(phase("dns"))), ("connect", number(connect)),
      ("ssl", number(phase("ssl"))), ("send", number(phase("send") ?? 0)), ("wait", number(wait)),
      ("receive", number(phase("receive") ?? 0)),
    ])
  }

  private var time: JSON {
    let parts = [phase("blocked"), phase("dns"), connect, phase("send"), wait, phase("receive")]
    // The parts come from a file.
    return number(parts.compactMap(\.self).reduce(0, &+))
  }

  private var connect: Int? { phase("connect").map { $0 + (phase("ssl") ?? 0) } }

  /// The time of waiting, which is the total duration if the phases weren't measured.
  private var wait: Int { phase("wait") ?? exchange.duration }

  private func phase(_ name: String) -> Int? { exchange.phases[name] }

  /// Returns microseconds as milliseconds with up to three decimals.
  private func number(_ micros: Int?) -> JSON {
    guard let micros else { return .int(-1) }
    let fraction = String(String(1000 + micros % 1000).dropFirst())
    return JSONNumber("\(micros / 1000).\(fraction)").map { .number($0) } ?? .int(micros / 1000)
  }
}
