import Catalog
import CommandLanguage
import Foundation
import Networking
import Text

/// The rows of a file of JSON: one object per line, or a document.
///
/// A document is an array of objects, an object with such an array as `products`, as `ls … as json` writes it, or objects
/// over several lines. A null or missing member leaves its field unchanged.
package struct ImportJSONLines {
  /// The maximum number of values in a document, half a million products.
  private static let maximumValues = 5_000_000
  /// The maximum number of values in a product.
  private static let maximumProductValues = 10_000

  package let names: FieldNameTable

  package init(names: FieldNameTable) {
    self.names = names
  }

  /// Returns the products of a text.
  ///
  /// It ends early if the task is cancelled; the caller looks for that before it uses the table.
  package func table(of text: String, _ problems: inout ImportProblems) -> ImportTable {
    table(of: text, layout: ImportJSONLines.layout(of: text), &problems)
  }

  /// Returns the products of a text whose layout is known.
  func table(of text: String, layout: Layout?, _ problems: inout ImportProblems) -> ImportTable {
    var table = ImportTable()
    if let layout {
      add(Data(text.utf8), layout: layout, to: &table, problems: &problems)
      return table
    }
    for (index, line) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      guard !line.allSatisfy(ImportJSONLines.isBlank) else { continue }
      if Task.isCancelled { break }
      if let row = row(Data(line), line: index + 1, columns: &table.columns, problems: &problems) {
        table.rows.append(row)
      }
    }
    return table
  }

  /// The places of the objects of a document.
  package enum Layout: Int, Sendable {
    /// Next to each other.
    case sequence
    /// In an array.
    case array
    /// In the array `products` of an object.
    case products
  }

  /// Returns the layout of a document, into which no ids are inserted, or `nil` for a text with an object per line.
  ///
  /// It is `nil` too if the task is cancelled, which the caller looks for.
  package static func layout(of text: String) -> Layout? {
    let rest = text.utf8.drop { isBlank($0) || $0 == UInt8(ascii: "\n") }
    guard let first = rest.first else { return nil }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") }
    if first == UInt8(ascii: "[") { return .array }
    if hasValues(line, atMost: maximumProductValues), let object = (try? JSON(parsing: Data(line)))?.object {
      return object["products"]?.array == nil ? nil : .products
    }
    guard hasValues(text.utf8, atMost: maximumValues) else { return nil }
    if let object = (try? JSON(parsingUntilCancelled: Data(text.utf8)))?.object {
      return object["products"]?.array == nil ? .sequence : .products
    }
    if Task.isCancelled { return nil }
    // A damaged line is reported with its number, as long as the file has lines.
    let bytes = Array(text.utf8)
    guard let ranges = objects(in: bytes, at: 0),
      ranges.allSatisfy({ !Task.isCancelled && (try? JSON(parsingUntilCancelled: Data(bytes[$0]))) != nil })
    else { return nil }
    var end = 0
    for range in ranges {
      guard bytes[end..<range.lowerBound].allSatisfy({ isBlank($0) || $0 == UInt8(ascii: "\n") }) else { return nil }
      end = range.upperBound
    }
    return bytes[end...].allSatisfy { isBlank($0) || $0 == UInt8(ascii: "\n") } ? .sequence : nil
  }

  /// Returns whether a JSON text has at most this many values, before they are in memory.
  private static func hasValues(_ bytes: some Sequence<UInt8>, atMost most: Int) -> Bool {
    var (count, isText, isEscaped) = (0, false, false)
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if isText, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isText.toggle()
      } else if !isText, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
        count += 1
        if count > most { return false }
      }
    }
    return true
  }

  private static func tooManyValues(_ most: Int) -> LocalizedText {
    LocalizedText("more than \(most) values", ko: "값이 \(most)개를 넘습니다")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }

  /// Returns the ranges of the objects at a depth of nesting, or `nil` if brackets or quotation marks are not closed.
  private static func objects(in bytes: [UInt8], at depth: Int) -> [Range<Int>]? {
    var (ranges, start, level, isText, index) = ([Range<Int>](), 0, 0, false, 0)
    while index < bytes.count {
      switch (bytes[index], isText) {
      case (UInt8(ascii: "\\"), true): index += 1
      case (UInt8(ascii: "\""), _): isText.toggle()
      case (UInt8(ascii: "{"), false), (UInt8(ascii: "["), false):
        if level == depth { start = index }
        level += 1
      case (UInt8(ascii: "}"), false), (UInt8(ascii: "]"), false):
        level -= 1
        if level < 0 { return nil }
        if level == depth, bytes[index] == UInt8(ascii: "}") { ranges.append(start..<(index + 1)) }
      default: break
      }
      index += 1
    }
    return level == 0 && !isText ? ranges : nil
  }

  private func add(_ data: Data, layout: Layout, to table: inout ImportTable, problems: inout ImportProblems) {
    let bytes = Array(data)
    func line(at offset: Int) -> Int { bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1 }
    var count: Int?
    guard ImportJSONLines.hasValues(bytes, atMost: ImportJSONLines.maximumValues) else {
      return problems.add(1, ImportJSONLines.tooManyValues(ImportJSONLines.maximumValues))
    }
    if layout != .sequence {
      do throws(JSONSyntaxError) {
        let document = try JSON(parsingUntilCancelled: data)
        count = (layout == .array ? document : document.object?["products"])?.array?.count
      } catch {
        return problems.add(line(at: error.offset), LocalizedText("invalid JSON", ko: "올바른 JSON이 아닙니다"))
      }
    }
    let ranges = ImportJSONLines.objects(in: bytes, at: layout.rawValue) ?? []
    // Other arrays of objects next to the products would be taken for products.
    guard count == nil || count == ranges.count else {
      return problems.add(1, LocalizedText("not only JSON objects with products", ko: "상품이 아닌 JSON 값이 섞여 있습니다"))
    }
    var (position, number) = (0, 1)
    for range in ranges {
      number += bytes[position..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
      position = range.lowerBound
      if Task.isCancelled { break }
      if let row = row(Data(bytes[range]), line: number, columns: &table.columns, problems: &problems) {
        table.rows.append(row)
      }
    }
  }

  private func row(
    _ bytes: Data, line: Int, columns: inout Set<ProductField>, problems: inout ImportProblems
  ) -> ImportRow? {
    if JSON.unpairedSurrogate(in: bytes) != nil {
      problems.add(
        line,
        LocalizedText(
          "a text is cut within a character (half of a surrogate pair)", ko: "텍스트가 글자 중간에서 잘렸습니다(서로게이트 반쪽)"))
      return nil
    }
    guard ImportJSONLines.hasValues(bytes, atMost: ImportJSONLines.maximumProductValues) else {
      problems.add(line, ImportJSONLines.tooManyValues(ImportJSONLines.maximumProductValues))
      return nil
    }
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
      if let field = names.field(key) { columns.insert(field) }
      guard let value = object[key], value != .null else { continue }
      do {
        let field = try ImportColumns.field(key, names)
        if field == .id {
          result.id = try text(value, field).flatMap(ImportColumns.id)
          if result.id == nil { throw JSONTypeError(field: key, found: value) }
        } else if let text = try text(value, field) {
          result.cells.append(.init(field, text))
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
