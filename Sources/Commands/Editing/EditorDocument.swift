import Catalog
import CommandLanguage
import Text

/// A product as a text for an editor, and the changes made in it.
///
/// The text begins and ends with more comment lines than editors search for modelines, because name and description are
/// untrusted server text.
package struct EditorDocument: Hashable, Sendable {
  /// The end of the description, whose own lines may begin with `#`.
  private static let descriptionTerminator = "# ---"
  private static let fields = ProductField.singleLineValues

  private let product: Product
  private let language: MessageLanguage
  private let locationText: String

  /// Creates the text of a product.
  ///
  /// `serverLabel` describes the server in the first line.
  package init(_ product: Product, at serverLabel: String, _ language: MessageLanguage) {
    self.product = product
    self.locationText = serverLabel
    self.language = language
  }

  /// The initial text.
  package var text: String {
    let fields = Self.fields.flatMap { lines(of: $0) }
    return (heading + fields + description + [Self.descriptionTerminator] + footer).map { $0 + "\n" }.joined()
  }

  /// Returns the changes as assignments for `patch`.
  ///
  /// Unchanged fields are omitted.
  ///
  /// - Throws: `ParseError` with the line that can't be parsed.
  package func assignments(in text: String) throws(ParseError) -> [Assignment] {
    var lines = Self.lines(of: text)[...]
    var assignments: [Assignment] = []
    while let line = lines.popFirst() {
      if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
      guard let (name, rest) = line.halves(atScalar: ":"), let field = ProductField(rawValue: name.trimmed) else {
        throw ParseError(
          LocalizedText("Cannot read this line: \(.foreign(line))", ko: "해석할 수 없는 행: \(.foreign(line))"),
          suggestion: LocalizedText(
            "Write fields as \(.value("price: 3500")).", ko: "필드는 \(.value("price: 3500"))처럼 씁니다.")
        )
      }
      var value = String(rest.dropping(firstScalar: " ") ?? rest)
      if field == .description { value = Self.description(value, &lines) }
      guard Self.fields.contains(field) || field == .description else { throw readOnlyFieldError(field) }
      guard !assignments.contains(where: { $0.name == field.rawValue }) else { throw duplicateFieldError(field) }
      assignments.append(Assignment(field.rawValue, .set, to: value, range: 0..<0))
    }
    return assignments.filter { $0.value != written(ProductField(rawValue: $0.name)) }
  }

  // MARK: Writing

  /// Returns the text of a field, or `nil` if it doesn't fit on one line and has to be changed with `patch`.
  private func written(_ field: ProductField?) -> String? {
    guard let field, Self.fields.contains(field) || field == .description else { return nil }
    let text = product.text(of: field) ?? ""
    return field == .description ? Self.trimmingTrailingNewlines(text) : text
  }

  private func lines(of field: ProductField) -> [String] {
    let value = written(field) ?? ""
    if value.unicodeScalars.contains(where: Self.isControl) { return omission(of: field) }
    return comments(FieldSummary.of(field)) + ["\(field.rawValue): \(value)"]
  }

  /// The lines of the description.
  ///
  /// They are omitted if it contains control characters other than line ends and tabs, because an editor would pass
  /// them to the terminal.
  private var description: [String] {
    let text = product.description ?? ""
    let controls = text.replacing("\r\n", with: "\n").unicodeScalars.filter(Self.isControl)
    guard controls.allSatisfy({ $0 == "\n" || $0 == "\t" }) else { return omission(of: .description) }
    return descriptionHint + ["description:"]
      + text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func omission(of field: ProductField) -> [String] {
    comments(
      LocalizedText(
        "\(field.rawValue) contains characters that cannot be shown here. Use patch to change it.",
        ko: "\(field.rawValue) 값에 표시할 수 없는 문자가 있습니다. patch로 바꾸세요."))
  }

  /// Returns whether a scalar is a C0 or C1 control (ISO 6429) or DEL.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  private var heading: [String] {
    let name = Sanitizer.sanitized(product.name ?? "")
    return comments(LocalizedText("Product \(product.id): \(name)", ko: "상품 \(product.id): \(name)"))
      + comments(LocalizedText("\(Sanitizer.sanitized(locationText))", ko: "\(Sanitizer.sanitized(locationText))"))
      + comments(
        LocalizedText(
          "Edit the values after the colons. Lines starting with # are ignored.",
          ko: "콜론 뒤의 값을 고치세요. #으로 시작하는 행은 무시합니다."))
      + comments(
        LocalizedText("Save and close the editor to review the changes.", ko: "저장하고 편집기를 닫으면 바뀔 내용을 보여 줍니다."))
      + comments(LocalizedText("Nothing is sent before that.", ko: "그 전에는 아무것도 보내지 않습니다.")) + [""]
  }

  private var descriptionHint: [String] {
    comments(LocalizedText("10 to 1000 characters, line breaks allowed", ko: "10~1000자, 줄바꿈 가능"))
  }

  private var footer: [String] {
    comments(LocalizedText("End of description", ko: "설명의 끝"))
      + comments(
        LocalizedText("To cancel, change nothing or delete everything.", ko: "취소하려면 그대로 두거나 모두 지우세요."))
      + ["#", "#", "#", "#"]
  }

  private func comments(_ wording: LocalizedText) -> [String] { ["# " + wording[language].plain] }

  // MARK: Reading

  private static func lines(of text: String) -> [String] {
    var lines = text.lines
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Returns the description up to the last end marker, or to the end of the text if the marker was removed.
  private static func description(_ first: String, _ lines: inout ArraySlice<String>) -> String {
    let end = lines.lastIndex(of: descriptionTerminator) ?? lines.endIndex
    let rest = lines[..<end]
    lines = lines[min(end + 1, lines.endIndex)...]
    return trimmingTrailingNewlines(((first.isEmpty ? [] : [first]) + rest).joined(separator: "\n"))
  }

  /// Returns the text without trailing line ends, which editors add.
  private static func trimmingTrailingNewlines(_ text: String) -> String {
    var text = text.replacing("\r\n", with: "\n")
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }

  private func readOnlyFieldError(_ field: ProductField) -> ParseError {
    ParseError(
      LocalizedText("\(.field(field)) cannot be changed in this file.", ko: "\(.field(field)) 값은 이 파일에서 바꿀 수 없습니다."))
  }

  private func duplicateFieldError(_ field: ProductField) -> ParseError {
    ParseError(LocalizedText("\(.field(field)) appears twice.", ko: "\(.field(field)) 필드가 두 번 있습니다."))
  }
}

extension EditorDocument: EditorForm {
  var products: [Product] { [product] }

  func edits(in text: String) throws(EditErrors) -> [(product: Product, assignments: [Assignment])] {
    do throws(ParseError) { return [(product, try assignments(in: text))] } catch { throw EditErrors([error]) }
  }

  func mistake(_ error: ParseError, of product: Product) -> ParseError { error }
}
