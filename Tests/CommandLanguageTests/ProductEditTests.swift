import Catalog
import CommandLanguage
import Foundation
import TestSupport
import Testing
import Text

/// Arithmetic on prices, compared with fixed-point integers of 128 bits, which are independent of `Decimal`.
@Suite(.computesLong) struct ProductEditTests {
  /// A number in units of 10^-10.
  private struct Fixed {
    var units: Int128
    static let one: Int128 = 10_000_000_000

    init(_ units: Int128) { self.units = units }

    /// Creates a number from digits with up to ten decimals.
    init(_ text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let fraction = parts.count > 1 ? String(parts[1]) : ""
      units = Int128(String(parts[0]) + fraction + String(repeating: "0", count: 10 - fraction.count)) ?? 0
    }

    /// Returns the number rounded half to even, to a multiple of `step`.
    func rounded(to step: Int128) -> Fixed {
      let (quotient, rest) = units.quotientAndRemainder(dividingBy: step)
      let isUp = rest * 2 > step || (rest * 2 == step && quotient % 2 != 0)
      return Fixed((quotient + (isUp ? 1 : 0)) * step)
    }

    /// The number without trailing zeros.
    var text: String {
      let (whole, fraction) = units.quotientAndRemainder(dividingBy: Fixed.one)
      var digits = String(String(fraction + Fixed.one).dropFirst())
      while digits.hasSuffix("0") { digits.removeLast() }
      return digits.isEmpty ? "\(whole)" : "\(whole).\(digits)"
    }
  }

  private func number(_ digits: Int, _ decimals: Int, _ random: inout SplitMix64) -> String {
    let whole = Int.random(
      in: 0..<(0..<Int.random(in: 1...digits, using: &random)).reduce(1) { power, _ in power * 10 }, using: &random)
    let count = Int.random(in: 0...decimals, using: &random)
    let fraction = (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    return fraction.isEmpty ? "\(whole)" : "\(whole).\(fraction)"
  }

  @Test func everyOperatorEqualsFixedPointArithmetic() throws {
    var random = SplitMix64(11)
    for _ in 0..<(Trial.isLong ? 100_000 : 2_000) {
      let (price, operand) = (number(12, 2, &random), number(4, 6, &random))
      let sign = ["+=", "-=", "*="].randomElement(using: &random) ?? "+="
      let percent = Bool.random(using: &random) ? "%" : ""
      let step = [nil, "100", "10", "0.05", "3", "0.5", "990"].randomElement(using: &random) ?? nil
      let current = Fixed(price).units
      let factor = Fixed(operand).units
      // 10^12 with 2 decimals times 10^4 with 6 is below 2^127 in these units.
      let exact: Int128 =
        switch (sign, percent) {
        case ("+=", ""): current + factor
        case ("-=", ""): current - factor
        case ("+=", _): current + current / 100_000_000 * factor / 10_000
        case ("-=", _): current - current / 100_000_000 * factor / 10_000
        case (_, ""): current / 100_000_000 * factor / 100
        default: current / 100_000_000 * factor / 10_000
        }
      let wanted = Fixed(exact).rounded(to: step.map { Fixed($0).units } ?? Fixed.one / 100)
      let line = "patch 32 price\(sign)\(operand)\(percent)" + (step.map { " round \($0)" } ?? "")
      let invocation = try Sample.grammar.read(line)[0]
      var product = Sample.product
      product.price = Amount(typed: price)
      let edits = try ProductEdit(invocation.assignments, round: invocation.text("round"), limits: .server)
      let got = try? edits.applied(to: product).price?.description
      if wanted.units < 0 || wanted.text.split(separator: ".")[0].count > 15 {
        #expect(got == nil, "\(price) \(line)")
      } else {
        #expect(got == wanted.text, "\(price) \(line)")
      }
    }
  }

  /// Values that a file, a snapshot or another market states are checked as typed ones are.
  @Test(
    arguments: [
      ([.price: .amount(Amount(9)), .stock: .number(3)], .documented, ProductValues(price: Amount(9), stock: 3), nil),
      ([.sale: .amount(Amount(6)), .vendor: .text("x")], .documented, ProductValues(discount: Amount(4)), nil),
      ([.currency: .text("usd")], .documented, ProductValues(currency: .usd), nil),
      ([.name: .text("ab")], .server, ProductValues(name: "ab"), nil),
      ([.stock: .number(-3)], .server, ProductValues(stock: -3), nil),
      ([.name: .text("ab")], .documented, nil, "name has 2 characters, but must have 3 to 100."),
      ([.stock: .number(-3)], .documented, nil, "Invalid value for stock: -3."),
      ([.price: .amount(Amount(-1))], .server, nil, "Invalid value for price: -1."),
      ([.discount: .amount(Amount(11))], .documented, nil, "discount ₩11 is higher than the price ₩10."),
      (
        [.sale: .amount(Amount(6)), .discount: .amount(Amount(1))], .documented, nil,
        "sale and discount cannot both be set."
      ),
    ] as [([ProductField: FieldValue], LimitPolicy, ProductValues?, String?)])
  func valuesAreSetAsTypedOnes(
    _ values: [ProductField: FieldValue], _ limits: LimitPolicy, _ expected: ProductValues?, _ message: String?
  ) {
    let product = Product(
      id: 1, name: "cup", price: Amount(10), discount: .zero, sale: Amount(10), currency: .krw, stock: 1)
    do throws(ParseError) {
      #expect(try ProductEdit(setting: values, limits: limits).changes(of: product).to == expected)
    } catch {
      #expect(error.message[.english].plain == message)
    }
  }
}
