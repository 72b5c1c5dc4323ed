import Catalog
import CommandLanguage
import Foundation
import TestSupport
import Testing
import Text

/// The names of fields in each edition, and the validation of their values.
@Suite struct FieldValidatorTests {
  private func spelled(_ fields: ProductValues) -> String {
    var parts: [String] = []
    if let name = fields.name { parts.append("name=" + name) }
    if let price = fields.price { parts.append("price=\(price)") }
    if let discount = fields.discount { parts.append("discount=\(discount)") }
    if let currency = fields.currency { parts.append("currency=\(currency)") }
    if let stock = fields.stock { parts.append("stock=\(stock)") }
    if let thumbnail = fields.thumbnailID { parts.append("thumbnail=\(thumbnail)") }
    return parts.joined(separator: " ")
  }

  private func result(_ line: String, limits: LimitPolicy = .documented) -> String {
    do throws(ParseError) {
      let invocation = try Sample.grammar.read("patch 32 " + line)[0]
      let edits = try ProductEdit(invocation.assignments, round: invocation.text("round"), limits: limits)
      return spelled(try edits.changes(of: Sample.product).to)
    } catch {
      return "! " + error.message.english.plain
    }
  }

  @Test(arguments: [
    ("price=199.99", "price=199.99"), ("price=3500", ""), ("price=3500.00", ""), ("price-=10%", "price=3150"),
    ("price+=0.01", "price=3500.01"), ("price*=0.9", "price=3150"), ("price*=110%", "price=3850"),
    ("price-=10% round 100", "price=3200"), ("price*=0.33335", "price=1166.72"), ("stock-=1", "stock=1"),
    ("stock*=1.25", ""), ("stock=1000000000000", "stock=1000000000000"), ("sale=3000", "discount=500"),
    ("sale=3500", "discount=0"),
    ("price=5000 sale=4000", "price=5000 discount=1000"), ("sale-=100", "discount=200"),
    ("currency=usd", "currency=USD"),
    ("currency=EUR", "currency=EUR"), ("thumbnail=2", "thumbnail=36"), ("price+=100 price*=2", "price=7200"),
    ("price=19,99", "! Invalid value for price: 19,99."), ("price=1e3", "! Invalid value for price: 1e3."),
    ("price=1,000", "price=1000"), ("price=₩18,500", "price=18500"), ("price=18,500원", "price=18500"),
    ("price=1,234,567.89", "price=1234567.89"), ("price-=₩1,000", "price=2500"), ("stock=1,000", "stock=1000"),
    ("price=¥18,500", "! The amount is in JPY, but the price of the product is in KRW."),
    ("price=¥18,500 currency=JPY", "price=18500 currency=JPY"), ("price=1,00", "! Invalid value for price: 1,00."),
    ("price=1,0000", "! Invalid value for price: 1,0000."), ("price=,500", "! Invalid value for price: ,500."),
    ("price=0,500", "! Invalid value for price: 0,500."), ("price=₩", "! Invalid value for price: ₩."),
    ("price=-1", "! Invalid value for price: -1."),
    ("price-=5000", "! price would become -1500."), ("stock=-1", "! Invalid value for stock: -1."),
    ("stock-=3", "! stock would become -1."), ("price=50", "! discount ₩100 is higher than the price ₩50."),
    ("sale=3600", "! sale ₩3,600 is higher than the price ₩3,500."),
    ("name=ab", "! name has 2 characters, but must have 3 to 100."),
    ("name+=x", "! name does not support +=."), ("sale=1 discount=2", "! sale and discount cannot both be set."),
    ("thumbnail=3", "! Product 32 has 2 images; there is no image 3."),
    ("round 0 price-=1", "! Invalid value for round: 0."),
    ("price-=abc", "! price-= needs a number, not abc."),
  ])
  func assignmentIsReadOrRefusedWithThisMessage(line: String, expected: String) {
    #expect(result(line) == expected)
  }

  @Test func serverLimitsAreLeftToTheServer() {
    #expect(result("name=ab price=50", limits: .server) == "name=ab price=50")
  }

  @Test func lengthIsCountedInCharacters() throws {
    #expect(throws: Never.self) {
      try FieldValueParser.text(String(repeating: "👨‍👩‍👧", count: 100), of: .name, .documented)
    }
    #expect(throws: ParseError.self) {
      try FieldValueParser.text(String(repeating: "a", count: 101), of: .name, .documented)
    }
  }

  /// Compared with the grammar as a regular expression, and exact to the last digit.
  @Test func priceGrammarEqualsTheRegularExpression() throws {
    var random = SplitMix64(4)
    let pieces = [
      "0", "1", "9", "19", ".", ".5", "00", "-", "+", "e3", ",", " ", "٣", "1234567890", ".99", "Infinity", "nan", "",
    ]
    let grammar = try Regex("(0|[1-9][0-9]{0,14})(\\.[0-9]{1,2})?")
    for _ in 0..<Trial.count(3_000, long: 100_000) {
      let text = (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      let amount = try? FieldValueParser.amount(text, of: .price)
      let match = try grammar.wholeMatch(in: text)
      let fits = match != nil && text.utf8.allSatisfy { $0 < 128 }
      #expect((amount != nil) == fits, "\(text)")
      if let amount { #expect(amount.decimalValue == Decimal(string: text), "\(text)") }
      if fits { #expect(FieldValidator(.price).validate(of: text) == nil, "\(text)") }
    }
  }

  /// A form accepts the same values as the command line, and gives a reason for rejecting others.
  @Test(arguments: [
    (ProductField.price, "12,900", true), (.price, "₩12,900", true), (.price, "12,900원", true),
    (.price, "12,9oo", false),
    (.price, "10%", false), (.discount, "10%", true), (.discount, "7.5 %", true), (.discount, "110%", false),
    (.discount, "1,000", true), (.stock, "x3", false), (.stock, "3", true), (.currency, "y", false),
    (.currency, "krw", true),
  ])
  func formValidatorAcceptsSameValuesAsCommandLine(field: ProductField, text: String, isTaken: Bool) {
    #expect((FieldValidator(field).validate(of: text) == nil) == isTaken)
  }

  /// A form has a label for the field, not the name that is typed on a command line.
  @Test(arguments: [
    (ProductField.price, "1e3", "정가 값으로 1e3을 쓸 수 없습니다."), (.discount, "-1", "할인 값으로 -1을 쓸 수 없습니다."),
    (.stock, "x3", "재고 값으로 x3을 쓸 수 없습니다."), (.currency, "원화", "통화 값으로 원화를 쓸 수 없습니다."),
  ])
  func errorHasTheLabelOfTheForm(_ field: ProductField, _ text: String, _ expected: String) {
    let said = FieldValidator(field).validate(of: text)?.korean.plain ?? ""
    #expect(said.hasPrefix(expected), "\(said)")
  }

  @Test func counterShowsLengthAndLimit() {
    #expect(FieldValidator(.name).counter(of: "우유병") == "3/100")
    #expect(FieldValidator(.description).counter(of: "") == "0/1000")
    #expect(FieldValidator(.price).counter(of: "1") == nil)
  }
}
