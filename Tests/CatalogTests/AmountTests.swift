import Catalog
import Foundation
import TestSupport
import Testing
import Text

/// The grammar of typed prices, and arithmetic without accidental rounding.
struct AmountTests {
  @Test(arguments: [
    ("0", "0"), ("5", "5"), ("19.99", "19.99"), ("0.5", "0.5"), ("0.05", "0.05"), ("12000", "12000"),
    ("999999999999999", "999999999999999"), ("999999999999999.99", "999999999999999.99"), ("60000000", "60000000"),
    ("1.50", "1.5"), ("3.00", "3"),
  ])
  func amountIsReadExactly(typed: String, shown: String) {
    #expect(Amount(typed: typed)?.description == shown)
  }

  @Test(arguments: [
    "", " ", "19,99", "1,000", "1e3", "1E3", ".5", "5.", ".", "+5", "-1", "-0", " 5", "5 ", "5\n", "00", "01", "007",
    "1.234", "1.2.3", "1..2", "1000000000000000", "0x10", "٣", "３", "Ⅳ", "½", "NaN", "inf", "₩500", "500원", "1_000",
    "5\u{0}", "1\u{301}", "--5",
  ])
  func malformedAmountIsRefused(typed: String) {
    #expect(Amount(typed: typed) == nil)
  }

  @Test(arguments: [
    ("0.5", 0, "0"), ("1.5", 0, "2"), ("2.5", 0, "2"), ("3.5", 0, "4"), ("2.51", 0, "3"), ("0.25", 1, "0.2"),
    ("0.35", 1, "0.4"), ("19.99", 1, "20"), ("19.99", 2, "19.99"),
  ])
  func roundingIsHalfToEven(typed: String, digits: Int, shown: String) throws {
    #expect(try #require(Amount(typed: typed)).rounded(to: digits).description == shown)
  }

  @Test(arguments: [
    ("1050", "100", "1000"), ("1150", "100", "1200"), ("1149.99", "100", "1100"), ("7", "0", "7"),
    ("0.07", "0.05", "0.05"),
    ("10800", "1000", "11000"),
  ])
  func roundingToAStepGivesAMultiple(typed: String, step: String, shown: String) throws {
    let (amount, step) = (try #require(Amount(typed: typed)), try #require(Amount(typed: step)))
    #expect(amount.rounded(toStep: step).description == shown)
  }

  @Test func tenthsAddUpExactly() throws {
    let (one, two) = (try #require(Amount(typed: "0.1")), try #require(Amount(typed: "0.2")))
    #expect((one + two).description == "0.3")
    #expect((one - two).description == "-0.1")
    #expect((one * two).description == "0.02")
  }

  /// Parsing, formatting and addition agree with integers in cents.
  @Test func resultsEqualThoseOfIntegerCents() throws {
    var dice = SplitMix64(20)
    let rounds = Trial.count(5_000, long: 1_000_000)
    for _ in 0..<rounds {
      let (left, right) = (cents(&dice), cents(&dice))
      guard let a = Amount(typed: left.typed), let b = Amount(typed: right.typed) else {
        Issue.record("\(left.typed) or \(right.typed) was not read")
        return
      }
      let good =
        a.description == shown(left.cents) && (a + b).description == shown(left.cents + right.cents)
        && (a - b).description == shown(left.cents - right.cents) && (a < b) == (left.cents < right.cents)
      if !good {
        Issue.record("\(left.typed) and \(right.typed)")
        return
      }
    }
  }

  private func cents(_ dice: inout SplitMix64) -> (typed: String, cents: Int) {
    let scale = [10, 10_000, 100_000_000, 1_000_000_000_000_000][Int(dice.next() % 4)]
    let (whole, part) = (Int(dice.next() % UInt64(scale)), Int(dice.next() % 100))
    return ("\(whole)." + (part < 10 ? "0" : "") + "\(part)", whole * 100 + part)
  }

  private func shown(_ cents: Int) -> String {
    let size = abs(cents)
    let sign = cents < 0 ? "-" : ""
    if size % 100 == 0 { return sign + "\(size / 100)" }
    if size % 10 == 0 { return sign + "\(size / 100).\(size % 100 / 10)" }
    return sign + "\(size / 100)." + (size % 100 < 10 ? "0" : "") + "\(size % 100)"
  }

  @Test(
    arguments: [
      ("245100", .krw, false, "₩245,100"), ("245100", .krw, true, "KRW 245,100"), ("12", .usd, false, "US$12.00"),
      ("1234.5", .hkd, true, "HK$1,234.50"), ("500", .jpy, false, "¥500"), ("0.5", Currency("EUR"), false, "EUR 0.5"),
      ("-1234", nil, false, "-1,234"), ("7", Currency(""), false, "7"),
    ] as [(String, Currency?, Bool, String)])
  func amountIsFormattedInItsCurrency(_ text: String, _ currency: Currency?, _ ascii: Bool, _ expected: String) throws {
    #expect(try #require(Amount(plain: text)).formatted(in: currency, ascii: ascii) == expected)
  }
}
