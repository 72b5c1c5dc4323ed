import Catalog
import CommandLanguage
import TestSupport
import Testing

/// The parsing and evaluation of conditions.
@Suite struct ExpressionParserTests {
  @Test(arguments: [
    ("stock=2", true), ("stock!=2", false), ("price>3499.99", true), ("price>=3500.00", true), ("sale<3400", false),
    ("name~텀블러", true), ("name ~ '우유병 텀'", true), ("name~\u{1110}\u{1165}\u{11B7}", true), ("name!~맥북", true),
    ("vendor=red123", true), ("vendor~RED", true), ("vendor=me", true), ("vendor_id=me", true),
    ("vendor_id in (1, 15)", true),
    ("stock not in (1,3)", true), ("not stock=2", false), ("not not stock=2", true),
    ("stock=0 and price=0 or id=32", true), ("stock=0 and (price=0 or id=32)", false),
    ("created=2022-10-18", true), ("created>2022-10-18", false), ("created>=2022-10-18", true),
    ("created<2022-10-19", true),
    ("created>2022-10-18T04:59:59", true), ("images=2", true), ("thumbnail~x", false), ("not thumbnail~x", false),
    ("thumbnail~x or stock=2", true), ("5=5.00", true), ("'abc'=abd", false), ("currency=KRW", true),
    ("price<1e4", true), ("price>1.0E7", false), ("price=3,500", true), ("price in (3,500)", false),
    ("재고=2 and 정가>3000", true),
    ("price>₩1,000", true), ("price=3,500원", true), ("price<1만", true), ("price>=3.5k", true), ("stock=2개", true),
    ("discount>2%", true), ("discount>3%", false), ("price>¥1,000", false), ("price!=¥3500", true),
    ("price in (3.5k, 1)", true),
    ("name~/우유|맥북/", true), ("name ~ /우유|맥북/i and stock=2", true), ("name !~ /우유|맥북/ or stock=3", false),
    ("name~/^우유병 텀블러$/", true), ("name~/a\\/b|텀/", true), ("name~'/usr'", false),
  ])
  func conditionHasThisResult(text: String, expected: Bool) throws {
    let expression = try Condition.read(text)
    #expect(try expression.holds(for: Sample.product, me: Vendor(id: 15, name: "red123")) == expected)
    #expect(try Condition.read(expression.description) == expression)
  }

  @Test func numbersAreComparedExactly() throws {
    var product = Sample.product
    product.price = Amount(typed: "0.3")
    product.discount = Amount(typed: "0.1")! + Amount(typed: "0.2")!
    #expect(try Condition.read("price=0.3 and discount=0.3").holds(for: product))
  }

  @Test(arguments: [
    "", "stock", "stock=", "=3", "(stock=1", "stock=1)", "stock=1 stock=2", "stock=1 and", "foo=1", "price=abc",
    "created>sometime", "stock in 1", "stock in (1", "stock in ()", "price=1,0", "price=10,00", "stock in (10,000",
    "stock=1|2", "not", "price==", "sale<50%", "price>₩1,00",
  ])
  func malformedConditionIsRefused(text: String) {
    #expect(throws: ParseError.self) { try Condition.read(text) }
  }

  @Test func deepNestingIsRefusedWithAMessage() {
    let deep = String(repeating: "(", count: 50_000) + "stock=1"
    #expect(throws: ParseError.self) { try Condition.read(deep) }
    #expect(throws: ParseError.self) { try Condition.read(String(repeating: "not ", count: 50_000) + "stock=1") }
  }

  @Test func printedConditionIsParsedToAnEqualOne() throws {
    var random = SplitMix64(3)
    for _ in 0..<Trial.count(1_500, long: 5_000) {
      let expression = Self.random(depth: 4, &random)
      #expect(try Condition.read(expression.description) == expression, "\(expression)")
    }
  }

  private static func random(depth: Int, _ random: inout SplitMix64) -> Condition {
    let kind = depth == 0 ? 0 : Int.random(in: 0...4, using: &random)
    func terms(_ random: inout SplitMix64) -> [Condition] {
      (0..<Int.random(in: 2...3, using: &random)).map { _ in Self.random(depth: depth - 1, &random) }
    }
    switch kind {
    case 1: return .not(Self.random(depth: depth - 1, &random))
    case 2: return .all(terms(&random))
    case 3: return .any(terms(&random))
    case 4:
      return .isIn(.field(.stock), [LiteralValue("1", for: .stock, .equal)!, LiteralValue("-2", for: .stock, .equal)!])
    default:
      let comparison = Comparison.allCases.randomElement(using: &random)!
      let texts = ["맥북", "a b", "x=y", "and", "it's", "(", "", "a,b", "$x", "not", "#", "1|2", "\"", "\n"]
      return .compare(
        .field(.name), comparison, LiteralValue(texts.randomElement(using: &random)!, for: .name, comparison)!)
    }
  }
}
