import Catalog
import CommandLanguage
import Foundation
import TestSupport
import Testing
import Text

/// Computed values in conditions and assignments, compared with 128-bit integers, which are independent of `Decimal`.
@Suite struct FormulaTests {
  private static let product = Product(
    id: 42, name: "먹색 컵 컵받침", description: "보온이 잘 되는 컵입니다.", price: Amount(19_000), discount: Amount(1_000),
    sale: Amount(18_000), currency: .krw, stock: 7, vendor: "red123", vendorID: 15,
    created: Timestamp("2022-01-18T00:00:00"), modified: Timestamp("2022-02-01T00:00:00"))

  private static let small: [ProductField: Int128] = [
    .id: 42, .price: 19_000, .discount: 1_000, .sale: 18_000, .stock: 7,
  ]

  /// Returns a formula of integers with its value, or `nil` if that exceeds 128 bits.
  private func random(_ depth: Int, _ dice: inout SplitMix64) -> (Formula, Int128)? {
    switch depth == 0 ? Int.random(in: 0...1, using: &dice) : Int.random(in: 0...7, using: &dice) {
    case 0:
      let number = Int.random(in: 1...999, using: &dice)
      return (.number(Amount(Int(number))), Int128(number))
    case 1:
      guard
        let (field, value) = FormulaTests.small.sorted(by: { $0.key.rawValue < $1.key.rawValue }).randomElement(
          using: &dice)
      else { return nil }
      return (.field(field), value)
    case 2:
      guard let (term, value) = random(depth - 1, &dice) else { return nil }
      if case .number(let number) = term, number > 0 { return (.number(-number), -value) }
      return (.negative(term), -value)
    case 3:
      guard let (left, a) = random(depth - 1, &dice), let (right, b) = random(depth - 1, &dice) else { return nil }
      return Bool.random(using: &dice) ? (.min([left, right]), min(a, b)) : (.max([left, right]), max(a, b))
    case 4:
      guard let (term, value) = random(depth - 1, &dice) else { return nil }
      let step = Int128([1, 5, 100, 990].randomElement(using: &dice) ?? 1)
      let isUp = Bool.random(using: &dice)
      return (
        .round(term, step: Amount(Int(step)), isUp ? .toNearestOrAwayFromZero : .toNearestOrEven),
        rounded(value, step, isUp)
      )
    default:
      guard let (left, a) = random(depth - 1, &dice), let (right, b) = random(depth - 1, &dice) else { return nil }
      let sign = [Formula.Operator.add, .subtract, .multiply].randomElement(using: &dice) ?? .add
      let result: (partialValue: Int128, overflow: Bool) =
        switch sign {
        case .add: a.addingReportingOverflow(b)
        case .subtract: a.subtractingReportingOverflow(b)
        case .multiply, .divide: a.multipliedReportingOverflow(by: b)
        }
      guard !result.overflow, result.partialValue.magnitude < 1_000_000_000_000_000_000_000_000_000 else { return nil }
      return (.binary(left, sign, right), result.partialValue)
    }
  }

  private func rounded(_ value: Int128, _ step: Int128, _ isUp: Bool) -> Int128 {
    let (quotient, rest) = value.magnitude.quotientAndRemainder(dividingBy: step.magnitude)
    let twice = rest * 2
    let isMore = twice > step.magnitude || (twice == step.magnitude && (isUp || quotient % 2 == 1))
    let count = Int128(quotient + (isMore ? 1 : 0))
    return (value < 0 ? -count : count) * step
  }

  @Test func everyFormulaIsExactAndIsReadBack() throws {
    let seed: UInt64 = 20_221_201
    var dice = SplitMix64(seed)
    var count = 0
    while count < (Trial.isLong ? 50_000 : 3_000) {
      guard let (formula, value) = random(4, &dice) else { continue }
      count += 1
      #expect(formula.value(of: FormulaTests.product)?.description == value.description, "seed \(seed): \(formula)")
      #expect(try Formula.read(formula.description) == formula, "seed \(seed): \(formula)")
    }
  }

  @Test(arguments: [
    ("price*0.9", "17100"), ("price - 10%", "17100"), ("price+price*10%", "20900"), ("10%", "0.1"),
    ("round(price*1.1, 100)", "20900"), ("round(18950, 100)", "19000"), ("round(18850, 100)", "18800"),
    ("round(18850, 100, up)", "18900"), ("round(-18850, 100, up)", "-18900"), ("max(stock,5)", "7"),
    ("min(stock, 5)", "5"),
    ("len(name)", "8"), ("sale/price*100", "94.736842105263157894736842105263157894"),
    ("-(price-discount)*2", "-36000"),
    ("(1+2)*3", "9"), ("1+2*3", "7"), ("10-3-2", "5"), ("2*-3", "-6"), ("images", nil), ("1/0", nil),
    ("price/(stock-7)", nil),
  ])
  func formulaHasThisValue(_ text: String, _ value: String?) throws {
    #expect(try Formula.read(text).value(of: FormulaTests.product)?.description == value)
  }

  @Test(arguments: [
    "price*", "*2", "price price", "round(price", "round(price,0)", "round(price,-5)", "round(price,100,down)", "max()",
    "len(price)",
    "len()", "name*2", "created+1", "nosuch*2", "price**2", "2022-01-18", "price*2)", "(", "", "1e3*2", "price*1,000",
    "foo(2)",
  ])
  func malformedFormulaIsExplained(_ text: String) {
    #expect(throws: ParseError.self) { try Formula.read(text) }
  }

  @Test func deepNestingIsRefused() {
    #expect(throws: ParseError.self) {
      try Formula.read(String(repeating: "(", count: 50_000) + "1" + String(repeating: ")", count: 50_000))
    }
    #expect(throws: ParseError.self) { try Formula.read(String(repeating: "-", count: 50_000) + "1") }
    #expect(throws: ParseError.self) { try Condition.read(String(repeating: "(", count: 5_000) + "price*2>1") }
  }

  @Test(
    arguments: [
      ("sale<price*0.5", false), ("sale>price*0.5", true), ("sale < price * 0.95", true), ("price-discount=sale", true),
      ("sale=price-discount", true), ("(price-discount)*2 > price", true),
      ("(price-discount)*2 > price and stock=7", true),
      ("not (sale<price)", false), ("(sale<price or stock=0) and stock=7", true), ("discount=price", false),
      ("len(name)>7", true), ("len(name)>8", false), ("price>=round(18950, 100)", true), ("stock<max(5, 10)", true),
      ("modified>created", true), ("created>=modified", false), ("modified!=created", true), ("created=created", true),
      ("created>=today-7d", false), ("created>=today-15d", true), ("modified<30d", true), ("modified>30d", false),
      ("modified<12h", true), ("modified<1h", false), ("modified=today", true), ("modified=yesterday", false),
      ("modified>now-5h", true), ("created=2022-01", true), ("created!=2022-01", false), ("created<2022-02", true),
      ("created>2022-01", false), ("created>=2022-01", true), ("created<=2022-01", true), ("created>=2022-02", false),
      ("created=2022", true), ("created<2022", false), ("created in (2021-12, 2022-01)", true),
      ("created=01-18", true), ("created=1-18", true), ("created>=1-19", false), ("created>=2-2", true),
      ("modified<2-1", false), ("created in (1-17, 1-18)", true),
      ("modified>=monday", true), ("modified>=Monday", true), ("created>=tuesday", false), ("modified<tuesday", false),
      ("modified>=월요일", true), ("created>=월요일", false), ("modified=오늘", true), ("modified=어제", false),
      ("created=그제", false), ("created>=-15d", true), ("created>=-7d", false), ("created >= -14일", true),
      ("modified>=-5h", true), ("modified>=-1h", false), ("modified<30일", true), ("created>=오늘-15일", true),
      ("등록일=2022-01", true), ("modified>=2022-02-01T00:00", true), ("modified<2022-02-01T00:00", false),
      ("name~/컵$/", false), ("name~/받침$/", true), ("name~/^먹색\\s/", true), ("name~/^먹색 컵/", true),
      ("name!~/^RED/i", true),
      ("vendor~/^RED/i", true), ("vendor~/^RED/", false), ("name~/(컵|잔) 컵/", true), ("name~\"/받침/\"", false),
      ("name~/컵/ and stock=7", true), ("(name~/컵/)", true), ("price~/^19/", true),
      ("images>price*2", false), ("not images>price*2", false),
    ] as [(String, Bool)])
  func conditionsMayContainFormulas(_ text: String, _ holds: Bool) throws {
    let condition = try Condition.read(text)
    // 2022-02-01, 04:00.
    let now: Int64 = 1_643_688_000
    #expect(try condition.resolved(at: now).holds(for: FormulaTests.product) == holds)
    #expect(try Condition.read(condition.description) == condition, "\(condition)")
  }

  @Test(arguments: [
    ("$ten = $five + 5", true), ("$ten != $five + 5", false), ("$ten=$five+5", true), ("$ten = 2 * $five", true),
    ("$ten*2 = 20", true), ("$ten - $low = 15", true), ("$ten-$low=15", true), ("$low + $five = 0", true),
    ("$ten > max($five, 3)", true), ("10 = 5 + 5", true), ("10 < price", true), ("$ten > price", false),
    ("price = $ten*1900", true), ("price > $ten * $ten and stock = $five + 2", true), ("stock=$five+2", true),
    ("price*$ten = 190000", true), ("not $ten = $five + 5 or stock = 0", false), ("($five+5)*2 = $ten + 10", true),
    // Text without arithmetic is compared as text.
    ("$ten = 10", true), ("$word = $word", true), ("$word-1 = red-1", true), ("$word ~ RE", true),
    ("$day = 2022-01-18", true),
    ("'5'+1 = 6", nil), ("$ten in (9, 10)", true), ("$five -5 = 0", nil), ("$word + 1 = 2", nil),
    ("$ten = $word + 1", nil), ("$ten = 5 +", nil), ("price = $word*2", nil),
  ])
  func formulasMayContainVariables(_ text: String, _ holds: Bool?) throws {
    let values = ["ten": "10", "five": "5", "low": "-5", "word": "red", "day": "2022-01-18"]
    let grammar = CommandParser([FormulaTests.assertion])
    let line = "assert " + text
    guard let holds else {
      #expect(throws: ParseError.self) { try grammar.read(line, variables: { values[$0].map(NamedValue.init(word:)) }) }
      return
    }
    let condition = try #require(
      try grammar.read(line, variables: { values[$0].map(NamedValue.init(word:)) })[0].condition("EXPR"))
    #expect(try condition.holds(for: FormulaTests.product) == holds, "\(condition)")
    #expect(try Condition.read(condition.description) == condition, "\(condition)")
    // Before the variables have values, the line is valid.
    try grammar.check(line)
  }

  private static let assertion = CommandDeclaration(
    "assert", group: .scripting, summary: LocalizedText("proves", ko: "확인"),
    parameters: [
      Parameter("EXPR", .rest(required: true), kind: .expression, summary: LocalizedText("holds", ko: "맞음"))
    ], examples: [])

  @Test(arguments: [
    ("price=round(price*1.1, 100)", "price 20900"), ("price=price+1", "price 19001"), ("discount=10%", "discount 1900"),
    ("sale=price*0.9", "discount 1900"), ("sale=90%", "discount 1900"),
    ("price=20000 discount=10%", "price 20000 discount 2000"),
    ("discount=10% price=20000", "price 20000 discount 2000"), ("stock=max(stock,10)", "stock 10"),
    ("stock=stock/2", "stock 4"),
    ("price-=10%", "price 17100"), ("price=price*1.13 round 100", "price 21500"),
    ("price=18850 discount=0 price=2", nil), ("price=18850*1 round 100", "price 18800"),
    ("price=18850*1 round 100 half up", "price 18900"), ("price=price/3", "price 6333.33"),
    ("name~s/컵/머그/", "name 먹색 머그 컵받침"), ("name~s/컵/머그/g", "name 먹색 머그 머그받침"), ("name~'s/색 컵/ 잔/'", "name 먹 잔 컵받침"),
    ("name~s,(\\S+)받침,\\1+,", "name 먹색 컵 컵+"), ("name~s/먹색/[&]/", "name [먹색] 컵 컵받침"),
    ("name~s/nothing/x/", ""), ("bargain_price=90%", "discount 1900"), ("name~s/'컵 컵'/잔/", "name 먹색 잔받침"),
    ("stock=1/0", nil), ("price=name", nil),
    ("price=price-20000", nil), ("stock=stock-8", nil), ("name~s/컵", nil), ("name~s/(/x/", nil), ("price~s/1/2/", nil),
    ("name~컵", nil), ("price=2022-01-18", nil), ("stock=50%", nil), ("name~s/.*/x/", nil),
  ])
  func assignmentsMayContainFormulas(_ text: String, _ result: String?) throws {
    let line = "patch 42 " + text
    func changed() throws -> String {
      let invocation = try Sample.grammar.read(line)[0]
      let edits = try ProductEdit(
        invocation.assignments, round: invocation.text("round"),
        half: invocation.text("half").flatMap { Amount.Rounding(rawValue: $0) } ?? .toNearestOrEven, limits: .documented
      )
      let (_, to) = try edits.changes(of: FormulaTests.product)
      let parts: [String?] = [
        to.name.map { "name \($0)" }, to.price.map { "price \($0)" }, to.discount.map { "discount \($0)" },
        to.stock.map { "stock \($0)" },
      ]
      return parts.compactMap(\.self).joined(separator: " ")
    }
    if let result {
      #expect(try changed() == result)
    } else {
      #expect(throws: ParseError.self) { try changed() }
    }
  }
}
