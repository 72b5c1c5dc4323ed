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
      CheckResult(name: $0.name[.english].plain, expected: $0.expected, seen: $0.actual, isMet: $0.passed)
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
      let (expected, seen) = (
        ContractCheckResult.words(point.expected),
        ContractCheckResult.words(Sanitizer.sanitized(point.actual, limit: 200))
      )
      return LocalizedText(
        "\(point.name.english): expected \(expected.english), found \(seen.english)",
        ko: "\(point.name.korean): 기대 \(expected.korean), 실제 \(seen.korean)")
    }
  }

  /// The maximum number of failures listed in the summary.
  private static let listedCount = 5

  mutating func add(_ name: LocalizedText, expected: String, seen: String, _ isMet: Bool) {
    points.append(ContractCheckResult(name: name, expected: expected, actual: seen, passed: isMet))
  }

  /// Checks that a response has one of these statuses.
  mutating func status(_ name: LocalizedText, response: CheckedResponse, statuses: ClosedRange<Int>) {
    let expected =
      statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound)-\(statuses.upperBound)"
    add(name, expected: expected, seen: response.summary, response.status.map(statuses.contains) ?? false)
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

/// A requirement of an edition with the expected and the actual result.
struct ContractCheckResult: Hashable, Sendable {
  var name: LocalizedText
  var expected: String
  var actual: String
  var passed: Bool

  /// The expected or actual value of a check in both languages; data has the English one.
  static func words(_ value: String) -> LocalizedText {
    let whole = PhraseTable.contract.korean(PhraseTable.evidence.korean(value))
    let korean =
      whole != value
      ? whole : value.split(separator: ", ").map { PhraseTable.contract.korean(String($0)) }.joined(separator: ", ")
    return LocalizedText("\(.foreign(value))", ko: "\(.foreign(korean))")
  }
}

extension PhraseTable {
  /// The Korean of what a check of `contract` expected and found.
  package static let contract = PhraseTable([
    ("as recorded", "저장된 응답과 같음"),
    ("keys and types as recorded", "키와 타입이 저장된 응답과 같음"),
    ("keys and types of a product", "상품의 키와 타입"),
    ("same as in the list", "목록과 같음"),
    ("descending IDs", "번호 내림차순"),
    ("no rows to check", "확인할 행이 없음"),
    ("at most {1} rows, none repeated from earlier pages", "최대 {1}행, 앞 페이지와 겹치지 않음"),
    ("rows repeated from earlier pages", "앞 페이지와 겹치는 행"),
    ("rows with {1} in name or vendor", "이름이나 판매자에 {1} 포함"),
    ("{1} matching rows", "조건에 맞는 {1}행"),
    ("rows that do not match", "조건에 맞지 않는 행"),
    ("different on {1} of {2}", "{2}행 중 {1}행이 다름"),
    ("200, 0 rows", "200, 0행"),
    ("{1} rows", "{1}행"),
    ("rows, {1} false", "행이 있고 {1} false"),
    ("not an object", "객체가 아님"),
    ("{1} is not a whole number", "{1}: 정수가 아님"),
    ("{1} is not a time", "{1}: 시각이 아님"),
    ("{1} is a boolean", "{1}: 불리언"),
    ("{1} is a number", "{1}: 숫자"),
    ("{1} is text", "{1}: 텍스트"),
    ("{1} is a list", "{1}: 배열"),
    ("{1} is an object", "{1}: 객체"),
    ("{1} is null", "{1}: null"),
    ("{1} is missing", "{1}: 없음"),
    ("missing: {1}", "없음: {1}"),
    ("available immediately", "바로 사용 가능"),
    ("not available", "사용할 수 없음"),
    ("not checked", "확인하지 않음"),
    ("not sent", "보내지 않음"),
    ("stock {1}", "재고 {1}"),
  ])
}

/// A response as seen by the checks, which may be missing.
struct CheckedResponse {
  let response: Response?
  let failure: String
  let json: JSON?

  init(_ response: Response) {
    self.response = response
    failure = ""
    json = try? JSON(parsing: response.body)
  }

  init(failure: String) {
    response = nil
    self.failure = failure
    json = nil
  }

  var status: Int? { response?.status }
  var isSuccess: Bool { response?.isSuccess == true }
  var object: JSONObject? { json?.object }

  /// The status and media type: `200 application/json`.
  var summary: String {
    guard let response else { return failure }
    let type = response.header("Content-Type")?.split(separator: ";").first.map { String($0).trimmed } ?? ""
    return type.isEmpty ? "\(response.status)" : "\(response.status) \(type)"
  }

  var isJSON: Bool { summary.hasSuffix(" application/json") && json != nil }
}
