import Catalog
import Text

/// A parsed and validated assignment to a field.
package struct ParsedAssignment: Hashable, Sendable {
  /// The value, as far as it can be interpreted without the product.
  package enum Value: Hashable, Sendable {
    case text(String)
    case number(Amount)
    case percent(Amount)
    case formula(Formula)
    case substitution(Substitution)
  }

  package var field: ProductField
  package var operation: Assignment.Operator
  package var value: Value
  /// The currency that the symbol of an amount implies: `₩18,500`.
  package private(set) var sign: Currency?
  package var range: Range<Int>

  /// Parses an assignment with a shared field name.
  ///
  /// The content of files must already be in its value.
  ///
  /// - Throws: `ParseError` for an invalid value.
  package init(_ assignment: Assignment, field: ProductField, limits policy: LimitPolicy) throws(ParseError) {
    self.field = field
    operation = assignment.operation
    range = assignment.range
    let text = assignment.value
    if let formula = assignment.formula {
      value = .formula(formula)
      return
    }
    switch (field, operation) {
    case (.name, .substitute), (.description, .substitute): value = .substitution(try Substitution(text))
    case (.price, .substitute), (.discount, .substitute), (.sale, .substitute), (.stock, .substitute):
      throw ParseError(
        LocalizedText(
          "Only \(.field("name")) and \(.field("description")) support substitutions.",
          ko: "문자열 치환은 \(.field("name"))과 \(.field("description"))에만 쓸 수 있습니다."), at: range)
    case (.price, .set), (.discount, .set), (.sale, .set):
      let money = try FieldValueParser.money(text, of: field, at: range)
      value = .number(money.amount)
      sign = money.currency
    case (.stock, .set):
      let digits = text.withPlainDigits
      let plain = FormattedAmount(digits).flatMap { $0.currency == nil ? $0.amount.description : nil } ?? text
      value = .number(Amount(try FieldValueParser.stock(plain, policy, at: range)))
    case (.price, _), (.discount, _), (.sale, _), (.stock, _):
      let money = FormattedAmount(text.withPlainDigits)
      value = try ParsedAssignment.operand(
        money?.amount.description ?? text.withPlainDigits, field: field, operation: operation, at: range)
      sign = money?.currency
    case (.name, .set), (.description, .set):
      value = .text(try FieldValueParser.text(text, of: field, policy, at: range))
    case (.currency, .set): value = .text(try FieldValueParser.currency(text, at: range).code)
    case (.thumbnail, .set):
      guard let number = NumberLiteral.integer(text), number > 0 else {
        throw ParseError(
          LocalizedText(
            "\(.field(field)) must be the number of an image, from 1.", ko: "\(.field(field)) 값은 1부터 시작하는 사진 번호입니다."),
          at: range)
      }
      value = .number(Amount(number))
    case (.name, _), (.description, _), (.currency, _), (.thumbnail, _), (.id, _), (.vendor, _), (.vendorID, _),
      (.created, _), (.modified, _), (.images, _):
      throw ParseError(
        LocalizedText(
          "\(.field(field)) does not support \(.command(operation.rawValue)).",
          ko: "\(.field(field)) 값은 \(.command(operation.rawValue)) 기호로 바꿀 수 없습니다."), at: range)
    }
  }

  /// A Boolean value that indicates whether the value depends on other values of the product.
  var isComputed: Bool {
    if case .formula = value { return true }
    return false
  }

  /// Validates the parsed value against a limit policy.
  ///
  /// - Throws: `ParseError` for a value that `policy` doesn't allow.
  func check(_ policy: LimitPolicy) throws(ParseError) {
    switch (field, value) {
    case (.name, .text(let text)), (.description, .text(let text)):
      _ = try FieldValueParser.text(text, of: field, policy, at: range)
    case (.stock, .number(let number)) where operation == .set:
      _ = try FieldValueParser.stock(number.description, policy, at: range)
    case (_, .text), (_, .number), (_, .percent), (_, .formula), (_, .substitution): break
    }
  }

  /// Parses an operand: `10`, `0.9`, `10%`.
  private static func operand(
    _ text: String, field: ProductField, operation: Assignment.Operator, at range: Range<Int>
  ) throws(ParseError) -> Value {
    let isPercent = text.hasSuffix("%")
    if let number = NumberLiteral.decimal(isPercent ? String(text.dropLast()) : text), number >= 0 {
      return isPercent ? .percent(number) : .number(number)
    }
    let shown = FieldValueParser.quotedIfEmpty(text)
    throw ParseError(
      LocalizedText(
        "\(.command(field.rawValue + operation.rawValue)) needs a number, not \(shown).",
        ko: "\(.command(field.rawValue + operation.rawValue)) 뒤에는 수가 옵니다. \(shown, .topic) 수가 아닙니다."),
      suggestion: LocalizedText(
        "For example: \(.command("price-=1000")), \(.command("price-=10%")) or \(.command("price*=0.9")).",
        ko: "\(.command("price-=1000")), \(.command("price-=10%")), \(.command("price*=0.9"))처럼 씁니다."), at: range)
  }
}

/// A typed assignment, `field=value`.
///
/// The command decides what the value means.
package struct Assignment: Hashable, Sendable {
  /// The operation on the existing value.
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case set = "="
    case add = "+="
    case subtract = "-="
    case multiply = "*="
    /// A substitution: `name~s/a/b/`.
    case substitute = "~"
  }

  package var name: String
  package var operation: Operator
  package var value: String
  /// A Boolean value that indicates an unquoted `@path`, whose file is read (`@-` means standard input).
  ///
  /// `value` is the path.
  package var isFile: Bool
  /// A Boolean value that indicates a quoted value, which is text even if it looks like a number.
  package var isQuoted = false
  /// The formula of a computed value: `round(price*1.1, 100)`, `10%`.
  package var formula: Formula?
  /// The position in the line, in Unicode scalars.
  package var range: Range<Int>

  package init(_ name: String, _ operation: Operator, to value: String, isFile: Bool = false, range: Range<Int>) {
    self.name = name
    self.operation = operation
    self.value = value
    self.isFile = isFile
    self.range = range
  }
}

extension Assignment {
  /// The names whose values must not be typed in a line.
  package static let secretNames = ["secret", "password", "passwd", "weather_key"]

  /// Returns whether one of those names occurs in the text, ignoring case.
  package static func mentionsSecretName(_ text: String) -> Bool {
    let lowered = Array(text.lowercased().utf8)
    return secretNames.contains { name in
      lowered.indices.contains { lowered[$0...].starts(with: name.utf8) }
    }
  }

  /// Returns the word as an assignment, or `nil` if it doesn't begin with a bare name and operator.
  ///
  /// `"a=b"` and a variable `$x` that contains `a=b` are text.
  package static func split(_ word: Word) -> Assignment? {
    let bare = word.bareBeginning
    guard let equals = bare.firstIndex(where: { $0 == "=" || $0 == "~" }) else { return nil }
    var name = bare[..<equals]
    var operation = Operator.set
    switch name.last {
    case "+": operation = .add
    case "-": operation = .subtract
    case "*": operation = .multiply
    default: break
    }
    if bare[equals] == "~" {
      guard operation == .set else { return nil }
      operation = .substitute
    } else if operation != .set {
      name = name.dropLast()
    }
    guard let first = name.unicodeScalars.first, Lexer.isNameStart(first),
      name.unicodeScalars.allSatisfy({ Lexer.isName($0) || $0 == "-" || $0 == "." || $0 == "[" || $0 == "]" })
    else { return nil }
    var value = bare[bare.index(after: equals)...] + word.parts.dropFirst().map(\.text).joined()
    let isFile = bare[bare.index(after: equals)...].first == "@"
    if isFile { value = value.dropFirst() }
    var assignment = Assignment(String(name), operation, to: String(value), isFile: isFile, range: word.range)
    assignment.isQuoted = word.parts.contains { $0.kind == .quoted }
    return assignment
  }

  /// Returns the error for a secret in a line, which would end up in histories, scripts and process lists.
  static func inlineSecretError(of assignment: Assignment) -> ParseError? {
    guard secretNames.contains(assignment.name.lowercased()), !assignment.isFile else { return nil }
    return ParseError(
      LocalizedText(
        "Do not type a secret on the command line. It would end up in histories and scripts.",
        ko: "시크릿은 명령에 직접 적지 마세요. 입력 기록과 스크립트에 남습니다."),
      suggestion: LocalizedText(
        "Leave it out to be asked for it, or read it from a file: \(.command("\(assignment.name)=@file")).",
        ko: "생략하면 화면에 보이지 않게 물어봅니다. 또는 \(.command("\(assignment.name)=@file"))처럼 적습니다."),
      at: assignment.range)
  }
}
