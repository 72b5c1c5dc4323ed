import Catalog
import Foundation
import Text

extension Expression {
  /// Whether the condition holds for certain: a field that the edition does not give makes neither it nor its opposite true.
  ///
  /// `me` is the vendor who is logged in, nil when unknown.
  package func holds(for product: Product, me: Vendor? = nil) -> Bool {
    truth(me) { field, meaning in
      ComparedValue(field, of: product, beside: meaning)
    } formula: { formula in
      formula.value(of: product)
    } column: { _ in
      nil
    } == true
  }

  /// Whether the condition holds for certain of a row whose columns say these texts; nil is a column without a value.
  package func holds(column: (String) -> String?) -> Bool {
    truth(nil) { _, _ in
      nil
    } formula: { _ in
      nil
    } column: {
      column($0)
    } == true
  }

  private typealias FieldValue = (Field, Literal.Meaning) -> ComparedValue?
  private typealias ColumnValue = (String) -> String?

  /// True, false, or nil for unknown (Kleene's three-valued logic).
  private func truth(
    _ me: Vendor?, field: FieldValue, formula: (Formula) -> Amount?, column: ColumnValue
  ) -> Bool? {
    func inner(_ term: Expression) -> Bool? { term.truth(me, field: field, formula: formula, column: column) }
    func compare(_ left: Operand, _ comparison: Comparison, _ right: Literal) -> Bool? {
      if case .date(let other) = right.meaning {
        guard case .moment(let moment)? = field(other, right.meaning) else { return nil }
        return compare(left, comparison, Literal(moment, isDay: false))
      }
      let value: ComparedValue? =
        switch left {
        case .text(let text): ComparedValue(Literal(text), beside: right.meaning)
        case .field(let name): field(name, right.meaning)
        case .column(let name): column(name).map { ComparedValue(Literal($0), beside: right.meaning) }
        }
      if case .text(let code)? = value, left == .field(.currency) {
        // Codes are capitals by their standard; who types or serves them otherwise means the same.
        return ComparedValue.text(code.uppercased()).compared(comparison, Literal(currency: right.text), me)
      }
      return value?.compared(comparison, right, me)
    }
    switch self {
    case .compare(let left, let comparison, let right): return compare(left, comparison, right)
    case .among(let left, let items): return Expression.any(items) { compare(left, .equal, $0) }
    case .relate(let left, let comparison, let right):
      guard let left = formula(left), let right = formula(right) else { return nil }
      return ComparedValue.order(left, right, comparison)
    case .not(let term): return inner(term).map { !$0 }
    case .all(let terms): return Expression.any(terms) { inner($0).map { !$0 } }.map { !$0 }
    case .any(let terms): return Expression.any(terms, inner)
    }
  }

  private static func any<Term>(_ terms: [Term], _ truth: (Term) -> Bool?) -> Bool? {
    var result: Bool? = false
    for term in terms {
      let truth = truth(term)
      if truth == true { return true }
      if truth == nil { result = nil }
    }
    return result
  }
}

/// The left value of a comparison, brought to the type of the right one.
enum ComparedValue {
  case text(String)
  case number(Amount)
  case moment(Timestamp)

  /// Nil when the edition does not give the field.
  init?(_ field: Field, of product: borrowing Product, beside meaning: Literal.Meaning) {
    if meaning.isText {
      guard let text = product.text(of: field) else { return nil }
      self = .text(text)
      return
    }
    switch field {
    case .created, .modified:
      guard let moment = field == .created ? product.created : product.modified else { return nil }
      self = .moment(moment)
    case .vendor where meaning == .me:
      // A vendor's number is known sooner than the name.
      guard let value = product.vendorID.map({ ComparedValue.number(Amount($0)) }) ?? product.vendor.map({ .text($0) })
      else { return nil }
      self = value
    case .id, .name, .description, .price, .discount, .sale, .currency, .stock, .vendor, .vendorID, .thumbnail, .images:
      guard let number = ComparedValue.number(field, of: product) else { return nil }
      self = .number(number)
    }
  }

  /// A value that stands alone: as a number or a time when the other one is, else as text.
  init(_ literal: Literal, beside meaning: Literal.Meaning) {
    switch (literal.meaning, meaning) {
    case (.number(let number), .number): self = .number(number)
    case (.day, .day), (.moment, .day), (.day, .moment), (.moment, .moment):
      self = Timestamp(literal.text).map { .moment($0) } ?? .text(literal.text)
    case (.text, _), (.me, _), (.pattern, _), (.time, _), (.date, _), (.number, _), (.day, _), (.moment, _):
      self = .text(literal.text)
    }
  }

  /// Nil when it cannot be said: `me` without a login.
  func compared(_ comparison: Comparison, _ right: Literal, _ me: Vendor?) -> Bool? {
    switch (self, right.meaning) {
    case (.number(let left), .number(let right)): return ComparedValue.order(left, right, comparison)
    case (.moment(let left), .moment(let right)): return ComparedValue.order(left.seconds, right.seconds, comparison)
    case (.moment(let left), .day(let right)): return ComparedValue.order(Literal.day(of: left), right, comparison)
    case (.number(let left), .me): return me.flatMap { ComparedValue.order(left, Amount($0.id), comparison) }
    case (.text(let left), .me): return me?.name.flatMap { ComparedValue.texts(left, Literal($0), comparison) }
    case (.text(let left), .pattern(let pattern)): return pattern.isIn(left.precomposed) == (comparison == .contains)
    case (.text(let left), _): return ComparedValue.texts(left, right, comparison)
    // A time that was not resolved is no certain one.
    case (.number, .text), (.number, .day), (.number, .moment), (.number, .pattern), (.number, .time), (.number, .date),
      (.moment, .text), (.moment, .number), (.moment, .me), (.moment, .pattern), (.moment, .time), (.moment, .date):
      return nil
    }
  }

  fileprivate static func order<Value: Comparable>(_ left: Value, _ right: Value, _ comparison: Comparison) -> Bool? {
    switch comparison {
    case .equal: left == right
    case .different: left != right
    case .less: left < right
    case .atMost: left <= right
    case .more: left > right
    case .atLeast: left >= right
    case .contains, .lacks: nil
    }
  }

  /// Equal means equal in NFC; containing also ignores case.
  private static func texts(_ left: String, _ right: Literal, _ comparison: Comparison) -> Bool? {
    switch comparison {
    case .contains: (right.sought ?? SoughtText(right.text)).isIn(left)
    case .lacks: !(right.sought ?? SoughtText(right.text)).isIn(left)
    case .equal, .different, .less, .atMost, .more, .atLeast:
      order(left.precomposed, right.text.precomposed, comparison)
    }
  }

  static func number(_ field: Field, of product: Product) -> Amount? {
    switch field {
    case .id: Amount(product.id)
    case .price: product.price
    case .discount: product.discount
    case .sale: product.sale
    case .stock: product.stock.map { Amount($0) }
    case .vendorID: product.vendorID.map { Amount($0) }
    case .images: product.images.map { Amount($0.count) }
    case .name, .description, .currency, .vendor, .created, .modified, .thumbnail: nil
    }
  }
}
