import Catalog
import Text

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

  package init(_ name: String, _ operation: Operator, _ value: String, isFile: Bool = false, range: Range<Int>) {
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
    var assignment = Assignment(String(name), operation, String(value), isFile: isFile, range: word.range)
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

/// The validation of one field of a form, while it is typed and at the end.
package struct FieldValidator: Hashable, Sendable {
  package let field: ProductField
  package let limits: LimitPolicy

  package init(_ field: ProductField, limits: LimitPolicy = .documented) {
    self.field = field
    self.limits = limits
  }

  /// Returns the error in the complete text, or `nil` if it is valid.
  package func validate(of text: String) -> LocalizedText? {
    do throws(ParseError) {
      switch field {
      case .price, .sale: _ = try FieldValueParser.money(text, of: field)
      case .discount: if Percentage(text) == nil { _ = try FieldValueParser.money(text, of: field) }
      case .stock: _ = try FieldValueParser.stock(text)
      case .currency:
        let currency = try FieldValueParser.currency(text)
        if limits == .documented, !currency.isDocumented { return FieldValidator.noCurrency(currency) }
      case .name, .description: _ = try FieldValueParser.text(text, of: field, limits)
      case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: break
      }
      return nil
    } catch {
      // The advice to change the limits refers to settings, which can't be changed inside a form.
      guard let next = error.suggestion, field != .name, field != .description else { return error.message }
      return LocalizedText("\(error.message.english) \(next.english)", ko: "\(error.message.korean) \(next.korean)")
    }
  }

  private static func noCurrency(_ currency: Currency) -> LocalizedText {
    let known = FieldSummary.of(.currency)
    return LocalizedText(
      "\(.foreign(currency.code)) is not one of \(known.english).",
      ko: "\(.foreign(currency.code), .topic) API 문서의 통화(\(known.korean))가 아닙니다.")
  }

  /// Returns a counter such as `12/100`, or `nil` for a field without a maximum length.
  package func counter(of text: String) -> String? {
    switch field {
    case .name: "\(text.count)/\(DocumentedLimits.name.upperBound)"
    case .description: "\(text.count)/\(DocumentedLimits.description.upperBound)"
    case .id, .price, .discount, .sale, .currency, .stock, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      nil
    }
  }
}

/// The one-line descriptions of fields, for completion and help.
package enum FieldSummary {
  package static func of(_ name: String) -> LocalizedText? { ProductField(rawValue: name).map { of($0) } }

  package static func of(_ field: ProductField) -> LocalizedText {
    switch field {
    case .id: LocalizedText("product ID", ko: "상품 번호")
    case .name: LocalizedText("3 to 100 characters", ko: "3~100자")
    case .description: LocalizedText("10 to 1000 characters", ko: "10~1000자")
    case .price: LocalizedText("list price", ko: "정가")
    case .discount: LocalizedText("amount off the price", ko: "할인 금액")
    case .sale: LocalizedText("price after discount", ko: "판매가")
    case .currency: LocalizedText("KRW, USD, JPY, HKD", ko: "KRW, USD, JPY, HKD")
    case .stock: LocalizedText("number in stock", ko: "재고")
    case .vendor: LocalizedText("vendor name", ko: "판매자 이름")
    case .vendorID: LocalizedText("vendor ID", ko: "판매자 번호")
    case .created: LocalizedText("creation date", ko: "등록일")
    case .modified: LocalizedText("date of the last update", ko: "수정일")
    case .thumbnail: LocalizedText("thumbnail image", ko: "대표 사진")
    case .images: LocalizedText("all images", ko: "사진")
    }
  }
}
