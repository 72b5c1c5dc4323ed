import Catalog
import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// A row of a file to import: the product and the non-empty cells.
package struct ImportRow: Hashable, Sendable {
  /// A non-empty cell, whose text is parsed once.
  package struct Cell: Hashable, Sendable {
    package let field: ProductField
    /// The text, or that of the value of a cleared field.
    package let text: String
    /// The value, or `nil` for a text that isn't one, and for a field that an import can't set or clear.
    package let value: FieldValue?
    /// A Boolean value that indicates that the cell clears the field; written as `-`.
    package let isCleared: Bool
    /// The number as a spreadsheet formatted it, if the product is needed to interpret it.
    package let number: SpreadsheetNumber?
    /// The state of the cell compared with the exports that the file may come from.
    package var state = ImportBases.State.edited

    /// Creates the cell of a text.
    init(_ field: ProductField, _ text: String, number: SpreadsheetNumber? = nil) {
      (self.field, self.text, self.number, isCleared) = (field, text, number, false)
      value = field.isImported ? try? FieldValueParser.value(text, of: field) : nil
    }

    /// Creates a cell that sets no discount, no stock or no description.
    init(clearing field: ProductField) {
      self.field = field
      switch field {
      case .discount: value = .amount(.zero)
      case .stock: value = .number(0)
      case .description: value = .text("")
      case .name, .price, .sale, .currency, .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
        value = nil
      }
      (text, number, isCleared) = (value?.description ?? "-", nil, true)
    }

    /// The value as it is compared with others.
    var comparable: FieldValue { value ?? .text(text) }

    /// Throws if the field can't have the value: a text that can't be parsed, or a field that can't be cleared.
    func check(_ policy: LimitPolicy) throws(ParseError) {
      guard field.isImported else { return }
      if !isCleared {
        if value == nil { _ = try FieldValueParser.value(text, of: field) }
      } else if value == nil || field == .description && policy != .server {
        throw ParseError(
          LocalizedText("\(.field(field)) cannot be empty", ko: "\(.field(field), .topic) 비울 수 없습니다"))
      }
    }
  }

  /// The line on which the row begins, counted from 1.
  package var line: Int
  /// The product, or `nil` for a product to be created.
  package var id: Product.ID?
  package var cells: [Cell]

  package func text(_ field: ProductField) -> String? {
    cells.first { $0.field == field && !$0.isCleared }?.text
  }

  /// The cells that set a field and that aren't as exported.
  var edits: [Cell] { cells.filter { $0.field.isImported && $0.state != .unchanged && $0.state != .computed } }

  /// The values of these cells, or the texts that aren't values.
  var editedValues: Reconciliation.Values { Dictionary(edits.map { ($0.field, $0.comparable) }) { $1 } }
}

/// The rows of a file to import, with the fields that its columns or members name.
package struct ImportTable: Hashable, Sendable {
  package var rows: [ImportRow] = []
  package var columns: Set<ProductField> = []
}

extension ProductField {
  /// A Boolean value that indicates whether a row of a table, of an import or in an editor, can set the field.
  ///
  /// The other columns of an export are informative.
  package var isImported: Bool {
    switch self {
    case .name, .description, .price, .discount, .sale, .currency, .stock: true
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: false
    }
  }
}

extension ProductField {
  /// A Boolean value that indicates that an import reads the column: it sets the field, finds the product, or names pictures.
  var isUsedByImport: Bool { isImported || self == .id || self == .images }
}

/// The mapping of columns to fields.
enum ImportColumns {
  /// Returns the field of a name.
  ///
  /// - Throws: `ParseError` for an unknown name, with the most similar field.
  static func field(_ name: String, _ names: FieldNameTable) throws(ParseError) -> ProductField {
    if let field = names.field(name) { return field }
    throw ParseError(
      SpellingSuggester.closest(name, in: names.allNames).map { near in
        LocalizedText(
          "unknown field \(.foreign(name)); did you mean \(.field(near))?",
          ko: "알 수 없는 필드: \(.foreign(name)). \(.field(near), .object) 뜻하셨나요?")
      }
        ?? LocalizedText(
          "unknown field \(.foreign(name)); available: \(fieldList(.english))",
          ko: "\(.foreign(name)) 필드는 없습니다. 있는 것은 \(fieldList(.korean))"))
  }

  /// Returns the field of a spreadsheet column, ignoring case and spaces; also by its Korean heading.
  static func column(_ name: String, _ names: FieldNameTable) -> ProductField? {
    let plain = name.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: "_")
    return names.field(name) ?? names.field(plain)
  }

  static func skippedColumnsNote(_ columns: [String]) -> Message {
    let shown = columns.prefix(5).joined(separator: ", ") + (columns.count > 5 ? ", …" : "")
    return .note(
      "Ignored columns that are not product fields: \(.foreign(shown))",
      ko: "필드가 아니어서 읽지 않은 열: \(.foreign(shown))")
  }

  static func noKnownColumnError(_ columns: [String]) -> LocalizedText {
    let shown = columns.prefix(3).joined(separator: ", ")
    return LocalizedText(
      "no column is a product field: \(.foreign(shown)); available: \(fieldList(.english))",
      ko: "필드인 열이 없습니다: \(.foreign(shown)). 있는 것은 \(fieldList(.korean))")
  }

  private static func fieldList(_ language: MessageLanguage) -> String {
    ProductField.list(ProductField.allCases, language)
  }

  /// Returns a product id from 1, of up to 64 bits, or `nil` for an invalid one.
  static func id(_ text: String) -> Product.ID? {
    guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The errors found in a file, each with its line.
///
/// One error is enough to send nothing.
package struct ImportProblems {
  /// The number of problems that are shown; the rest is counted.
  private static let maximumShown = 100

  private var found: [(line: Int, what: LocalizedText)] = []
  private let path: String
  /// Remarks that aren't errors and are shown before the confirmation.
  package private(set) var remarks: [Message] = []

  package init(_ path: String) { self.path = path }

  /// The columns that are no fields.
  ///
  /// They may be the reason why a new product lacks a field.
  private var ignoredColumns: [String] = []

  package mutating func addNote(_ message: Message) { remarks.append(message) }

  mutating func ignore(columns: [String]) {
    ignoredColumns += columns
    addNote(ImportColumns.skippedColumnsNote(columns))
  }

  package var isEmpty: Bool { found.isEmpty }

  package mutating func add(_ line: Int, _ what: LocalizedText) { found.append((line, what)) }

  package mutating func add(_ line: Int, _ misread: ParseError) {
    add(line, misread.message)
    if let advice = misread.suggestion, !advices.contains(advice), advices.count < ImportProblems.maximumAdvices {
      advices.append(advice)
    }
  }

  /// The hints for values that can't be read, each once.
  private var advices: [LocalizedText] = []
  private static let maximumAdvices = 3

  package mutating func add(_ line: Int, _ error: any Error) {
    let message = CommandError(describing: error).message
    add(line, message.what)
    for reason in message.reasons { add(line, reason) }
  }

  /// The problems in the order of their first lines; lines with the same problems are listed together.
  private var distinct: [(lines: [Int], what: LocalizedText)] {
    var lines: [[LocalizedText]: [Int]] = [:]
    for (line, problems) in Dictionary(grouping: found, by: { $0.line }).sorted(by: { $0.key < $1.key }) {
      lines[problems.map { $0.what }, default: []].append(line)
    }
    return lines.sorted { ($0.value.first ?? 0) < ($1.value.first ?? 0) }.flatMap { texts, lines in
      texts.map { (lines, $0) }
    }
  }

  /// Returns ascending numbers as `2-39, 41`, the first eight ranges of them.
  private static func ranges(_ numbers: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound + 1 == number {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    let shown = ranges.prefix(8).map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound)"
    }
    return shown.joined(separator: ", ") + (ranges.count > 8 ? ", …" : "")
  }

  /// Throws an error that lists all problems, if there are any.
  ///
  /// - Throws: `CommandError` with all errors in the order of their lines.
  package func throwIfAny() throws(CommandError) {
    guard !found.isEmpty else { return }
    let count = Set(found.map(\.line)).count
    var message = Message.failure(
      "Cannot import \(.value(path)): \(count) lines have errors. Nothing was sent.",
      ko: "\(.value(path), .object) 가져올 수 없습니다. 잘못된 줄이 \(count)개 있습니다. 아무것도 보내지 않았습니다.")
    if count == 1 {
      message = .failure(
        "Cannot import \(.value(path)): one line has an error. Nothing was sent.",
        ko: "\(.value(path), .object) 가져올 수 없습니다. 한 줄이 잘못되었습니다. 아무것도 보내지 않았습니다.")
    }
    message = message.because(first: ImportProblems.maximumShown, of: distinct) { problem in
      let (lines, count) = (ImportProblems.ranges(problem.lines), problem.lines.count)
      return count == 1
        ? LocalizedText("line \(lines): \(problem.what[.english])", ko: "\(lines)번째 줄: \(problem.what[.korean])")
        : LocalizedText(
          "\(count) lines (\(lines)): \(problem.what[.english])", ko: "\(count)줄(\(lines)): \(problem.what[.korean])")
    }
    if !ignoredColumns.isEmpty { message = message.because(ImportColumns.skippedColumnsNote(ignoredColumns).what) }
    for advice in advices { message = message.next(advice) }
    throw CommandError(.usageError, message)
  }
}

/// Inserts the ids of created products into the file they were imported from.
///
/// All other bytes stay the same.
package struct ImportedIDs {
  /// The ids by the line on which their row begins, counted from 1.
  private let ids: [Int: Product.ID]
  private let names: FieldNameTable

  package init(_ ids: [Int: Product.ID], names: FieldNameTable) {
    self.ids = ids
    self.names = names
  }

  /// Returns the text of a CSV file with the ids in its `id` column, which is added as the first column if it is
  /// missing.
  ///
  /// - Throws: `CSVReader.SyntaxError` for a text that isn't valid CSV.
  package func inserted(intoCSV text: String) throws(CSVReader.Fault) -> String {
    let layout = try CSVReader.layout(of: text)
    guard let header = layout.rows.first else { return text }
    let scalars = Array(text.unicodeScalars)
    let column = header.cells.firstIndex { cell in
      ImportColumns.column(CSVReader.plain(scalars[cell]).trimmed, names) == .id
    }
    var result = String.UnicodeScalarView()
    var start = 0
    func put(_ text: String, at range: Range<Int>) {
      result.append(contentsOf: scalars[start..<range.lowerBound])
      result.append(contentsOf: text.unicodeScalars)
      start = range.upperBound
    }
    let separator = String(layout.separator)
    for (index, row) in layout.rows.enumerated() {
      let id = ids[row.line].map { String($0) }
      if let column {
        if let id, index > 0, column < row.cells.count { put(id, at: row.cells[column]) }
      } else if let first = row.cells.first?.lowerBound {
        put((index == 0 ? ProductField.id.rawValue : id ?? "") + separator, at: first..<first)
      }
    }
    result.append(contentsOf: scalars[start...])
    return String(result)
  }

  /// Returns the text of a file of JSON lines with the ids as the first members of their objects.
  package func inserted(intoJSONLines text: String) -> String {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line -> String in
      guard let id = ids[index + 1], let brace = line.firstIndex(of: "{") else { return String(line) }
      let object = (try? JSON(parsing: Data(String(line).utf8)))?.object
      if let object, let key = object.keys.first(where: { names.field($0) == .id }) {
        // For `"id": null`, the member is replaced, because a repeated member would be rejected.
        let members = object.keys.map { name -> (String, JSON) in
          (name, name == key ? .int(id) : object[name] ?? .null)
        }
        return JSON.object(members).serialized + (line.last == "\r" ? "\r" : "")
      }
      let rest = line[line.index(after: brace)...]
      let isEmpty = object?.keys.isEmpty != false
      return String(line[...brace]) + "\"id\":\(id)" + (isEmpty ? "" : ",") + String(rest)
    }.joined(separator: "\n")
  }
}
