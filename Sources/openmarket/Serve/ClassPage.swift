import CommandLanguage
import Commands
import EmbeddedMarket
import Foundation
import MarketAPI
import Presentation
import ShellRuntime
import Text

/// The teacher's report: what each vendor of a class requested, as a page and as CSV.
struct ClassPage {
  let api: ServedAPI
  let rows: [ClassReportRow]
  let language: MessageLanguage

  /// The rows as CSV for a spreadsheet: numbers of responses such as `200: 12; 404: 1`, times in UTC, and mistakes such as
  /// `3 × 404 GET /api/products/…: Product … does not exist`.
  var csv: String {
    let lines = rows.map { row in
      [
        row.vendor.map { String($0) } ?? "", CSVInjection.escape(row.name ?? ClassPage.otherAddresses[language].plain),
        String(row.requests),
        Date.ISO8601FormatStyle().format(row.lastSeen), ClassPage.statuses(row),
        CSVInjection.escape(
          ClassPage.mistakes(row).map { mistake, count in
            let reason = ClassPage.reason(mistake)
            let meaning = meaning(of: mistake).map { (reason.hasSuffix(".") ? " " : ". ") + $0 } ?? ""
            return "\(count) × \(ClassPage.request(mistake)): \(reason)\(meaning)"
          }.joined(separator: "; ")),
      ]
    }
    return "\u{FEFF}" + ([ClassCommand.columnKeys] + lines).map { CSVLine.text($0, .lf) }.joined()
  }

  /// Returns requests of apps as CSV, each with its mistake.
  func csv(of requests: [ReceivedRequest]) -> String {
    let dialect = api.edition.map { Dialect(Edition($0)) }
    let lines = requests.map { ReceivedCallRow(ReceivedCall($0), dialect).cells(in: language) }
    return "\u{FEFF}" + ([ReceivedCallRow.keys] + lines).map { CSVLine.text($0, .lf) }.joined()
  }

  /// The page.
  var html: String {
    func say(_ english: String, ko korean: String) -> String { language == .english ? english : korean }
    let title = say("Requests of the class", ko: "수업의 요청")
    let head = [
      "vendor_id", say("name", ko: "이름"), say("requests", ko: "요청"), say("last seen", ko: "마지막 요청"),
      say("responses", ko: "응답"), say("mistakes", ko: "실수"),
    ]
    let body = rows.map { row in
      let mistakes = ClassPage.mistakes(row).map { mistake, count in
        let meaning = meaning(of: mistake).map { "<br>\($0)" as HTML } ?? ""
        let (request, reason) = (ClassPage.request(mistake), ClassPage.reason(mistake))
        return "\(count) × \(request)<br><code>\(reason)</code>\(meaning)" as HTML
      }
      let cells: [HTML] = [
        "\(row.vendor.map { String($0) } ?? "")", "\(row.name ?? ClassPage.otherAddresses[language].plain)",
        "\(NumberFormatting.grouped(row.requests))", ClassPage.time(row.lastSeen), "\(ClassPage.statuses(row))",
        mistakes.joined(separator: "<br>"),
      ]
      return "<tr>\(cells.map { "<td>\($0)" as HTML }.joined())" as HTML
    }
    let none = say("No requests yet.", ko: "아직 요청이 없습니다.")
    let table: HTML =
      rows.isEmpty
      ? "<p>\(none)</p>"
      : """
      <div class="wide" role="region" aria-label="\(title)" tabindex="0">
      <table>
      <tr>\(head.map { "<th scope=\"col\">\($0)" as HTML }.joined())
      \(body.joined(separator: "\n"))
      </table>
      </div>
      """
    return HTMLPage(language: language, title: title, body: "<h1>\(title)</h1>\n\(table)").text
  }

  /// Returns the time of day where the server runs, with date and time for programs.
  private static func time(_ time: Date) -> HTML {
    let local = Date.VerbatimFormatStyle(
      format:
        "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
      timeZone: .current, calendar: Calendar(identifier: .gregorian))
    return "<time datetime=\"\(Date.ISO8601FormatStyle().format(time))\">\(local.format(time))</time>"
  }

  /// The name of the row that all addresses after the first ones share.
  private static let otherAddresses = LocalizedText("other addresses", ko: "다른 주소")

  private static func statuses(_ row: ClassReportRow) -> String {
    row.statuses.sorted { $0.key < $1.key }.map { "\($0.key == 0 ? "-" : String($0.key)): \($0.value)" }
      .joined(separator: "; ")
  }

  /// Returns the mistakes, the most frequent first.
  private static func mistakes(_ row: ClassReportRow) -> [(mistake: ClassReportRow.Mistake, count: Int)] {
    row.mistakes.sorted { ($1.value, request($0.key), reason($0.key)) < ($0.value, request($1.key), reason($1.key)) }
      .map { ($0.key, $0.value) }
  }

  /// Returns the status and the request, such as `404 GET /api/products/…`.
  private static func request(_ mistake: ClassReportRow.Mistake) -> String {
    ([String(mistake.status), mistake.method, mistake.path].filter { !["", "-"].contains($0) }).joined(separator: " ")
  }

  private static func reason(_ mistake: ClassReportRow.Mistake) -> String {
    mistake.detail.map { "\(mistake.words) (\($0))" } ?? mistake.words
  }

  /// Returns what a refusal means, as `explain` says it, or `nil` if its words are the same, and for an API that a file
  /// describes, which `explain` doesn't know.
  private func meaning(of mistake: ClassReportRow.Mistake) -> String? {
    guard let edition = api.edition else { return nil }
    let meaning = ResponseExplanation.meaning(
      status: mistake.status, words: mistake.words, detail: mistake.detail, of: mistake.method, mistake.path,
      Dialect(Edition(edition)))?[language].plain
    return meaning == mistake.words + "." ? nil : meaning
  }
}
