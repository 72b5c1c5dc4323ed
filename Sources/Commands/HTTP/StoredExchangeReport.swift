import Foundation
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A request and its response as they were sent, with secrets as dots: `>` before what was sent, `<` before what was
/// received, both indented.
package struct StoredExchangeReport {
  private let exchange: StoredExchange

  package init(_ exchange: StoredExchange) { self.exchange = exchange }

  package var drawing: Figure {
    Figure(lines, table: table, json: SecretPlaceholders.masked(exchange.json))
  }

  /// Returns a text such as `12.3 ms`.
  package static func milliseconds(_ micros: Int) -> String { "\(micros / 1000).\(micros % 1000 / 100) ms" }

  private var line: String {
    guard let request = exchange.asRequest(), let base = URL(string: exchange.base),
      let address = try? request.url(at: base)
    else { return exchange.request.method + " " + exchange.base }
    return "\(exchange.request.method) \(address)"
  }

  private var lines: [[Figure.Run]] {
    let took = StoredExchangeReport.milliseconds(exchange.duration)
    var lines = [[run(line, .bold), run("  \(took)", .dim)]]
    lines += exchange.request.sentHeaders.map { [run("  > \($0.name): \($0.value)")] }
    lines += shown(exchange.request.body).map { [run("  > " + $0)] }
    if let failure = exchange.failure { lines.append([run("  ! " + failure.english, .warning)]) }
    guard let response = exchange.response else { return lines }
    lines.append([run("  < \(response.status)", response.status < 300 ? .bold : .warning)])
    lines += response.headers.map { [run("  < \($0.name): \($0.value)", .dim)] }
    lines += shown(response.body).map { [run("  < " + $0)] }
    return lines
  }

  private func run(_ text: String, _ style: Figure.Style = .plain) -> Figure.Run {
    Figure.Run(Sanitizer.sanitized(SecretPlaceholders.masked(text), limit: 4_000), style)
  }

  /// Returns the lines of a body, with JSON over several lines if nothing but space is added.
  private func shown(_ body: StoredExchange.Body) -> [String] {
    guard case .text(let text, _, _) = body, text.utf8.count < 1 << 18, let json = try? JSON(parsing: Data(text.utf8)),
      json.object != nil || json.array != nil,
      json.serialized.filter({ !$0.isWhitespace }) == text.filter({ !$0.isWhitespace })
    else { return self.body(body) }
    return IndentedJSON(json).text.split(separator: "\n").map(String.init)
  }

  private func body(_ body: StoredExchange.Body) -> [String] {
    switch body {
    case .none: []
    case .text(let text, _, _): text.split(whereSeparator: \.isNewline).map { String($0) }
    case .bytes(let type, let size, let sha256):
      ["\(size) bytes \(type ?? "")" + (sha256.map { " sha256 \($0)" } ?? "")]
    case .form(let parts):
      parts.map { part in
        part.fileName.map { file in
          "\(part.name): \(file), \(part.size) bytes" + (part.sha256.map { " sha256 \($0)" } ?? "")
        } ?? "\(part.name): \(part.text ?? "")"
      }
    }
  }

  private var table: Table {
    let cells: [(String, LocalizedText, Table.Cell)] = [
      ("attempt", LocalizedText("attempt", ko: "시도"), .number(exchange.attempt)),
      ("request", LocalizedText("request", ko: "요청"), .text(SecretPlaceholders.masked(line))),
      (
        "sent", LocalizedText("request", ko: "보낸 내용"),
        .text(SecretPlaceholders.masked(body(exchange.request.body).joined()))
      ),
      ("status", LocalizedText("status", ko: "상태"), exchange.response.map { .number($0.status) } ?? .none),
      (
        "answer", LocalizedText("response", ko: "응답"),
        .text(
          SecretPlaceholders.masked(exchange.response.map { body($0.body).joined() } ?? exchange.failure?.english ?? "")
        )
      ),
      ("milliseconds", LocalizedText("ms", ko: "밀리초"), .number(exchange.duration / 1000)),
    ]
    return Table(cells.map { .init($0.0, $0.1) }, rows: [cells.map(\.2)])
  }
}

extension StoredExchange.Request {
  /// The headers including the media type of the body, which the request stores separately.
  var sentHeaders: [StoredExchange.NameValue] {
    let type: String? =
      switch body {
      case .none: nil
      case .text(_, let type, _), .bytes(let type, _, _): type
      case .form: "multipart/form-data"
      }
    guard let type, !headers.contains(where: { $0.name.lowercased() == "content-type" }) else { return headers }
    return headers + [StoredExchange.NameValue("Content-Type", type)]
  }
}

extension StoredExchange {
  /// Returns the request with placeholders for its secrets, so that a curl command uses their variables.
  ///
  /// The data of files isn't included.
  package func asRequest() -> Networking.Request? {
    guard let method = Networking.RequestMethod(rawValue: request.method) else { return nil }
    return Networking.Request(
      method, request.path, query: request.query.map { QueryItem($0.name, $0.value) },
      headers: request.headers.map { Networking.HeaderField($0.name, $0.value) }, body: requestBody,
      secrets: SecretPlaceholders.known + SecretPlaceholders.found(in: request.headers.map(\.value)))
  }

  /// A Boolean value that indicates whether the response was the token for the next request.
  package var returnsDeletionToken: Bool {
    guard case .text(let text, _, _) = response?.body else { return false }
    return text == SecretPlaceholders.text(Credentials.deletionTokenVariable)
  }

  private var requestBody: Networking.Body {
    switch request.body {
    case .none, .bytes: .none
    case .text(let text, let type, _): .data(Data(text.utf8), type: type ?? "text/plain")
    case .form(let parts):
      .multipart(
        Multipart(
          boundary: "",
          parts: parts.map { part in
            Multipart.Part(
              name: part.name, fileName: part.fileName, type: part.type, content: Data((part.text ?? "").utf8))
          }))
    }
  }
}
