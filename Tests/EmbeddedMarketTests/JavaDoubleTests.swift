import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

@Suite(.serialized, .timeLimit(Trial.limit)) struct JavaDoubleTests {
  @Test(arguments: [
    ("0", "0.0"), ("-0", "0.0"), ("2000", "2000.0"), ("19.99", "19.99"), ("60000000", "6.0E7"),
    ("12312312", "1.2312312E7"), ("1323121323232", "1.323121323232E12"), ("9999999.99", "9999999.99"),
    ("10000000.5", "1.00000005E7"), ("6.0E7", "6.0E7"), ("0.001", "0.001"), ("0.0001", "1.0E-4"), ("1e2", "100.0"),
    ("0.50", "0.5"), ("-12.30", "-12.3"), ("1234e-2", "12.34"), ("6.26e-46", "0.0"),
    ("123456789012345678.01", "1.2345678901234567801E17"),
  ])
  func doublesAreWrittenAsByJava(_ text: String, _ java: String) throws {
    #expect(JavaDouble.text(try #require(DecimalPrice(text))) == java)
  }

  @Test(arguments: ["", "1,5", "1.", ".5", "+1", " 1", "1e999", "NaN", "٣", "0x10", "1e40", "1 "])
  func malformedDecimalIsRefused(_ text: String) { #expect(DecimalPrice(text) == nil) }

  /// Short numbers are computed as integers, with the same results as decimals, also around their limit.
  @Test func decimalDifferenceIsExact() throws {
    var random = SplitMix64(7)
    for _ in 0..<2000 {
      let texts = (0..<2).map { _ in
        let whole = String(UInt64.random(in: 0 ... .max, using: &random) >> UInt64.random(in: 1...63, using: &random))
        let fraction = String(
          (0..<Int.random(in: 0...9, using: &random)).map { _ in "0123456789".randomElement(using: &random)! })
        return fraction.isEmpty ? whole : whole + "." + fraction
      }
      let (left, right) = (try #require(DecimalPrice(texts[0])), try #require(DecimalPrice(texts[1])))
      let decimals = try texts.map { try #require(Decimal(string: $0)) }
      #expect(left.description == decimals[0].description)
      #expect((left - right).description == (decimals[0] - decimals[1]).description, "\(texts)")
      #expect((left < right) == (decimals[0] < decimals[1]) && (left == right) == (decimals[0] == decimals[1]))
      let again = try #require(DecimalPrice(texts[0] + "e0"))
      #expect(again == left && again.hashValue == left.hashValue && JavaDouble.text(again) == JavaDouble.text(left))
    }
  }
}
