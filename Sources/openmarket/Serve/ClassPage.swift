import CommandLanguage
import Commands
import EmbeddedMarket
import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text

/// The teacher's report: what each vendor of a class requested, as a page and as CSV.
struct ClassPage {
  let edition: ServedEdition
  let rows: [ClassReportRow]

  /// The rows as CSV: numbers of responses such as `200: 12; 404: 1`, and mistakes such as `404 Product … does not exist: 1`.
  var csv: String {
    let lines = rows.map { row in
      [
        row.vendor.map { String($0) } ?? "", CSVInjection.escape(row.name), String(row.requests), row.lastSeen,
        ClassPage.statuses(row),
        CSVInjection.escape(
          ClassPage.mistakes(row).map { "\($0.mistake.status) \($0.mistake.reason): \($0.count)" }.joined(
            separator: "; ")),
      ]
    }
    return ([ClassCommand.columnKeys] + lines).map { CSVLine.text($0, .lf) }.joined()
  }

  /// Returns the page.
  func html(_ language: MessageLanguage) -> String {
    func say(_ english: String, ko korean: String) -> String {
      HTMLPage.escaped(language == .english ? english : korean)
    }
    let title = say("Requests of the class", ko: "수업의 요청")
    let head = [
      "vendor_id", say("name", ko: "이름"), say("requests", ko: "요청"), say("last seen", ko: "마지막 요청"),
      say("responses", ko: "응답"), say("mistakes", ko: "실수"),
    ]
    let body = rows.map { row in
      let mistakes = ClassPage.mistakes(row).map { entry in
        let meaning = meaning(of: entry.mistake).map { "<br>" + HTMLPage.escaped($0) } ?? ""
        return
          "\(entry.count) × \(entry.mistake.status) <code>\(HTMLPage.escaped(entry.mistake.reason))</code>\(meaning)"
      }
      let cells = [
        row.vendor.map { String($0) } ?? "", HTMLPage.escaped(row.name), NumberFormatting.grouped(row.requests),
        HTMLPage.escaped(row.lastSeen), ClassPage.statuses(row), mistakes.joined(separator: "<br>"),
      ]
      return "<tr>" + cells.map { "<td>\($0)" }.joined()
    }
    let none = say("No requests yet.", ko: "아직 요청이 없습니다.")
    let table =
      rows.isEmpty
      ? "<p>\(none)</p>"
      : """
      <div class="wide" role="region" aria-label="\(title)" tabindex="0">
      <table>
      <tr>\(head.map { "<th scope=\"col\">\($0)" }.joined())
      \(body.joined(separator: "\n"))
      </table>
      </div>
      """
    return HTMLPage(language: language, title: title, body: "<h1>\(title)</h1>\n\(table)").text
  }

  private static func statuses(_ row: ClassReportRow) -> String {
    row.statuses.sorted { $0.key < $1.key }.map { "\($0.key == 0 ? "-" : String($0.key)): \($0.value)" }
      .joined(separator: "; ")
  }

  /// Returns the mistakes, the most frequent first.
  private static func mistakes(_ row: ClassReportRow) -> [(mistake: ClassReportRow.Mistake, count: Int)] {
    row.mistakes.sorted { ($1.value, $0.key.status, $0.key.reason) < ($0.value, $1.key.status, $1.key.reason) }
      .map { ($0.key, $0.value) }
  }

  /// Returns what a refusal means in the edition, as `explain` says it.
  private func meaning(of mistake: ClassReportRow.Mistake) -> String? {
    // What is missing depends on the request, which is not kept.
    guard mistake.status != 404 else { return nil }
    let body = JSON.object([("message", .string(mistake.reason))]).serialized
    let parts = ResponseExplanation(
      status: mistake.status, body: body, Edition(rawValue: edition.rawValue) ?? .open, limits: .documented
    ).parts
    return parts.dropFirst().first?.1
  }
}
