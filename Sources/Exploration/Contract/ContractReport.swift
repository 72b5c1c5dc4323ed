import Catalog
import Failures
import Foundation
import Journal
import Marketplace
import Networking
import Presentation
import Text

/// A requirement of an edition with the expected and the actual result.
struct ContractPoint: Hashable, Sendable {
  var name: LocalizedText
  var expected: String
  var seen: String
  var isMet: Bool

  /// The expected or actual value of a check in both languages; data has the English one.
  static func words(_ value: String) -> LocalizedText {
    let whole = PhraseTable.contract.korean(PhraseTable.evidence.korean(value))
    let korean =
      whole != value
      ? whole : value.split(separator: ", ").map { PhraseTable.contract.korean(String($0)) }.joined(separator: ", ")
    return LocalizedText("\(.foreign(value))", ko: "\(.foreign(korean))")
  }
}

/// A response as seen by the checks, which may be missing.
struct ContractAnswer {
  let reply: Reply?
  let trouble: String
  let json: JSON?

  init(_ reply: Reply) {
    self.reply = reply
    trouble = ""
    json = try? JSON(parsing: reply.body)
  }

  init(trouble: String) {
    reply = nil
    self.trouble = trouble
    json = nil
  }

  var status: Int? { reply?.status }
  var isSuccess: Bool { reply?.isSuccess == true }
  var object: JSONObject? { json?.object }

  /// The status and media type: `200 application/json`.
  var summary: String {
    guard let reply else { return trouble }
    let type = reply.header("Content-Type")?.split(separator: ";").first.map { String($0).trimmed } ?? ""
    return type.isEmpty ? "\(reply.status)" : "\(reply.status) \(type)"
  }

  var isJSON: Bool { summary.hasSuffix(" application/json") && json != nil }
}

/// The checks of a run in order, as a table or in the Test Anything Protocol.
struct ContractReport {
  private(set) var points: [ContractPoint] = []

  var isMet: Bool { points.allSatisfy(\.isMet) }

  var checks: [CheckResult] {
    points.map {
      CheckResult(name: $0.name[.english].plain, expected: $0.expected, seen: $0.seen, isMet: $0.isMet)
    }
  }

  /// Returns the number of failed checks, and the first of them: `page 0 answered 500 (400-499 expected)`.
  func summary(edition: Edition) -> Message {
    let failed = points.filter { !$0.isMet }
    guard !failed.isEmpty else {
      return .success(
        "\(points.count) checks passed: the server follows \(.value(edition.rawValue)).",
        ko: "검사 \(points.count)개 통과: 서버가 \(.value(edition.rawValue)) 규격을 따릅니다.")
    }
    var message = Message.failure(
      "\(failed.count) of \(points.count) checks failed: the server does not follow \(.value(edition.rawValue)).",
      ko: "검사 \(points.count)개 중 \(failed.count)개 실패: 서버가 \(.value(edition.rawValue)) 규격을 따르지 않습니다.")
    for point in failed.prefix(ContractReport.listedCount) {
      let (expected, seen) = (
        ContractPoint.words(point.expected), ContractPoint.words(Sanitizer.clean(point.seen, limit: 200))
      )
      message = message.because(
        "\(point.name.english): expected \(expected.english), found \(seen.english)",
        ko: "\(point.name.korean): 기대 \(expected.korean), 실제 \(seen.korean)")
    }
    let rest = failed.count - ContractReport.listedCount
    return rest > 0 ? message.because("and \(rest) more", ko: "그 밖에 \(rest)개") : message
  }

  /// The maximum number of failures listed in the summary.
  private static let listedCount = 5

  mutating func add(_ name: LocalizedText, expected: String, seen: String, _ isMet: Bool) {
    points.append(ContractPoint(name: name, expected: expected, seen: seen, isMet: isMet))
  }

  /// Checks that a response has one of these statuses.
  mutating func status(_ name: LocalizedText, _ answer: ContractAnswer, _ statuses: ClosedRange<Int>) {
    let expected =
      statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound)-\(statuses.upperBound)"
    add(name, expected: expected, seen: answer.summary, answer.status.map(statuses.contains) ?? false)
  }

  /// Checks that there are no missing or invalid values.
  ///
  /// The first problems are listed.
  mutating func shape(_ name: LocalizedText, expected: String, _ problems: [String]) {
    let some = problems.prefix(3).joined(separator: ", ") + (problems.count > 3 ? ", … (\(problems.count))" : "")
    add(name, expected: expected, seen: problems.isEmpty ? expected : some, problems.isEmpty)
  }

  var table: Table {
    Table(
      [
        .init("check", LocalizedText("check", ko: "검사")), .init("expected", LocalizedText("expected", ko: "기대")),
        .init("seen", LocalizedText("actual", ko: "실제")), .init("met", LocalizedText("passed", ko: "통과")),
      ],
      rows: points.map {
        [
          .wording($0.name), .wording(ContractPoint.words($0.expected)),
          .wording(ContractPoint.words(Sanitizer.clean($0.seen, limit: 300))), .flag($0.isMet),
        ]
      })
  }

  /// The checks in TAP 13, one test point each, with the plan at the end.
  var tap: Drawing {
    var lines = ["TAP version 13"]
    for (index, point) in points.enumerated() {
      let name = point.name[.english].plain.replacing("#", with: "\\#")
      lines.append("\(point.isMet ? "ok" : "not ok") \(index + 1) - \(name)")
      guard !point.isMet else { continue }
      lines += [
        "  ---", "  expected: \(JSON.string(point.expected).text)",
        "  seen: \(JSON.string(Sanitizer.clean(point.seen, limit: 300)).text)", "  ...",
      ]
    }
    lines.append("1..\(points.count)")
    return Drawing(lines.map { [Drawing.Stroke($0)] }, table: table)
  }
}
