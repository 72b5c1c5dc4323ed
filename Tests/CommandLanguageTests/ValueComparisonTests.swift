import Catalog
import CommandLanguage
import Foundation
import Networking
import TestSupport
import Testing
import Text

/// The comparison of values with their JSON types.
@Suite struct ValueComparisonTests {
  /// Returns the exit code of a line of `assert`: 0 if it holds, 6 if it doesn't, 2 if it is invalid.
  private func code(_ condition: String, _ body: String, _ quantity: ValueComparison.Quantity = .all) throws -> Int {
    let json = try JSON(parsing: Data(body.utf8))
    do throws(ParseError) {
      let invocation = try CommandParser([ValueComparisonTests.assertion]).read("assert " + condition) { name in
        let (root, rest) = ValuePath.split(name)
        guard root == "p" else { return nil }
        guard let path = ValuePath(rest) else { return nil }
        if path.hasEvery { return json.elements(at: path.steps, named: "$p").map { .elements($0) } ?? .missing }
        return json.value(at: path.steps).map { .value($0) } ?? .missing
      }
      guard let expression = invocation[0].condition("EXPR") else { return 2 }
      if case .value(let comparison) = expression { return try comparison.holds(quantity) == true ? 0 : 6 }
      return try expression.holds(for: Product(id: 0)) ? 0 : 6
    } catch {
      return 2
    }
  }

  private static let assertion = CommandDeclaration(
    "assert", group: .scripting, summary: .init("proves", ko: "확인"), traits: [.judgesMissing],
    parameters: [Parameter("EXPR", .rest(required: true), kind: .expression, summary: .init("holds", ko: "맞음"))])

  private static let body = """
    {"exp": 6.0E7, "big": 12345678901234567890, "n": 9, "one": 1.0, "z": null, "t": true, "e": [], "empty": "", "s": "10",
     "uni": "컵", "ms": 815.9, "day": "2022-10-18T05:00:00", "list": [1, 2], "other": [1.0, 2],
     "o": {"a": 1, "length": 7}, "tiny": 1e-400, "huge": 1E400,
     "a b": {"c.d": 5}, "rows": [{"id": 3, "price": 5, "tags": ["x"]}, {"id": 4, "price": 60000000.5, "tags": []}]}
    """

  @Test(
    arguments: [
      ("$p.exp = 60000000", 0), ("$p.exp < 7", 6), ("$p.exp > 7", 0), ("$p.big > 9", 0), ("$p.n > 1e3", 6),
      ("$p.big = 12345678901234567890.0", 0), ("$p.big < 12345678901234567891", 0), ("$p.huge > $p.big", 0),
      ("$p.tiny > 0", 0), ("$p.tiny < 1e-399", 0), ("$p.n = 9.000", 0), ("9 > 1e3", 6), ("10 > $p.n", 0),
      ("1e3 > $p.n", 0),
      // A number is comparable only with numbers.
      ("$p.z > 5", 2), ("$p.z >= 0", 2), ("$p.z = 0", 2), ("$p.t > 0", 2), ("$p.e > 5", 2), ("$p.empty < 5", 2),
      ("$p.n < abc", 2), ("$p.uni > 5", 2), ("$p.n = '9'", 2), ("\"10\" = 10", 2), ("$p.s = 10", 2),
      ("$p.n != $p.s", 2),
      ("null > 5", 2), ("true > 0", 2), ("$p.n in (1, '9')", 2), ("$p.n = true", 2), ("$p.list > 1", 2),
      ("$p.o = 1", 2),
      // The word null tests whether a value is null.
      ("$p.z = null", 0), ("$p.n = null", 6), ("$p.n != null", 0), ("$p.s = null", 6), ("$p.n > null", 2),
      // Values of different types are unequal and have no order.
      ("$p.s = \"10\"", 0), ("\"true\" = true", 6), ("\"null\" = null", 6), ("$p.t = true", 0), ("$p.t = 'true'", 6),
      ("$p.t != false", 0), ("$p.t < true", 2), ("$p.t > 'a'", 2), ("$p.list = $p.other", 0), ("$p.list != $p.e", 0),
      ("$p.list = $p.o", 6), ("$p.list < $p.e", 2), ("$p.empty = ''", 0),
      // Texts are compared by code point, or as times if both are times.
      ("$p.uni > ㄱ", 0), ("$p.s < '9'", 0), ("$p.day > 2022-10-17", 0), ("$p.day = 2022-10-18", 0),
      ("$p.day < 2022-10-18", 6),
      ("$p.uni < 2022-10-18", 2), ("$p.day > abc", 2), ("$p.uni ~ 컵", 0), ("$p.s ~ 1", 0), ("$p.n ~ 9", 0),
      ("$p.uni !~ x", 0),
      // Units.
      ("$p.ms < 9ms", 6), ("$p.ms < 1s", 0), ("$p.ms > 0.8s", 0), ("$p.ms < 90ms", 6), ("$p.s != 10s", 0),
      // Paths.
      ("$p.rows[-1].id = 4", 0), ("$p.rows[-3].id = 4", 6), ("$p[\"a b\"][\"c.d\"] = 5", 0),
      ("$p['a b'].length = 1", 0),
      ("$p[\"rows\"].length > 999", 6), ("$p.o.length = 7", 0), ("$p.list.length = 2", 0), ("$p.uni.length = 1", 0),
      ("$p.rows[0:2].id > 500", 2), ("$p.rows.*.id > 500", 2), ("$p.rows[last].id > 999", 2),
      ("$p.rows[].price > 5", 2),
      ("$p.rows[0].id] = 3", 2),
      // A comparison with a missing member is false.
      ("$p.nosuch = 3", 6), ("$p.nosuch != 3", 6), ("not $p.nosuch = 3", 6), ("$p.n.x > 3", 6),
      ("$p.rows[9].id = 3", 6),
      ("$p.nosuch = 3 or $p.n = 9", 0), ("$p.nosuch ~ x", 6), ("$p.nosuch in (1)", 6), ("$q.a = 3", 2),
      // Computed values.
      ("$p.exp + 1 = 60000001", 0), ("$p.s + 1 = 11", 2), ("$p.n * 2 > $p.one + 16", 0),
      ("(", 2), ("$p.n", 2), ("$p.n =", 2),
    ] as [(String, Int)])
  func comparisonHasThisResult(_ condition: String, _ expected: Int) throws {
    #expect(try code(condition, ValueComparisonTests.body) == expected, "\(condition)")
  }

  @Test(arguments: [
    ("$p.rows[*].price > 4", 0, 0, 6), ("$p.rows[*].price > 6", 6, 0, 6), ("$p.rows[*].price > 99999999", 6, 6, 0),
    ("$p.rows[*].nosuch > 1", 6, 6, 6), ("$p.rows[*].id in (3, 4)", 0, 0, 6), ("$p.list[*] = 1", 6, 0, 6),
    ("$p.e[*] > 1", 0, 6, 0), ("$p.rows[*].tags[*] = x", 0, 0, 6), ("$p.n[*] > 1", 6, 6, 6),
    ("$p.rows[*].tags > 1", 2, 2, 2),
    ("$p.rows[*].id ~ /3|4/", 0, 0, 6), ("$p.n > $p.list[*]", 2, 2, 2),
  ])
  func elementsOfArraysAreCompared(_ condition: String, _ all: Int, _ any: Int, _ none: Int) throws {
    #expect(try code(condition, ValueComparisonTests.body, .all) == all)
    #expect(try code(condition, ValueComparisonTests.body, .any) == any)
    #expect(try code(condition, ValueComparisonTests.body, .none) == none)
  }

  /// Random comparisons over random JSON agree with an independent oracle, which stores the original values, and
  /// numbers as digits around a fixed point.
  @Test func resultsEqualThoseOfAnIndependentImplementation() throws {
    var dice = SplitMix64(20_261_124)
    for _ in 0..<Trial.count(500, long: 20_000) {
      let members = (0..<4).map { _ in OracleValue.random(depth: 2, &dice) }
      let body = "{" + members.enumerated().map { "\"m\($0.offset)\": \($0.element.json)" }.joined(separator: ",") + "}"
      let left = Int.random(in: 0..<4, using: &dice)
      let right = Int.random(in: 0..<4, using: &dice)
      let sign = ["=", "!=", "<", "<=", ">", ">="].randomElement(using: &dice) ?? "="
      let written = members[right].written
      let isLiteral = written != nil && Bool.random(using: &dice)
      let condition = "$p.m\(left) \(sign) \(isLiteral ? written ?? "" : "$p.m\(right)")"
      let isNull = isLiteral && members[right].isNull
      let expected = OracleValue.code(members[left], sign, members[right], asksForNull: isNull)
      #expect(try code(condition, body) == expected, "\(condition) of \(body)")
    }
  }
}

/// A value of the oracle: its JSON, and its content in a form that the program doesn't use.
private indirect enum OracleValue {
  case null
  case bool(Bool)
  /// The digits before and after the point, and an exponent.
  case number(isNegative: Bool, whole: String, fraction: String, exponent: Int)
  case text(String)
  case list([OracleValue])
  case object([(String, OracleValue)])

  static func random(depth: Int, _ dice: inout SplitMix64) -> OracleValue {
    switch Int.random(in: 0...(depth > 0 ? 9 : 7), using: &dice) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &dice))
    case 2, 3, 4, 5:
      let length = [1, 1, 2, 3, 20, 30].randomElement(using: &dice) ?? 1
      var whole = (0..<length).map { _ in String(Int.random(in: 0...9, using: &dice)) }.joined()
      while whole.count > 1, whole.hasPrefix("0") { whole.removeFirst() }
      let fraction =
        Bool.random(using: &dice)
        ? "" : ["0", "5", "50", "25", "000000000000000000001"].randomElement(using: &dice) ?? ""
      let exponent = [0, 0, 0, 1, 2, -2, 7, 300, -300].randomElement(using: &dice) ?? 0
      return .number(
        isNegative: Int.random(in: 0...3, using: &dice) == 0, whole: whole, fraction: fraction, exponent: exponent)
    case 6, 7:
      return .text(
        ["", "10", "9", "true", "null", "컵", "컵 b", "a", "B", "1e3", "[]"].randomElement(using: &dice) ?? "")
    case 8: return .list((0..<Int.random(in: 0...2, using: &dice)).map { _ in random(depth: depth - 1, &dice) })
    default:
      return .object(
        ["a", "b"].prefix(Int.random(in: 0...2, using: &dice)).map { ($0, random(depth: depth - 1, &dice)) })
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var json: String {
    switch self {
    case .null: "null"
    case .bool(let flag): flag ? "true" : "false"
    case .number(let isNegative, let whole, let fraction, let exponent):
      (isNegative ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction) + (exponent == 0 ? "" : "E\(exponent)")
    case .text(let text): "\"" + text + "\""
    case .list(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
    case .object(let members): "{" + members.map { "\"\($0.0)\": \($0.1.json)" }.joined(separator: ", ") + "}"
    }
  }

  /// The value as typed in a line, or `nil` for lists and objects, which can't be typed.
  var written: String? {
    switch self {
    case .null, .bool, .number: json
    case .text(let text): "'" + text + "'"
    case .list, .object: nil
    }
  }

  /// The digits of a number with a fixed point.
  private var fixed: (isNegative: Bool, digits: String)? {
    guard case .number(let isNegative, let whole, let fraction, let exponent) = self else { return nil }
    let room = 400
    var digits = String(repeating: "0", count: room - whole.count) + whole + fraction
    digits += String(repeating: "0", count: 2 * room - digits.count)
    if exponent > 0 { digits = String(digits.dropFirst(exponent)) + String(repeating: "0", count: exponent) }
    if exponent < 0 { digits = String(repeating: "0", count: -exponent) + String(digits.dropLast(-exponent)) }
    return (isNegative && digits.contains { $0 != "0" }, digits)
  }

  private static func order(_ left: OracleValue, _ right: OracleValue) -> Int? {
    if let one = left.fixed, let two = right.fixed {
      if one.isNegative != two.isNegative { return one.isNegative ? -1 : 1 }
      if one.digits == two.digits { return 0 }
      return (one.digits < two.digits) == one.isNegative ? 1 : -1
    }
    guard case .text(let one) = left, case .text(let two) = right else { return nil }
    let (first, second) = (one.unicodeScalars.map(\.value), two.unicodeScalars.map(\.value))
    for (a, b) in zip(first, second) where a != b { return a < b ? -1 : 1 }
    return first.count < second.count ? -1 : first.count == second.count ? 0 : 1
  }

  private static func same(_ left: OracleValue, _ right: OracleValue) -> Bool {
    if let order = order(left, right) { return order == 0 }
    switch (left, right) {
    case (.null, .null): return true
    case (.bool(let one), .bool(let two)): return one == two
    case (.list(let one), .list(let two)):
      return one.count == two.count && !zip(one, two).contains { !same($0, $1) }
    case (.object(let one), .object(let two)):
      return one.count == two.count
        && one.allSatisfy { member in two.contains { $0.0 == member.0 && same($0.1, member.1) } }
    default: return false
    }
  }

  static func code(_ left: OracleValue, _ sign: String, _ right: OracleValue, asksForNull: Bool) -> Int {
    let isEquality = sign == "=" || sign == "!="
    let numbers = [left, right].count { $0.fixed != nil }
    if numbers == 1, !(isEquality && asksForNull) { return 2 }
    if isEquality { return same(left, right) == (sign == "=") ? 0 : 6 }
    guard let order = order(left, right) else { return 2 }
    let holds = ["<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0][sign] ?? false
    return holds ? 0 : 6
  }
}
