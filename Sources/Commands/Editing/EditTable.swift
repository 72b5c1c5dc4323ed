import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// Products as a text for an editor, one row for each product, and the reading of the edited text.
///
/// A row belongs to the product whose id it begins with, in any order. A product without a row isn't changed.
package struct EditTable: EditorForm, Hashable, Sendable {
  /// The fields that a row can contain.
  ///
  /// Images can't be edited as text.
  package static let columns = ProductField.allCases.filter(\.isImported)
  /// The maximum number of products.
  ///
  /// For more, `export` and `import` are the better tools.
  package static let maximumCount = 2_000
  /// The maximum width to which columns are padded, in cells.
  private static let maximumWidth = 40

  let products: [Product]
  private let columns: [ProductField]
  private let serverLabel: String
  private let language: MessageLanguage
  private let cells: WidthMeasurer

  /// Creates the text of products.
  ///
  /// The columns are fields of ``columns`` in the order of the text. The first line names the market as `serverLabel`.
  package init(
    _ products: [Product], columns: [ProductField], at serverLabel: String, in language: MessageLanguage,
    measurer cells: WidthMeasurer = WidthMeasurer()
  ) {
    self.products = products
    self.columns = columns
    self.serverLabel = serverLabel
    self.language = language
    self.cells = cells
  }

  /// The text to edit.
  ///
  /// It begins and ends with more lines of comments than editors search for modelines, because product names come from
  /// the server.
  package var text: String {
    let titles = ["id"] + columns.map(\.rawValue) + (showsName ? ["(name)"] : [])
    let rows = products.map(row)
    let widths = titles.indices.map { column in
      min(Self.maximumWidth, ([titles[column]] + rows.map { $0[column] }).map { cells.of($0) }.max() ?? 0)
    }
    let table = [line(titles, widths: widths, start: "# ")] + rows.map { line($0, widths: widths, start: "  ") }
    return (heading + table + footer).map { $0 + "\n" }.joined()
  }

  /// Returns the assignments of each changed row, as for `patch`, in the order of the text.
  ///
  /// - Throws: ``EditErrors`` with every row that can't be read.
  func edits(in text: String) throws(EditErrors) -> [(product: Product, assignments: [Assignment])] {
    let known = Dictionary(products.map { ($0.id, $0) }) { first, _ in first }
    var seen: Set<Product.ID> = []
    var changed: [(product: Product, assignments: [Assignment])] = []
    var mistakes: [ParseError] = []
    for line in text.lines where !line.allSatisfy(\.isWhitespace) && !line.trimmed.hasPrefix("#") {
      do throws(ParseError) {
        let values = EditCell.split(line)
        let product = try product(values[0], known: known, seen: &seen)
        let assignments = try assignments(values, of: product)
        if !assignments.isEmpty { changed.append((product, assignments)) }
      } catch {
        mistakes.append(error)
      }
    }
    guard mistakes.isEmpty else { throw EditErrors(mistakes) }
    return changed
  }

  func mistake(_ error: ParseError, of product: Product) -> ParseError {
    ParseError(
      LocalizedText(
        "product \(product.id): \(error.message[.english])", ko: "\(product.id)번 상품: \(error.message[.korean])"),
      suggestion: error.suggestion)
  }

  // MARK: Writing

  /// A Boolean value that indicates that the name is shown as a read-only column.
  private var showsName: Bool { !columns.contains(.name) }

  private func row(_ product: Product) -> [String] {
    let name = cells.truncated(Sanitizer.sanitized(product.name ?? ""), to: 30)
    return [String(product.id)] + columns.map { EditCell.escaped(product.text(of: $0) ?? "") }
      + (showsName ? [EditCell.escaped(name)] : [])
  }

  private func line(_ values: [String], widths: [Int], start: String) -> String {
    var line = start
    for (index, value) in values.enumerated() {
      let filling = String(repeating: " ", count: max(0, widths[index] - cells.of(value)))
      let isNumber = index == 0 || index <= columns.count && columns[index - 1].isNumber
      let isLast = index == values.count - 1
      line += (index == 0 ? "" : " | ") + (isNumber ? filling + value : value + (isLast ? "" : filling))
    }
    return line
  }

  private var heading: [String] {
    let count = products.count
    return comments([
      LocalizedText(
        "\(count) \(count == 1 ? StyledText("product") : "products"), \(Sanitizer.sanitized(serverLabel))",
        ko: "상품 \(count)개, \(Sanitizer.sanitized(serverLabel))"),
      LocalizedText(
        "Edit the values between the bars. Lines starting with # are ignored.",
        ko: "세로줄 사이의 값을 고치세요. #으로 시작하는 행은 무시합니다."),
      LocalizedText(
        "Delete a row to skip that product. Nothing is deleted on the server.",
        ko: "지운 행의 상품은 그대로 둡니다. 삭제하지 않습니다."),
      LocalizedText(
        "In text, write \\| for a bar, \\n for a line break and \\\\ for a backslash.",
        ko: "텍스트 안의 \\|는 세로줄, \\n은 줄바꿈, \\\\는 역슬래시입니다."),
      LocalizedText(
        "Save and close the editor to review the changes. Nothing is sent before that.",
        ko: "저장하고 편집기를 닫으면 바뀔 내용을 보여 줍니다. 그 전에는 아무것도 보내지 않습니다."),
    ]) + [""]
  }

  private var footer: [String] {
    [""]
      + comments([
        LocalizedText(
          "To cancel, change nothing or delete every row.", ko: "취소하려면 그대로 두거나 모두 지우세요.")
      ]) + ["#", "#", "#", "#"]
  }

  private func comments(_ wordings: [LocalizedText]) -> [String] { wordings.map { "# " + $0[language].plain } }

  // MARK: Reading

  private func product(
    _ text: String, known: [Product.ID: Product], seen: inout Set<Product.ID>
  ) throws(ParseError) -> Product {
    guard let id = Int(text), let product = known[id] else {
      throw ParseError(
        LocalizedText(
          "\(.foreign(text)) is not the number of a product in this table.",
          ko: "\(.foreign(text), .topic) 이 표에 없는 상품 번호입니다."),
        suggestion: LocalizedText("Each row must start with its product number.", ko: "행은 원래 번호로 시작합니다."))
    }
    guard seen.insert(id).inserted else {
      throw ParseError(LocalizedText("Product \(id) appears twice.", ko: "\(id)번 상품의 행이 둘입니다."))
    }
    return product
  }

  private func assignments(_ values: [String], of product: Product) throws(ParseError) -> [Assignment] {
    let written = row(product)
    guard values.count == written.count else {
      throw ParseError(
        LocalizedText(
          "The row of product \(product.id) has \(values.count) values instead of \(written.count).",
          ko: "\(product.id)번 상품의 행에 값이 \(written.count)개가 아니라 \(values.count)개 있습니다."),
        suggestion: LocalizedText(
          "Keep the bars between the values. Write \(.value("\\|")) for a bar in text.",
          ko: "값 사이의 세로줄은 그대로 두고, 텍스트 안의 세로줄은 \(.value("\\|"))로 쓰세요."))
    }
    if showsName, values.last != written.last?.trimmed {
      throw ParseError(
        LocalizedText(
          "The name of product \(product.id) cannot be changed in this table.",
          ko: "\(product.id)번 상품의 이름은 이 표에서 바꿀 수 없습니다."),
        suggestion: LocalizedText(
          "To edit names, use \(.command("edit … columns name,…")).",
          ko: "이름을 바꾸려면 \(.command("edit … columns name,…"), .object) 쓰세요.")
      )
    }
    var assignments: [Assignment] = []
    for (index, field) in columns.enumerated() where values[index + 1] != written[index + 1].trimmed {
      let value = try EditCell.unescaped(values[index + 1])
      assignments.append(Assignment(field.rawValue, .set, to: value, range: 0..<0))
    }
    return assignments
  }
}

/// The encoding of a value between vertical bars.
///
/// A backslash escapes bars, backslashes and line breaks.
enum EditCell {
  static func escaped(_ text: String) -> String {
    var spelled = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "|": spelled += "\\".unicodeScalars + [scalar]
      case "\n": spelled += "\\n".unicodeScalars
      case "\r": spelled += "\\r".unicodeScalars
      case "\t": spelled += "\\t".unicodeScalars
      case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value):
        spelled += "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars
      default: spelled.append(scalar)
      }
    }
    return String(spelled)
  }

  /// Returns the escaped values of a row, without the spaces around them.
  static func split(_ line: String) -> [String] {
    var values = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if scalar == "|", !isEscaped {
        values.append(String.UnicodeScalarView())
        continue
      }
      values[values.count - 1].append(scalar)
      isEscaped = scalar == "\\" && !isEscaped
    }
    return values.map { String($0).trimmed }
  }

  /// Returns the value of an escaped text.
  ///
  /// - Throws: `ParseError` for a backslash before a character that has no escape.
  static func unescaped(_ spelled: String) throws(ParseError) -> String {
    var rest = spelled.unicodeScalars[...]
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      guard scalar == "\\" else {
        text.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "\\": text.append("\\")
      case "|": text.append("|")
      case "n": text.append("\n")
      case "r": text.append("\r")
      case "t": text.append("\t")
      case "u":
        let digits = String(String.UnicodeScalarView(rest.dropFirst().prefix { $0 != "}" }))
        guard rest.first == "{", digits.utf8.count < 7, let number = UInt32(digits, radix: 16),
          let scalar = Unicode.Scalar(number), rest.count > digits.unicodeScalars.count + 1
        else { throw invalidEscapeError(spelled) }
        text.append(scalar)
        rest = rest.dropFirst(digits.unicodeScalars.count + 2)
      case nil, .some: throw invalidEscapeError(spelled)
      }
    }
    return String(text)
  }

  private static func invalidEscapeError(_ spelled: String) -> ParseError {
    ParseError(
      LocalizedText(
        "Unknown escape in \(.foreign(spelled)).", ko: "\(.foreign(spelled)) 안의 역슬래시 표현을 해석할 수 없습니다."),
      suggestion: LocalizedText("Write \(.value("\\\\")) for a backslash.", ko: "역슬래시 자체는 \(.value("\\\\"))로 쓰세요."))
  }
}

/// The errors in an edited text.
package struct EditErrors: Error {
  /// The maximum number of errors that are listed.
  private static let maximumCount = 10

  private let found: [ParseError]

  package init(_ found: [ParseError]) { self.found = found }

  /// Returns the text with the errors at the top, which replace the earlier ones, for another attempt.
  package func text(_ text: String, _ language: MessageLanguage) -> String {
    var lines = text.lines
    if lines.last == "" { lines.removeLast() }
    let stored = lines.filter { !$0.hasPrefix("#!") }
    let reasons = reasons.map { "#! " + Sanitizer.sanitized($0[language].plain) }
    return (reasons + stored).map { $0 + "\n" }.joined()
  }

  private var reasons: [LocalizedText] {
    let named = found.prefix(Self.maximumCount).flatMap { [$0.message] + ($0.suggestion.map { [$0] } ?? []) }
    return named + [LocalizedText.rest(of: found.count, after: Self.maximumCount)].compactMap { $0 }
  }

  /// The error to throw if the user closes the editor without correcting the mistakes.
  var failure: any Error {
    if found.count == 1 { return found[0] }
    return CommandError(
      .usageError,
      .failure(
        "\(found.count) rows are invalid. Nothing was sent.", ko: "\(found.count)행을 읽을 수 없습니다. 아무것도 보내지 않았습니다."
      ).because(first: Self.maximumCount, of: found, reason: \.message))
  }
}
