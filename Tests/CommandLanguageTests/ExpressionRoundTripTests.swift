import Catalog
import CommandLanguage
import TestSupport
import Testing

/// Every field, comparison and kind of value: a printed expression is parsed to an equal one with the same result.
@Suite struct ExpressionRoundTripTests {
  private static let texts = [
    "맥북", "a b", "x=y", "and", "or", "not", "in", "it's", "(", ")", "", "a,b", "$x", "#", "1|2", "\"", "\n", "\t", "\\",
    "me",
    ";", "@3", "--all", "as", "5", "-5", "2022-01-18", "가\u{301}", "\u{1100}\u{1161}", "🙂", "~", "!~", "<=", ">", "'",
  ]

  private static func literal(_ field: ProductField, _ comparison: Comparison, _ random: inout SplitMix64)
    -> LiteralValue
  {
    let dates = ["2022-01-18", "2022-01-18T09:30:00", "1999-12-31T23:59:59Z"]
    let numbers = ["0", "-1", "19.99", "1000000000000", "0.000001", "007"]
    for _ in 0..<50 {
      let pool = [texts, dates, numbers, ["me"]].randomElement(using: &random) ?? texts
      if let text = pool.randomElement(using: &random), let literal = LiteralValue(text, for: field, comparison) {
        return literal
      }
    }
    return LiteralValue("5")
  }

  private static func random(depth: Int, _ random: inout SplitMix64) -> Condition {
    func terms(_ random: inout SplitMix64) -> [Condition] {
      (0..<Int.random(in: 2...4, using: &random)).map { _ in Self.random(depth: depth - 1, &random) }
    }
    let field = ProductField.allCases.randomElement(using: &random) ?? .name
    switch depth == 0 ? Int.random(in: 0...1, using: &random) : Int.random(in: 0...5, using: &random) {
    case 0:
      let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in literal(field, .equal, &random) }
      return .isIn(.field(field), items)
    case 2: return .not(Self.random(depth: depth - 1, &random))
    case 3: return .all(terms(&random))
    case 4: return .any(terms(&random))
    default:
      let comparison = Comparison.allCases.randomElement(using: &random) ?? .equal
      return .compare(.field(field), comparison, literal(field, comparison, &random))
    }
  }

  @Test func printedExpressionIsParsedToAnEqualOne() throws {
    var random = SplitMix64(17)
    let me = Vendor(id: 15, name: "red123")
    for _ in 0..<Trial.count(400, long: 8_000) {
      let expression = Self.random(depth: 3, &random)
      let again = try Condition.read(expression.description)
      #expect(again == expression, "\(expression)")
      #expect(try again.holds(for: Sample.product, me: me) == expression.holds(for: Sample.product, me: me))
      // In a line before other words.
      let line = try Sample.grammar.read("ls where \(expression) sort price")[0]
      #expect(line.text("where") == expression.description && line.text("sort") == "price", "\(expression)")
    }
  }

  @Test(arguments: [
    ("name~straße", "STRASSE", true), ("name~STRASSE", "Straße", true), ("name~ὈΔΥΣΣΕΎΣ", "ὀδυσσεύς", true),
    ("name~\u{1112}\u{1161}\u{11AB}", "한글", true), ("name=café", "cafe\u{301}", true), ("name~한글", "한 글", false),
  ])
  func textIsComparedByCharactersNotBytes(_ condition: String, _ name: String, _ holds: Bool) throws {
    var product = Sample.product
    product.name = name
    #expect(try Condition.read(condition).holds(for: product) == holds)
  }

  @Test(arguments: [
    ("ls where stock<5 and nosuch=1", "nosuch"), ("ls where (price=cheap)", "cheap"), ("ls where stock<", ""),
    ("ls where name~'a b' or 무게=0 sort id", "무게"), ("ls where stock in (1, x)", "x"),
    ("ls where created>=2022-13-01", "2022-13-01"),
  ])
  func errorsPointAtTheirRange(_ line: String, _ place: String) {
    do throws(ParseError) {
      _ = try Sample.grammar.read(line)
      Issue.record("\(line) was understood")
    } catch {
      #expect(error.showsCaret && error.line == line)
      let scalars = Array(line.unicodeScalars)
      let range = error.range ?? 0..<0
      #expect(String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])) == place)
    }
  }
}
