import MarketAPI
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The checks of a run in order, as a table or in the Test Anything Protocol.
struct ContractReport {
  private(set) var points: [ContractCheckResult] = []

  var isMet: Bool { points.allSatisfy(\.passed) }

  var checks: [CheckResult] {
    points.map {
      CheckResult(
        name: $0.name[.english].plain, expected: $0.expected.english.plain, seen: $0.actual.english.plain,
        isMet: $0.passed)
    }
  }

  /// Returns the number of failed checks, and the first of them: `page 0 answered 500 (400-499 expected)`.
  func summary(_ dialect: Dialect) -> Message {
    let failed = points.filter { !$0.passed }
    guard !failed.isEmpty else {
      return .success(
        "\(points.count) checks passed: the server follows \(.value(dialect.name)).",
        ko: "검사 \(points.count)개 통과: 서버가 \(.value(dialect.name)) 규격을 따릅니다.")
    }
    return .failure(
      "\(failed.count) of \(points.count) checks failed: the server does not follow \(.value(dialect.name)).",
      ko: "검사 \(points.count)개 중 \(failed.count)개 실패: 서버가 \(.value(dialect.name)) 규격을 따르지 않습니다."
    ).because(first: ContractReport.listedCount, of: failed) { point in
      let seen = point.actual.limited(to: 200)
      return LocalizedText(
        "\(point.name.english): expected \(point.expected.english), found \(seen.english)",
        ko: "\(point.name.korean): 기대 \(point.expected.korean), 실제 \(seen.korean)")
    }
  }

  /// The maximum number of failures listed in the summary.
  private static let listedCount = 5

  mutating func add(_ name: LocalizedText, expected: LocalizedText, seen: LocalizedText, _ isMet: Bool) {
    points.append(ContractCheckResult(name: name, expected: expected, actual: seen, passed: isMet))
  }

  /// Checks that a response has one of these statuses.
  mutating func status(_ name: LocalizedText, response: CheckedResponse, statuses: ClosedRange<Int>) {
    let expected =
      statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound)-\(statuses.upperBound)"
    add(
      name, expected: LocalizedText(same: "\(expected)"), seen: response.summary,
      response.status.map(statuses.contains) ?? false)
  }

  /// Checks that there are no missing or invalid values.
  ///
  /// The first problems are listed.
  mutating func shape(_ name: LocalizedText, expected: LocalizedText, _ problems: [LocalizedText]) {
    let rest = problems.count > 3 ? [LocalizedText(same: "… (\(problems.count))")] : []
    add(
      name, expected: expected, seen: problems.isEmpty ? expected : LocalizedText(list: problems.prefix(3) + rest),
      problems.isEmpty)
  }

  var table: Table {
    Table(
      [
        .init("check", LocalizedText("check", ko: "검사")), .init("expected", LocalizedText("expected", ko: "기대")),
        .init("actual", LocalizedText("actual", ko: "실제")), .init("passed", LocalizedText("passed", ko: "통과")),
      ],
      rows: points.map {
        [
          .localized($0.name), .localized($0.expected), .localized($0.actual.limited(to: 300)), .bool($0.passed),
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
        "  ---", "  expected: \(JSON.string(point.expected.english.plain).serialized)",
        "  actual: \(JSON.string(point.actual.limited(to: 300).english.plain).serialized)", "  ...",
      ]
    }
    lines.append("1..\(points.count)")
    return Figure(lines.map { [Figure.Run($0)] }, table: table)
  }
}

/// A requirement of an edition with the expected and the actual result.
struct ContractCheckResult: Hashable, Sendable {
  var name: LocalizedText
  var expected: LocalizedText
  var actual: LocalizedText
  var passed: Bool
}

extension LocalizedText {
  /// Creates a list with commas.
  fileprivate init(list parts: some Sequence<LocalizedText>) {
    var parts = parts.makeIterator()
    self = parts.next() ?? LocalizedText(same: "")
    while let next = parts.next() {
      self = LocalizedText("\(english), \(next.english)", ko: "\(korean), \(next.korean)")
    }
  }

  /// Returns the text with at most the given number of characters in each language, without control characters.
  fileprivate func limited(to limit: Int) -> LocalizedText {
    LocalizedText(
      "\(.foreign(Sanitizer.sanitized(english.plain, limit: limit)))",
      ko: "\(.foreign(Sanitizer.sanitized(korean.plain, limit: limit)))")
  }
}

/// A response as seen by the checks, which may be missing.
struct CheckedResponse {
  let response: Response?
  /// Why there is no response.
  let failure: LocalizedText
  let json: JSON?

  init(_ response: Response) {
    self.response = response
    failure = LocalizedText(same: "")
    json = try? JSON(parsing: response.body)
  }

  init(failure: LocalizedText) {
    response = nil
    self.failure = failure
    json = nil
  }

  var status: Int? { response?.status }
  var isSuccess: Bool { response?.isSuccess == true }
  var object: JSONObject? { json?.object }

  /// The status and media type: `200 application/json`.
  var summary: LocalizedText {
    guard let response else { return failure }
    return LocalizedText(same: type.isEmpty ? "\(response.status)" : "\(response.status) \(.foreign(type))")
  }

  private var type: String {
    response?.header("Content-Type")?.split(separator: ";").first.map { String($0).trimmed } ?? ""
  }

  var isJSON: Bool { type == "application/json" && json != nil }
}
