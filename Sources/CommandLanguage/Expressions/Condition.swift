import Catalog
import Networking
import Text

/// A condition on a product: `stock=0 and (price>10000 or name~"맥북")`.
///
/// The description is in the notation of the language and parses as the same expression.
package indirect enum Condition: Hashable, Sendable {
  case compare(Operand, Comparison, LiteralValue)
  /// A comparison of values that doesn't need a product: `$p.price > 500`.
  case value(ValueComparison)
  /// A comparison of two numbers, at least one of them computed: `sale<price*0.5`.
  case compareFormulas(Formula, Comparison, Formula)
  /// A test for membership: `field in (a, b)`.
  case isIn(Operand, [LiteralValue])
  case not(Condition)
  /// The conjunction of two or more terms, in the order written.
  case all([Condition])
  case any([Condition])

  /// Parses a complete text as one expression.
  ///
  /// - Throws: `ParseError` at the position of the error.
  package static func read(_ text: String, names: FieldNameTable = .editionIndependent) throws(ParseError) -> Condition
  {
    let lexer = Lexer(text, isCondition: true)
    if let problem = lexer.error { throw problem }
    var words: [Word] = []
    for token in lexer.tokens {
      guard case .word(let word) = token else {
        throw ParseError(
          LocalizedText("Unexpected character in the condition.", ko: "조건에 쓸 수 없는 문자입니다."), at: token.range)
      }
      words.append(word)
    }
    let (expression, used) = try parse(words, names, after: text.unicodeScalars.count)
    if used < words.count { throw ExpressionParser.trailingInputError(words[used].range) }
    return expression
  }

  /// Parses words that aren't part of a line, so that an error has no position in one.
  private static func parse(
    _ words: [Word], _ names: FieldNameTable, after end: Int
  ) throws(ParseError) -> (Condition, used: Int) {
    do throws(ParseError) {
      return try read(words[...], names: names, after: end)
    } catch {
      var plain = error
      plain.showsCaret = false
      throw plain
    }
  }

  /// Parses the longest expression at the beginning of the words, and returns the number of words it has.
  ///
  /// `end` is the position of errors about something missing at the end.
  ///
  /// - Throws: `ParseError` at the position of the error.
  package static func read(
    _ words: ArraySlice<Word>, names: FieldNameTable, after end: Int
  ) throws(ParseError) -> (Condition, used: Int) {
    do throws(ParseError) {
      var parser = ExpressionParser(words, names: names, end: end)
      let condition = try parser.condition()
      return (condition, try parser.consumedWords())
    } catch {
      var pointing = error
      pointing.showsCaret = true
      throw pointing
    }
  }
}

extension Condition {
  /// The product fields that the condition uses.
  package var fields: Set<ProductField> {
    switch self {
    case .compare(let operand, _, let right):
      if case .fieldReference(let other) = right.meaning {
        [other, operand.field ?? other]
      } else {
        operand.field.map { [$0] } ?? []
      }
    case .isIn(let operand, _): operand.field.map { [$0] } ?? []
    case .compareFormulas(let left, _, let right): left.fields.union(right.fields)
    case .value: []
    case .not(let term): term.fields
    case .all(let terms), .any(let terms): terms.reduce(into: []) { $0.formUnion($1.fields) }
    }
  }
}

extension Condition {
  /// The comparisons of values, in the order written.
  package var valueComparisons: [ValueComparison] {
    switch self {
    case .value(let comparison): [comparison]
    case .compare, .isIn, .compareFormulas: []
    case .not(let term): term.valueComparisons
    case .all(let terms), .any(let terms): terms.flatMap(\.valueComparisons)
    }
  }
}

extension Condition {
  /// A Boolean value that indicates whether the condition uses `me`, the current vendor.
  package var referencesCurrentVendor: Bool {
    switch self {
    case .compare(_, _, let literal): literal == .me
    case .compareFormulas, .value: false
    case .isIn(_, let literals): literals.contains(.me)
    case .not(let term): term.referencesCurrentVendor
    case .all(let terms), .any(let terms): terms.contains(where: \.referencesCurrentVendor)
    }
  }
}

extension Condition {
  /// The codes that the currency is compared with for equality, as typed.
  package var currencies: [String] {
    switch self {
    case .compare(.field(.currency), .equal, let code), .compare(.field(.currency), .notEqual, let code): [code.text]
    case .isIn(.field(.currency), let codes): codes.map(\.text)
    case .compare, .isIn, .compareFormulas, .value: []
    case .not(let term): term.currencies
    case .all(let terms), .any(let terms): terms.flatMap(\.currencies)
    }
  }
}

extension Condition {
  /// The texts in typographic quotation marks, which are compared with these marks.
  package var curlyTexts: [String] {
    switch self {
    case .compare(_, _, let literal):
      literal.meaning == .text && CurlyQuotes.enclose(literal.text) ? [literal.text] : []
    case .isIn(_, let literals): literals.map(\.text).filter(CurlyQuotes.enclose)
    case .compareFormulas, .value: []
    case .not(let term): term.curlyTexts
    case .all(let terms), .any(let terms): terms.flatMap(\.curlyTexts)
    }
  }
}

extension Condition: CustomStringConvertible {
  /// The expression in the notation of the language, with no more parentheses and quotes than necessary.
  package var description: String {
    switch self {
    case .compare(let left, let comparison, let right):
      Condition.text(left) + comparison.rawValue + Condition.text(right)
    case .compareFormulas(let left, let comparison, let right):
      left.description + comparison.rawValue + right.description
    case .value(let comparison): comparison.description
    case .isIn(let left, let items):
      Condition.text(left) + " in (" + items.map(Condition.text).joined(separator: ", ") + ")"
    case .not(let inner):
      "not " + (inner.bindsTighterThanAnd ? inner.description : "(" + inner.description + ")")
    case .all(let terms):
      terms.map { $0.bindsTighterThanAnd ? $0.description : "(" + $0.description + ")" }.joined(separator: " and ")
    case .any(let terms):
      terms.map { $0.isAny ? "(" + $0.description + ")" : $0.description }.joined(separator: " or ")
    }
  }

  /// A Boolean value that indicates whether the expression binds tighter than `and`.
  private var bindsTighterThanAnd: Bool {
    switch self {
    case .compare, .isIn, .compareFormulas, .value, .not: true
    case .all, .any: false
    }
  }

  private var isAny: Bool {
    if case .any = self { return true }
    return false
  }

  private static func text(_ operand: Operand) -> String {
    switch operand {
    case .field(let field): field.rawValue
    case .column(let name): name
    }
  }

  private static func text(_ literal: LiteralValue) -> String {
    if case .pattern(let pattern) = literal.meaning { return pattern.description }
    // Unquoted it would be a regular expression.
    if literal.text.unicodeScalars.first == "/" { return Quoting.quote(literal.text, always: true) }
    let hasSign = literal.text.unicodeScalars.contains { "()=<>!~,".unicodeScalars.contains($0) }
    return Quoting.quote(literal.text, always: hasSign)
  }
}

/// The left side of a comparison with a product or a row.
package enum Operand: Hashable, Sendable {
  case field(ProductField)
  /// A column of a table whose rows aren't products.
  case column(String)
}

extension Operand {
  var field: ProductField? {
    switch self {
    case .field(let field): field
    case .column: nil
    }
  }
}

/// One side of a comparison between values: its typed value and its notation.
package struct ValueOperand: Hashable, Sendable {
  /// The variable, such as `$p.price`, or `nil` for a value in the line itself.
  package let name: String?
  /// The value, or `nil` for a variable without a value in a line that is only checked.
  package let value: NamedValue?
  /// A Boolean value that indicates text without quotes: bare `null` tests for null, and bare `300ms` next to a number
  /// is a number.
  let isBare: Bool

  /// Creates the value of a variable, or a text of several parts.
  init(_ parts: [Word.Part], _ text: String) {
    isBare = false
    let said = parts.filter { $0.kind != .quoted || !$0.text.isEmpty }
    if said.count == 1, parts.count == 1, said[0].kind == .variable {
      name = said[0].name
      value = said[0].value
      return
    }
    name = nil
    let isKnown = said.allSatisfy { $0.kind != .variable || $0.value?.text != nil }
    value = isKnown ? .value(.string(text)) : nil
  }

  /// Creates the value of a word without quotes.
  init(bareWord text: String) {
    name = nil
    value = .value(JSON(bareWord: text))
    isBare = true
  }

  /// A Boolean value that indicates a text, or a variable without a value, which may be one.
  var isText: Bool {
    switch value {
    case .value(.string), nil: true
    case .value, .elements, .missing: false
    }
  }

  init(name: String?, _ value: NamedValue?, isBare: Bool = false) {
    self.name = name
    self.value = value
    self.isBare = isBare
  }
}

extension ValueOperand {
  /// Returns whether both sides have the same value, however they are written.
  package static func == (left: ValueOperand, right: ValueOperand) -> Bool { left.value == right.value }

  package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension ValueOperand: CustomStringConvertible {
  /// The value in the notation of the language.
  package var description: String {
    switch value {
    case .value(.string(let text)): Quoting.quote(text, always: true)
    case .value(.null), .value(.bool), .value(.number): value?.json?.serialized ?? ""
    case .value(let json): Quoting.quote(json.serialized, always: true)
    case .elements, .missing, nil: name ?? "''"
    }
  }
}
