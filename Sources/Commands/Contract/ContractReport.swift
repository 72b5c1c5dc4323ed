import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text

/// The checks of a run in order, as a table or in the Test Anything Protocol.
struct ContractReport {
  private(set) var points: [ContractCheckResult] = []

  var isMet: Bool { points.allSatisfy(\.passed) }

  var checks: [CheckResult] {
    points.map {
      CheckResult(name: $0.name[.english].plain, expected: $0.expected, seen: $0.actual, isMet: $0.passed)
    }
  }

  /// Returns the number of failed checks, and the first of them: `page 0 answered 500 (400-499 expected)`.
  func summary(edition: Edition) -> Message {
    let failed = points.filter { !$0.passed }
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
        ContractCheckResult.words(point.expected),
        ContractCheckResult.words(Sanitizer.sanitized(point.actual, limit: 200))
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
    points.append(ContractCheckResult(name: name, expected: expected, actual: seen, passed: isMet))
  }

  /// Checks that a response has one of these statuses.
  mutating func status(_ name: LocalizedText, _ answer: CheckedResponse, _ statuses: ClosedRange<Int>) {
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
        .init("actual", LocalizedText("actual", ko: "실제")), .init("passed", LocalizedText("passed", ko: "통과")),
      ],
      rows: points.map {
        [
          .localized($0.name), .localized(ContractCheckResult.words($0.expected)),
          .localized(ContractCheckResult.words(Sanitizer.sanitized($0.actual, limit: 300))), .bool($0.passed),
        ]
      })
  }

  /// The checks in TAP 13, one test point each, with the plan at the end.
  var tap: Figure {
    var lines = ["TAP version 13"]
    for (index, point) in points.enumerated() {
      let name = point.name[.english].plain.replacing("#", with: "\\#")
      lines.append("\(point.passed ? "ok" : "not ok") \(index + 1) - \(name)")
      guard !point.passed else { continue }
      lines += [
        "  ---", "  expected: \(JSON.string(point.expected).serialized)",
        "  actual: \(JSON.string(Sanitizer.sanitized(point.actual, limit: 300)).serialized)", "  ...",
      ]
    }
    lines.append("1..\(points.count)")
    return Figure(lines.map { [Figure.Run($0)] }, table: table)
  }
}
