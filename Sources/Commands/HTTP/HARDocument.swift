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
      Figure(PrettyJSON(archive).plainLines, table: table, json: JSON.escapingInvisibleScalars(archive.serialized)))
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
    if let edition = session.server.edition?.value { members.append(("edition", .string(edition.rawValue))) }
    if let vendor = session.credentials.vendorID { members.append(("vendor_id", .int(vendor))) }
    return .object(members)
  }
}
