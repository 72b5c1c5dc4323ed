import Catalog
import Foundation

/// A number computed from a product's fields with exact decimals: `price*0.9`, `round(price*1.1, 100)`, `max(stock,
/// 5)`, `len(name)`.
///
/// Conditions and assignments share this grammar. The description parses as the same formula.
package indirect enum Formula: Hashable, Sendable {
  /// The arithmetic operators.
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
  }

  case number(Amount)
  /// A percentage, `10%`: relative to the left side after `+` and `-`, otherwise hundredths.
  case percent(Amount)
  /// A numeric field.
  case field(ProductField)
  /// A number that isn't of a product: a column of a supplier's file.
  case variable(String)
  /// The number of characters (grapheme clusters) of a text field.
  case length(ProductField)
  case negative(Formula)
  case binary(Formula, Operator, Formula)
  case round(Formula, step: Amount, Amount.Rounding)
  /// The minimum of one or more formulas.
  case min([Formula])
  case max([Formula])

  /// The fields that the formula uses.
  package var fields: Set<ProductField> {
    switch self {
    case .number, .percent, .variable: []
    case .field(let field), .length(let field): [field]
    case .negative(let term), .round(let term, _, _): term.fields
    case .binary(let left, _, let right): left.fields.union(right.fields)
    case .min(let terms), .max(let terms): terms.reduce(into: []) { $0.formUnion($1.fields) }
    }
  }

  /// Returns whether a text begins like a formula: with a field, a function, a sign or a parenthesis.
  static func looksLikeFormula(_ text: String, _ names: FieldNameTable) -> Bool {
    let head = text.drop { $0 == "-" || $0 == "(" }.prefix { !"+-*/(), %".contains($0) }
    if names.field(String(head)) != nil { return true }
    if functionNames.contains(String(head)), text.contains("(") { return true }
    return NumberLiteral.decimal(String(head)) != nil
      && text.dropFirst().contains { Operator(rawValue: String($0)) != nil }
  }

  /// Parses a complete text as one formula.
  ///
  /// - Throws: `ParseError` at the position of the error.
  package static func read(_ text: String, names: FieldNameTable = .editionIndependent) throws(ParseError) -> Formula {
    var parser = ExpressionParser(
      formula: ExpressionToken.tokenize(text), names: names, end: text.unicodeScalars.count)
    let formula = try parser.formula()
    try parser.requireEnd()
    return formula
  }
}

extension Formula {
  /// The names of the functions that a formula may call.
  package static let functionNames = ["round", "min", "max", "len"]

  /// Returns the value for a product, or `nil` if a field isn't known, for a division by zero, or for a number of 10^30
  /// or more.
  package func value(of product: Product) -> Amount? {
    value { leaf in
      switch leaf {
      case .field(let field): product[field]?.numericValue
      case .length(let field): product.text(of: field).map { Amount($0.count) }
      case .number, .percent, .variable, .negative, .binary, .round, .min, .max: nil
      }
    }
  }

  /// Returns the value for these variables, or `nil` if one of them isn't known, and otherwise as ``value(of:)`` does.
  package func value(of variables: [String: Amount]) -> Amount? {
    value { leaf in if case .variable(let name) = leaf { variables[name] } else { nil } }
  }

  /// The names of the variables that the formula uses.
  package var variables: Set<String> {
    switch self {
    case .variable(let name): [name]
    case .number, .percent, .field, .length: []
    case .negative(let term), .round(let term, _, _): term.variables
    case .binary(let left, _, let right): left.variables.union(right.variables)
    case .min(let terms), .max(let terms): terms.reduce(into: []) { $0.formUnion($1.variables) }
    }
  }

  /// Returns the value, with `known` for fields and variables.
  private func value(_ known: (Formula) -> Amount?) -> Amount? {
    guard let value = computed(known), value.isFinite, -Formula.bound < value, value < Formula.bound else { return nil }
    return value
  }

  private static let hundredth = Amount(units: 1, exponent: -2)
  /// The limit of results.
  ///
  /// No price or stock is as large; a larger result is a mistake, and soon wouldn't be exact.
  private static let bound = Amount(units: 1, exponent: 30)

  private func computed(_ known: (Formula) -> Amount?) -> Amount? {
    switch self {
    case .number(let number): return number
    case .percent(let percent): return percent * Formula.hundredth
    case .field, .length, .variable: return known(self)
    case .negative(let term): return term.value(known).map { -$0 }
    case .binary(let left, let sign, let right):
      guard let base = left.value(known) else { return nil }
      if case .percent(let percent) = right {
        switch sign {
        case .add: return base + base * percent * Formula.hundredth
        case .subtract: return base - base * percent * Formula.hundredth
        case .multiply, .divide: break
        }
      }
      guard let operand = right.value(known) else { return nil }
      switch sign {
      case .add: return base + operand
      case .subtract: return base - operand
      case .multiply: return base * operand
      case .divide: return operand == .zero ? nil : base.divided(by: operand)
      }
    case .round(let term, let step, let rounding):
      return term.value(known).map { $0.rounded(toStep: step, half: rounding) }
    case .min(let terms):
      let values = terms.compactMap { $0.value(known) }
      return values.count == terms.count ? values.min() : nil
    case .max(let terms):
      let values = terms.compactMap { $0.value(known) }
      return values.count == terms.count ? values.max() : nil
    }
  }
}

extension Formula: CustomStringConvertible {
  package var description: String {
    switch self {
    case .number(let number): number.description
    case .percent(let percent): percent.description + "%"
    case .field(let field): field.rawValue
    case .variable(let name): name
    case .length(let field): "len(\(field.rawValue))"
    case .negative(let term): "-" + term.parenthesized(.negative)
    case .binary(let left, let sign, let right):
      left.parenthesized(sign.precedence) + sign.rawValue + right.parenthesized(sign.precedence.next)
    case .round(let term, let step, .toNearestOrEven): "round(\(term), \(step))"
    case .round(let term, let step, .toNearestOrAwayFromZero): "round(\(term), \(step), up)"
    case .min(let terms): "min(" + terms.map(\.description).joined(separator: ", ") + ")"
    case .max(let terms): "max(" + terms.map(\.description).joined(separator: ", ") + ")"
    }
  }

  private var precedence: ExpressionPrecedence {
    switch self {
    case .number(let number): number < .zero ? .negative : .atom
    case .percent, .field, .variable, .length, .round, .min, .max: .atom
    case .negative: .negative
    case .binary(_, let sign, _): sign.precedence
    }
  }

  private func parenthesized(_ minimum: ExpressionPrecedence) -> String {
    precedence < minimum ? "(" + description + ")" : description
  }
}
