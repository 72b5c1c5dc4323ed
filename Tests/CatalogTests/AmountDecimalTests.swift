import Catalog
import Foundation
import TestSupport
import Testing
import Text

/// 64-bit amounts have the same results, order and text as `Decimal`.
@Suite struct AmountDecimalTests {
  private static func random(_ dice: inout SplitMix64) -> (units: Int, exponent: Int) {
    let digits = Int.random(in: 0...18, using: &dice)
    let bound = (0..<digits).reduce(1) { bound, _ in bound * 10 }
    return (Int.random(in: -bound...bound, using: &dice), Int.random(in: -6...6, using: &dice))
  }

  private static func decimal(_ number: (units: Int, exponent: Int)) -> Decimal {
    Decimal(
      sign: number.units < 0 ? .minus : .plus, exponent: number.exponent, significand: Decimal(number.units.magnitude))
  }

  @Test func arithmeticAndOrderEqualThoseOfDecimal() {
    var dice = SplitMix64(77)
    for _ in 0..<Trial.count(5_000, long: 20_000) {
      let (left, right) = (Self.random(&dice), Self.random(&dice))
      let (a, b) = (
        Amount(units: left.units, exponent: left.exponent), Amount(units: right.units, exponent: right.exponent)
      )
      let (x, y) = (Self.decimal(left), Self.decimal(right))
      #expect(a == Amount(x) && a.decimalValue == x)
      #expect(a.hashValue == Amount(x).hashValue)
      #expect((a < b) == (x < y) && (a == b) == (x == y))
      #expect((a + b).decimalValue == x + y && (a - b).decimalValue == x - y && (a * b).decimalValue == x * y)
      #expect(a.description == x.description)
      #expect(Amount(plain: a.description) == a)
      #expect(a.rounded(to: 2) == Amount(x).rounded(to: 2))
      if b != 0 { #expect(a.divided(by: b).decimalValue == x / y) }
    }
  }

  @Test(arguments: [
    ("0", 0, 0), ("-0.5", -5, -1), ("60000000", 6, 7), ("0.000001", 1, -6), ("100000000000000000000000", 1, 23),
    ("-12.34", -123_400, -4),
  ])
  func textEqualsThatOfDecimal(_ text: String, _ units: Int, _ exponent: Int) {
    #expect(Amount(units: units, exponent: exponent).description == text)
    #expect(Amount(plain: text) == Amount(units: units, exponent: exponent))
  }
}
