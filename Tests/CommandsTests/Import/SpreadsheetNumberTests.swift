import Catalog
import Commands
import CommandLanguage
import Foundation
import TestSupport
import Testing

/// Numbers as spreadsheets show them are read, unless they may hide digits.
@Suite(.timeLimit(Trial.limit)) struct SpreadsheetNumberTests {
  @Test(
    arguments: [
      ("19000", "19000"), ("₩19,000", "19000"), ("￦ 19,000", "19000"), ("\\19,000", "19000"), ("19,000원", "19000"),
      (" 1,234,567.50 ", "1234567.5"), ("2.02E+04", "20200"), ("1.5e-1", "0.15"), ("9.9E0", "9.9"),
      ("1E+14", "100000000000000"),
      ("15,000 KRW", "15000"), ("USD 12.50", "12.5"), ("12.50usd", "12.5"), ("15,000 XYZ", nil), ("KRW", nil),
      ("25.00", "25"), ("0", "0"), ("0.0", "0"), ("12.50", "12.5"), ("1.23456E+03", "1234.56"), ("19,99", nil),
      ("1,2345", nil),
      ("-5", nil), ("(1,000)", nil), ("$5", nil), ("", nil), ("₩", nil), ("1e", nil), ("1e999", nil), ("007", nil),
      ("1.", nil),
      (".5", nil), ("1,,000", nil), ("1234,567", nil), ("٣", nil), ("1.2.3", nil), ("19 000", nil),
    ] as [(String, String?)])
  func formattedNumbersAreRead(_ text: String, _ plain: String?) {
    #expect(SpreadsheetNumber(text)?.plain == plain)
  }

  /// The word after a number of pieces is no part of it.
  @Test(
    arguments: [
      ("1,024개", "1024"), ("40 EA", "40"), ("7pcs", "7"), ("12", "12"), ("12박스", nil), ("₩12개", nil), ("개", nil),
      ("12 KRW EA", nil),
    ] as [(String, String?)])
  func numbersOfPiecesAreRead(_ text: String, _ plain: String?) {
    #expect(SpreadsheetNumber(pieces: text)?.plain == plain)
  }

  /// A currency in the cell must be that of the product.
  @Test(arguments: [
    ("15,000 KRW", "KRW", false), ("15,000 KRW", "USD", true), ("₩15,000", "USD", true), ("12 USD", "USD", false),
    ("12", "USD", false),
  ])
  func otherCurrencyIsRefused(_ text: String, _ currency: String, _ isRefused: Bool) throws {
    let number = try #require(SpreadsheetNumber(text))
    #expect((number.ambiguity(.price, now: nil, in: Currency(currency)) != nil) == isRefused)
  }

  /// A number with an exponent may hide digits.
  ///
  /// It is accepted if the product shows that it doesn't.
  @Test(arguments: [
    ("2.02E+04", "20200", false), ("2.02E+04", "20249", true), ("2.02E+04", "20151", true),
    ("2.02E+04", "20300", false),
    ("2.02E+04", "19000", false), ("20200", "20249", false), ("1.5E-1", "0.151", true), ("1.5E-1", "0.17", false),
  ])
  func numberWithHiddenDigitsIsDoubtful(_ text: String, _ now: String, _ isDoubtful: Bool) throws {
    let number = try #require(SpreadsheetNumber(text))
    let current = Amount(try #require(Decimal(string: now)))
    #expect((number.ambiguity(.price, now: current, in: .krw) != nil) == isDoubtful)
  }
}
