import Catalog
import Text

/// The parser for values by their kind.
///
/// It returns the form that commands use.
struct ValueParser {
  let grammar: CommandParser
  let names: FieldNameTable

  func parse(_ text: String, _ parameter: Parameter, at range: Range<Int>) throws(ParseError) -> Argument {
    switch parameter.kind {
    case .text, .profile, .vendor, .snapshot, .recipe, .report, .line, .sql, .none, .productAssignments,
      .namedAssignments:
      return Argument(text)
    case .number(let bounds):
      guard let number = NumberLiteral.integer(text), bounds.contains(number) else {
        throw invalidValueError(text, parameter, at: range)
      }
      return Argument(String(number), .number(number))
    case .writeNumber, .batchNumber:
      guard let number = NumberLiteral.integer(text), number > 0 else {
        throw invalidValueError(text, parameter, at: range)
      }
      return Argument(String(number), .number(number))
    case .writeOrRun:
      if let digits = text.wholeMatch(of: /[rR]([0-9]{1,15})/)?.1, let number = Int(digits), number > 0 {
        return Argument("r\(number)")
      }
      guard let number = NumberLiteral.integer(text), number > 0 else {
        throw invalidValueError(text, parameter, at: range)
      }
      return Argument(String(number), .number(number))
    case .rate:
      let digits = text.hasSuffix("/s") ? String(text.dropLast(2)) : text
      guard let number = NumberLiteral.integer(digits), (1...1000).contains(number) else {
        throw invalidValueError(text, parameter, at: range)
      }
      return Argument(String(number), .number(number))
    case .decimal:
      guard NumberLiteral.decimal(text) != nil else { throw invalidValueError(text, parameter, at: range) }
      return Argument(text)
    case .choice(let choices):
      guard choices.contains(text) else { throw invalidValueError(text, parameter, nearest: choices, at: range) }
      return Argument(text)
    case .field, .fieldAmong:
      let fields = if case .fieldAmong(let fields) = parameter.kind { fields } else { ProductField.allCases }
      let field = try field(text, of: fields, at: range)
      return Argument(field.rawValue, .fields([field]))
    case .fields:
      var result: [ProductField] = []
      for piece in text.split(atScalar: ",", omittingEmptySubsequences: false) {
        result.append(try field(String(piece), of: ProductField.allCases, at: range))
      }
      return Argument(result.map(\.rawValue).joined(separator: ","), .fields(result))
    case .target:
      return Argument(text, .target(try ProductSelector.read(text, at: range)))
    case .file, .files, .setting:
      guard !text.isEmpty else { throw invalidValueError(text, parameter, at: range) }
      return Argument(text)
    case .currency: return Argument(try FieldValueParser.currency(text, at: range).code)
    case .command:
      // Any other word is searched for.
      return Argument(HelpTopic.named(text)?.rawValue ?? grammar.resolve(text)?.name ?? text)
    case .expression: return Argument(try Condition.read(text, names: names))
    }
  }

  private func field(
    _ text: String, of fields: [ProductField], at range: Range<Int>
  ) throws(ParseError) -> ProductField {
    if let field = names.field(text) { return field }
    let known = names.allNames.filter { names.field($0).map(fields.contains) ?? false }
    let isComputed = text.contains { "*/+(".contains($0) } || ValueParser.wordsForTotals.contains(text.lowercased())
    throw ParseError(
      LocalizedText("Unknown field: \(text).", ko: "\(text) 필드는 없습니다."),
      suggestion: isComputed
        ? ValueParser.computedColumn
        : SpellingSuggester.closest(text, in: known).map { name in
          LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
        } ?? ValueParser.expectedFormat(.fieldAmong(fields)), at: range)
  }

  /// Words for a column that no product has and that spreadsheets compute.
  private static let wordsForTotals: Set = ["total", "value", "sum", "amount", "합계", "총액", "금액"]

  private static let computedColumn = LocalizedText(
    "Columns are computed by \(.command("sql")): \(.command("sql select id, name, price*stock as total from products to total.csv"))",
    ko:
      "열의 계산은 \(.command("sql"), .toward) 합니다: \(.command("sql select id, name, price*stock as total from products to total.csv"))"
  )

  private func invalidValueError(
    _ text: String, _ parameter: Parameter, nearest choices: [String] = [], at range: Range<Int>
  ) -> ParseError {
    let near = SpellingSuggester.closest(text, in: choices).map { name in
      LocalizedText("Did you mean \(.value(name))?", ko: "\(.value(name), .object) 뜻하셨나요?")
    }
    return ParseError(
      LocalizedText(
        "Invalid value for \(.field(parameter.name)): \(text.isEmpty ? "''" : text).",
        ko: "\(.field(parameter.name))에 \(text.isEmpty ? "''" : text, .object) 쓸 수 없습니다."),
      suggestion: near ?? ValueParser.expectedFormat(parameter.kind), at: range)
  }

  /// Returns a description of valid values, or `nil` if any text is valid.
  static func expectedFormat(_ kind: ValueKind) -> LocalizedText? {
    switch kind {
    case .number(let bounds):
      let isOpen = bounds.upperBound >= 999_999_999_999
      return isOpen
        ? LocalizedText("Use a whole number of \(bounds.lowerBound) or more.", ko: "\(bounds.lowerBound) 이상의 정수입니다.")
        : LocalizedText(
          "Use a whole number from \(bounds.lowerBound) to \(bounds.upperBound).",
          ko: "\(bounds.lowerBound)부터 \(bounds.upperBound)까지의 정수입니다.")
    case .writeNumber, .batchNumber:
      return LocalizedText("Use an entry number from \(.command("log")).", ko: "\(.command("log"))에서 보이는 번호입니다.")
    case .writeOrRun:
      return LocalizedText(
        "Use the number of an entry or a run, such as \(.value("12")) or \(.value("r12")).",
        ko: "\(.value("12")) 같은 로그 번호나 \(.value("r12")) 같은 실행 번호입니다.")
    case .decimal: return LocalizedText("Use a number such as \(.value("37.5")).", ko: "\(.value("37.5")) 같은 수입니다.")
    case .rate:
      return LocalizedText(
        "Use a rate such as \(.value("5/s")), up to 1000/s.", ko: "\(.value("5/s"))처럼 쓰고 1000/s까지입니다.")
    case .choice(let choices):
      let list = choices.joined(separator: ", ")
      return LocalizedText("Use one of: \(list).", ko: "\(list) 중 하나입니다.")
    case .fieldAmong(let fields):
      return LocalizedText(
        "Fields: \(ProductField.list(fields, .english)).", ko: "필드는 \(ProductField.list(fields, .korean))입니다.")
    case .field, .fields: return expectedFormat(.fieldAmong(ProductField.allCases))
    case .currency:
      return LocalizedText("Use a currency code such as \(.value("KRW")).", ko: "\(.value("KRW")) 같은 통화 코드입니다.")
    case .file, .files: return LocalizedText("Use a file path.", ko: "파일 경로입니다.")
    case .expression:
      return LocalizedText(
        "Use a condition such as \(.command("stock=0 and price>10000")).",
        ko: "\(.command("stock=0 and price>10000"))처럼 씁니다.")
    case .target:
      return LocalizedText("Use product numbers, such as \(.command("42")).", ko: "\(.command("42"))처럼 상품을 가리킵니다.")
    case .text:
      return LocalizedText("Quote text that contains spaces.", ko: "공백이 있는 문자열은 따옴표로 묶습니다.")
    case .profile, .vendor, .setting, .snapshot, .recipe, .report, .command, .line, .sql, .productAssignments,
      .namedAssignments, .none:
      return nil
    }
  }
}

/// The names that a command accepts in assignments.
package struct AssignableNames {
  private let fields: Bool
  private let others: [String]

  package init(_ kind: ValueKind) {
    switch kind {
    case .productAssignments(let names): (fields, others) = (true, names)
    case .namedAssignments(let settings): (fields, others) = (false, settings.map(\.name))
    default: (fields, others) = (true, [])
    }
  }

  /// A Boolean value that indicates whether product fields are accepted.
  var takesFields: Bool { fields }

  /// A Boolean value that indicates whether any name is accepted, any number of times, as for the fields of a request.
  var allowsAny: Bool { others.contains("*") }

  /// Returns whether the command declares the name explicitly.
  func includesExplicitly(_ name: String) -> Bool { name != "*" && others.contains(name) }

  func allows(_ name: String) -> Bool { others.contains("*") || others.contains(name) }

  /// Returns the shared name of the field, or the name itself if the command declares it.
  func name(_ typed: Assignment, names: FieldNameTable, command: String) throws(ParseError) -> String {
    if allows(typed.name) { return typed.name }
    guard fields, let field = names.field(typed.name) else { throw unknown(typed, names: names, command: command) }
    guard ProductField.writable.contains(field) || field == .sale else { throw readOnly(field, at: typed.range) }
    return field.rawValue
  }

  /// Returns all names that can be assigned, for completion.
  package func all() -> [String] {
    (fields ? ProductField.writable.filter { $0 != .images }.map(\.rawValue) : []) + others.filter { $0 != "*" }
  }

  private func all(_ language: MessageLanguage) -> String {
    let own = fields ? ProductField.list(ProductField.writable.filter { $0 != .images }, language) : ""
    return ([own] + others.filter { $0 != "*" }).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func unknown(_ typed: Assignment, names: FieldNameTable, command: String) -> ParseError {
    let known = others + (fields ? names.allNames : [])
    let lists = (all(.english), all(.korean))
    // Of a profile too, but not among its settings.
    let isLogin = command == "profile" && ["identifier", "secret"].contains(typed.name)
    return ParseError(
      LocalizedText(
        "\(.command(command)) has no field \(.field(typed.name)).",
        ko: "\(.command(command))에 \(.field(typed.name)) 필드는 없습니다."),
      suggestion: isLogin
        ? LocalizedText(
          "Switch to that profile and run \(.command("login")) to set it.",
          ko: "그 프로필에서 \(.command("login"), .toward) 입력합니다.")
        : SpellingSuggester.closest(typed.name, in: known).map { name in
          LocalizedText("Did you mean \(.field(name))?", ko: "\(.field(name), .object) 뜻하셨나요?")
        } ?? LocalizedText("Available: \(lists.0).", ko: "쓸 수 있는 것은 \(lists.1)입니다."), at: typed.range)
  }

  private func readOnly(_ field: ProductField, at range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText(
        "\(.field(field)) is set by the server and cannot be changed.", ko: "\(.field(field)) 값은 서버가 정하므로 바꿀 수 없습니다."),
      suggestion: LocalizedText(
        "You can change \(all(.english)).", ko: "바꿀 수 있는 필드는 \(all(.korean))입니다."),
      at: range)
  }
}

/// The parser for numbers and ranges, `42,43,50-60`, in the order typed.
enum IDRanges {
  static func read(_ text: String, whole: String, at range: Range<Int>?) throws(ParseError) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    var count = 0
    for piece in text.split(atScalar: ",", omittingEmptySubsequences: false) {
      // The sign for rows may be repeated: `@1,@3`.
      let piece = whole.hasPrefix("@") && piece.hasPrefix("@") ? piece.dropFirst() : piece
      // It may also be repeated at the end of a range: `@1-@3`.
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).enumerated().map { index, end in
        whole.hasPrefix("@") && index == 1 && end.hasPrefix("@") ? end.dropFirst() : end
      }
      guard ends.count <= 2, let first = number(ends[0]), let last = number(ends[ends.count - 1]) else {
        throw notATarget(whole, at: range)
      }
      guard first <= last else { throw reversedRangeError(first, last, at: range) }
      // The numbers are positive, so the difference can't overflow.
      guard last - first < ProductSelector.maxCount - count else { throw tooMany(whole, at: range) }
      count += last - first + 1
      result.append(first...last)
    }
    return result
  }

  /// Returns a number from 1; servers have ids of up to 64 bits.
  private static func number(_ text: Substring) -> Int? {
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func notATarget(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText(
        "\(text.isEmpty ? "''" : text) is not a product.", ko: "\(text.isEmpty ? "''" : text, .topic) 상품이 아닙니다."),
      suggestion: condition(of: text)
        ?? LocalizedText(
          "Choose products with \(.command("42")), \(.command("42,43")), \(.command("40-45")), \(.command("@3")), \(.command("@all")), \(.command("_")), \(.command("mine")) or \(.command("where EXPR")).",
          ko:
            "대상은 \(.command("42")), \(.command("42,43")), \(.command("40-45")), \(.command("@3")), \(.command("@all")), \(.command("_")), \(.command("mine")), \(.command("where EXPR"))처럼 씁니다."
        ), at: range)
  }

  /// Returns the condition that a text was probably meant as: `name~우산` itself, or the name of a product.
  private static func condition(of text: String) -> LocalizedText? {
    guard let first = text.first, first.isLetter else { return nil }
    let name = text.prefix { $0.isLetter || $0 == "_" }
    let isComparison = name.count < text.count && "~<>=!".contains(text[name.endIndex])
    if isComparison {
      let line = "where " + text
      return LocalizedText("Did you mean \(.command(line))?", ko: "\(.command(line), .object) 뜻하셨나요?")
    }
    let line = "where name~" + Quoting.quote(text)
    return LocalizedText(
      "To choose products by name, use \(.command(line)).", ko: "이름으로 상품을 고르려면 \(.command(line), .object) 쓰세요.")
  }

  private static func reversedRangeError(_ first: Int, _ last: Int, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText("The range is in the wrong order.", ko: "범위의 앞뒤가 바뀌었습니다."),
      suggestion: LocalizedText(
        "Did you mean \(.command("\(last)-\(first)"))?", ko: "\(.command("\(last)-\(first)"), .object) 뜻하셨나요?"),
      at: range)
  }

  private static func tooMany(_ text: String, at range: Range<Int>?) -> ParseError {
    ParseError(
      LocalizedText(
        "\(text) is a range of more than \(ProductSelector.maxCount) products.",
        ko: "\(text, .topic) 상품을 \(ProductSelector.maxCount)개 넘게 가리킵니다."),
      suggestion: LocalizedText(
        "Use \(.command("where EXPR")) to choose products by a condition.",
        ko: "조건으로 상품을 고르려면 \(.command("where EXPR"), .object) 쓰세요."),
      at: range)
  }
}
