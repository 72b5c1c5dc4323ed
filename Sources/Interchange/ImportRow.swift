import Catalog
import Failures
import Foundation
import Language
import Networking
import Platform
import Presentation
import Text

/// A row of a file to import: the product and the non-empty cells.
package struct ImportRow: Hashable, Sendable {
  /// The value that a cell asks for.
  package enum Value: Hashable, Sendable {
    case text(String)
    /// Clears the field; written as `-`.
    case clear
  }

  /// A non-empty cell with its field.
  package struct Cell: Hashable, Sendable {
    package var field: ProductField
    package var value: Value
    /// The number as a spreadsheet formatted it, if the product is needed to interpret it.
    package var number: SpreadsheetNumber?
  }

  /// The line on which the row begins, counted from 1.
  package var line: Int
  /// The product, or `nil` for a product to be created.
  package var id: Product.ID?
  package var cells: [Cell]

  package func text(_ field: ProductField) -> String? {
    for cell in cells where cell.field == field {
      if case .text(let text) = cell.value { return text }
    }
    return nil
  }
}

/// The errors found in a file, each with its line.
///
/// One error is enough to send nothing.
package struct ImportProblems {
  private var found: [(line: Int, what: LocalizedText)] = []
  private let path: String
  /// Remarks that aren't errors and are shown before the confirmation.
  package private(set) var remarks: [Message] = []

  package init(_ path: String) { self.path = path }

  package mutating func addNote(_ message: Message) { remarks.append(message) }

  package var isEmpty: Bool { found.isEmpty }

  package mutating func add(_ line: Int, _ what: LocalizedText) { found.append((line, what)) }

  package mutating func add(_ line: Int, _ misread: ParseError) { add(line, misread.message) }

  package mutating func add(_ line: Int, _ error: any Error) {
    let message = CommandError(describing: error).message
    add(line, message.what)
    for reason in message.reasons { add(line, reason) }
  }

  /// Throws if there are errors.
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
    for problem in found.sorted(by: { $0.line < $1.line }) {
      message = message.because(
        LocalizedText(
          "line \(problem.line): \(problem.what[.english])", ko: "\(problem.line)번째 줄: \(problem.what[.korean])"))
    }
    throw CommandError(.usageError, message)
  }
}

extension ProductField {
  /// A Boolean value that indicates whether an import can set the field.
  ///
  /// The other columns of an export are informative.
  package var isImported: Bool {
    switch self {
    case .name, .description, .price, .discount, .sale, .currency, .stock: true
    case .id, .vendor, .vendorID, .created, .modified, .thumbnail, .images: false
    }
  }
}

/// The rows of a JSON Lines file: one object per line.
///
/// A null or missing member leaves its field unchanged.
package struct ImportJSONLines {
  package let names: FieldNameTable

  package init(names: FieldNameTable) {
    self.names = names
  }

  package func rows(of text: String, _ problems: inout ImportProblems) -> [ImportRow] {
    var rows: [ImportRow] = []
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { continue }
      if let row = row(Data(line), index + 1, &problems) { rows.append(row) }
    }
    return rows
  }

  private func row(_ bytes: Data, _ line: Int, _ problems: inout ImportProblems) -> ImportRow? {
    guard let object = (try? JSON(parsing: bytes))?.object else {
      problems.add(line, LocalizedText("not a JSON object", ko: "JSON 객체가 아닙니다"))
      return nil
    }
    if let twice = object.duplicateKeys.first {
      problems.add(line, LocalizedText("duplicate key \(.foreign(twice))", ko: "\(.foreign(twice), .subject) 두 번 나옵니다"))
      return nil
    }
    var result = ImportRow(line: line, id: nil, cells: [])
    var isFine = true
    for key in object.keys {
      guard let value = object[key], value != .null else { continue }
      do {
        let field = try ImportColumns.field(key, names)
        if field == .id {
          result.id = try text(value, field).flatMap(ImportColumns.id)
          if result.id == nil { throw JSONTypeError(field: key, found: value) }
        } else if let text = try text(value, field) {
          result.cells.append(.init(field: field, value: .text(text)))
        }
      } catch let misread as ParseError {
        problems.add(line, misread)
        isFine = false
      } catch {
        let found = (error as? JSONTypeError)?.found ?? ""
        problems.add(
          line,
          LocalizedText(
            "invalid value for \(.foreign(key)): \(.foreign(found))",
            ko: "\(.foreign(key)) 값으로 \(.foreign(found), .object) 쓸 수 없습니다"))
        isFine = false
      }
    }
    guard isFine else { return nil }
    return result.cells.isEmpty && result.id == nil ? nil : result
  }

  /// Returns the value as it would be typed, or `nil` for a value that isn't imported, such as a list of pictures
  /// stored on the server.
  private func text(_ value: JSON, _ field: ProductField) throws(JSONTypeError) -> String? {
    switch value {
    case .string(let text): return text
    case .number(let number):
      guard let decimal = number.decimal else { throw JSONTypeError(field: field.rawValue, found: value) }
      return Amount(decimal).description
    case .array(let elements) where field == .images:
      let paths = elements.map { element -> String? in if case .string(let path) = element { path } else { nil } }
      return paths.allSatisfy { $0 != nil } ? paths.compactMap(\.self).joined(separator: ",") : nil
    case .null: return nil
    case .bool, .array, .object, .invalidLiteral: throw JSONTypeError(field: field.rawValue, found: value)
    }
  }
}
