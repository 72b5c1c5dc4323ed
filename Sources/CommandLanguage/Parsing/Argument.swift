import Catalog

/// The parsed argument: one word, list or condition.
package struct Argument: Hashable, Sendable {
  /// The parsed value.
  package enum Value: Hashable, Sendable {
    /// A text, or a word whose variable has no value yet.
    case text
    case number(Int)
    case target(ProductSelector)
    case expression(Condition)
    case fields([ProductField])
    /// A variable that is the whole word, with the type of its value.
    case named(NamedValue)
  }

  /// The text in canonical form: fields by shared name, a currency in uppercase, a rate without `/s`, a condition as it
  /// is printed.
  package var text: String
  package var value: Value

  package init(_ text: String, _ value: Value = .text) {
    self.text = text
    self.value = value
  }

  init(_ expression: Condition) { self.init(expression.description, .expression(expression)) }
}
