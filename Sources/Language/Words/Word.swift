import Catalog

/// One word of a line, with what it was made of: only text that was typed bare can be an option word or an operator.
package struct Word: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case bare
    /// Within quotes, or after a backslash.
    case quoted
    /// Out of a variable; before expansion `text` is the name, without the dollar sign: `name`, `name.field`, `1`, `@`,
    /// or a reference such as `_.price` and `@3.name`.
    case variable
  }

  /// A stretch of one kind.
  package struct Part: Hashable, Sendable {
    package var kind: Kind
    package var text: String
    package var range: Range<Int>
  }

  package var parts: [Part]
  /// In Unicode scalars of the line.
  package var range: Range<Int>
  /// The variable in it that has no value; what such a word says cannot be checked.
  package var unknown: String?

  package init(parts: [Part], range: Range<Int>) {
    self.parts = parts
    self.range = range
  }

  /// What the word says.
  package var text: String { parts.map(\.text).joined() }

  /// What the word says when all of it was typed bare: the only words that can be options, clauses or operators.
  package var bare: String? {
    guard parts.allSatisfy({ $0.kind == .bare }) else { return nil }
    return text
  }

  /// The bare text it begins with; empty when it begins with a quote or a variable.
  package var bareBeginning: String {
    guard let first = parts.first, first.kind == .bare else { return "" }
    return first.text
  }

  package var isUnknown: Bool { unknown != nil }
}
