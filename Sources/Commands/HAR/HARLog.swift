import Catalog
import Engine
import Journal
import Networking
import Presentation
import Text

/// Journalled exchanges as an HTTP archive (HAR 1.2), which a browser's network panel opens; secrets are dots.
struct HARLog {
  private let exchanges: [KeptExchange]

  /// In the order they shall have in the archive, oldest first.
  init(_ exchanges: [KeptExchange]) { self.exchanges = exchanges }

  var report: Report {
    let archive = json
    let rows = exchanges.map { exchange -> [Table.Cell] in
      let entry = HAREntry(exchange)
      return [.text(entry.started), .text(exchange.request.method), .text(entry.address), .number(entry.status)]
    }
    let table = Table(
      [
        .init("started", Wording("started", ko: "시작")), .init("method", Wording("method", ko: "방식")),
        .init("url", Wording("URL", ko: "URL")), .init("status", Wording("status", ko: "상태"), isNumber: true),
      ], rows: rows)
    return .drawing(Drawing(PrettyJSON(archive).plainLines, table: table, json: JSON.unseenEscaped(archive.text)))
  }

  var json: JSON {
    .object([
      (
        "log",
        .object([
          ("version", .string("1.2")),
          ("creator", .object([("name", .string("openmarket")), ("version", .string("1"))])),
          ("entries", .array(exchanges.map { HAREntry($0).json })),
        ])
      )
    ])
  }
}
