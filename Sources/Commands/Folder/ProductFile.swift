import Catalog
import Platform
import Text

/// A product as a file of a folder holds it, in TOML: its id and the fields that a vendor can change.
///
/// A field without a value isn't stated: the edition's lists don't contain it, or the file leaves it as it is. A file
/// without an id is a product to be created.
package struct ProductFile: Hashable, Sendable {
  /// The reason why a file can't be used, with its line.
  package struct Fault: Error, Hashable, Sendable {
    package var line: Int
    package var reason: LocalizedText

    package init(line: Int, reason: LocalizedText) {
      self.line = line
      self.reason = reason
    }
  }

  /// The fields of a file in their order: the description, which has several lines, is the last one.
  package static let fields: [ProductField] = ProductField.singleLineValues + [.images, .description]
  /// The maximum size of a file in bytes.
  package static let maximumBytes = 1 << 20

  package var id: Product.ID?
  /// The stated values; pictures are their paths in the folder, beginning with the thumbnail.
  package var values: [ProductField: FieldValue]

  package init(id: Product.ID?, values: [ProductField: FieldValue]) {
    self.id = id
    self.values = values
  }

  /// Creates the file of a product, with the paths of its pictures, or `nil` if they aren't known.
  package init(_ product: Product, pictures: [String]?) {
    id = product.id
    values = product.values(of: ProductFile.fields)
    values[.images] = pictures.map { .references($0) }
  }
}

// MARK: Writing
extension ProductFile {
  /// The text of the file: the same for the same values, with one line for each value but the description.
  package var text: String {
    var text = id.map { ProductFile.line(ofID: $0) } ?? ""
    for field in ProductFile.fields {
      if let value = values[field] { text += ProductFile.line(field, value) }
    }
    return text
  }

  private static func line(ofID id: Product.ID) -> String { "id = \(id)\n" }

  private static func line(_ field: ProductField, _ value: FieldValue) -> String {
    "\(field.rawValue) = \(literal(value, of: field))\n"
  }

  private static func literal(_ value: FieldValue, of field: ProductField) -> String {
    switch value {
    case .text, .timestamp, .pictures:
      let text = value.description
      return field == .description ? TOML.multiline(text) : TOML.quoted(text)
    case .number(let number): return String(number)
    case .amount(let amount):
      let digits = amount.description
      // An integer of TOML has 64 bits.
      return digits.utf8.count > 18 && !digits.contains(".") ? digits + ".0" : digits
    case .references(let paths):
      return paths.isEmpty ? "[]" : "[\n" + paths.map { "  \(TOML.quoted($0)),\n" }.joined() + "]"
    }
  }

  /// Returns the text of a file with the id in its first line, in place of any other id.
  package static func text(_ text: String, withID id: Product.ID) -> String { line(ofID: id) + textWithoutID(text) }

  /// Returns the text of a file without its id.
  package static func textWithoutID(_ text: String) -> String {
    guard let range = (try? document(text))?.range(of: ProductField.id.rawValue) else { return text }
    var bytes = Array(text.utf8)
    bytes.removeSubrange(wholeLines(around: range, in: bytes))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the text of a file with other values for some fields; its order, its comments and all else stay the same.
  ///
  /// - Parameters:
  ///   - text: The text of a valid file.
  ///   - changes: The new values; `nil` removes a field.
  /// - Returns: The new text.
  /// - Throws: `Fault` if the text isn't a valid file.
  package static func text(_ text: String, with changes: [ProductField: FieldValue?]) throws(Fault) -> String {
    let document = try document(text)
    var bytes = Array(text.utf8)
    var edits: [(range: Range<Int>, text: String)] = []
    var added = ""
    for field in fields {
      guard let change = changes[field] else { continue }
      guard let range = document.range(of: field.rawValue) else {
        if let value = change { added += line(field, value) }
        continue
      }
      if let value = change {
        edits.append((range, literal(value, of: field)))
      } else {
        edits.append((wholeLines(around: range, in: bytes), ""))
      }
    }
    for edit in edits.sorted(by: { $1.range.lowerBound < $0.range.lowerBound }) {
      bytes.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    if !added.isEmpty, let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    return String(decoding: bytes, as: UTF8.self) + added
  }

  private static func wholeLines(around range: Range<Int>, in bytes: [UInt8]) -> Range<Int> {
    let start = bytes[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let end = bytes[range.upperBound...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? bytes.count
    return start..<end
  }
}

// MARK: Reading
extension ProductFile {
  /// Reads a file.
  ///
  /// - Throws: `Fault` with the line of the first error: no TOML, an unknown key, a value of another type, a byte order
  ///   mark, a line that ends with a carriage return, or the marker of an unresolved merge.
  package init(parsing text: String) throws(Fault) {
    let document = try ProductFile.document(text)
    values = [:]
    for (key, value) in document.table.sorted(by: { $0.key < $1.key }) {
      let line = document.line(of: key) ?? 1
      if key == ProductField.id.rawValue {
        guard case .integer(let number) = value, number > 0 else {
          throw Fault(
            line: line,
            reason: LocalizedText("\(.field(key)) must be a product number", ko: "\(.field(key)) 값은 상품 번호입니다"))
        }
        id = number
        continue
      }
      guard let field = ProductField(rawValue: key), ProductFile.fields.contains(field) else {
        throw Fault(line: line, reason: ProductFile.unknown(key))
      }
      values[field] = try ProductFile.value(value, of: field, line)
    }
  }

  /// Returns the line of a field in the text of a file, or the first line if it has none.
  package static func line(of field: ProductField, in text: String) -> Int {
    (try? document(text))?.line(of: field.rawValue) ?? 1
  }

  private static func document(_ text: String) throws(Fault) -> TOMLDocument {
    try checkLines(text)
    do {
      return try TOMLDocument(parsing: text)
    } catch {
      throw Fault(line: error.line, reason: error.reason)
    }
  }

  /// Returns the text of a file with LF line ends, in place of the CR LF that git and editors of Windows write.
  package static func withLineFeeds(_ text: String) -> String {
    text.utf8.contains(UInt8(ascii: "\r"))
      ? String(decoding: Array(text.utf8).withLineFeeds, as: UTF8.self) : text
  }

  private static func checkLines(_ text: String) throws(Fault) {
    if text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw Fault(
        line: 1,
        reason: LocalizedText(
          "the file begins with a byte order mark; save it as UTF-8 without one",
          ko: "파일이 BOM으로 시작합니다. BOM 없는 UTF-8로 저장하세요")
      )
    }
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.last == UInt8(ascii: "\r") {
        throw Fault(
          line: number,
          reason: LocalizedText(
            "the line ends with CR LF; save the file with LF line endings", ko: "줄이 CR LF로 끝납니다. 줄 끝을 LF로 저장하세요"))
      }
      let isSeparator = line.elementsEqual("=======".utf8)
      if isSeparator || ["<<<<<<< ", ">>>>>>> "].contains(where: { line.starts(with: $0.utf8) }) {
        throw Fault(
          line: number,
          reason: LocalizedText(
            "the line is a conflict marker; resolve the merge first", ko: "병합 충돌 표시가 있는 줄입니다. 먼저 병합을 마치세요"))
      }
    }
  }

  private static func value(_ value: TOML, of field: ProductField, _ line: Int) throws(Fault) -> FieldValue {
    switch (field.valueType, value) {
    case (.text, .string(let text)): return .text(text)
    case (.amount, .integer(let number)): return .amount(Amount(number))
    case (.amount, .decimal(let digits)): if let amount = Amount(plain: digits) { return .amount(amount) }
    case (.number, .integer(let number)): return .number(number)
    case (.pictures, .array(let elements)):
      let paths = elements.compactMap { element -> String? in
        if case .string(let path) = element { path } else { nil }
      }
      if paths.count == elements.count { return .references(paths) }
    case (.text, _), (.amount, _), (.number, _), (.timestamp, _), (.pictures, _): break
    }
    let reason =
      switch field.valueType {
      case .amount:
        LocalizedText("\(.field(field)) must be a number such as 19.99", ko: "\(.field(field)) 값은 19.99 같은 숫자입니다")
      case .number: LocalizedText("\(.field(field)) must be a whole number", ko: "\(.field(field)) 값은 정수입니다")
      case .pictures:
        LocalizedText("\(.field(field)) must be a list of quoted paths", ko: "\(.field(field)) 값은 따옴표로 묶은 경로의 목록입니다")
      case .text, .timestamp:
        LocalizedText("\(.field(field)) must be a quoted string", ko: "\(.field(field)) 값은 따옴표로 묶은 문자열입니다")
      }
    throw Fault(line: line, reason: reason)
  }

  private static func unknown(_ key: String) -> LocalizedText {
    let keys = ([ProductField.id] + fields).map(\.rawValue).joined(separator: ", ")
    return LocalizedText(
      "unknown key \(.foreign(key)); the keys are \(keys)", ko: "알 수 없는 키 \(.foreign(key)); 쓸 수 있는 키: \(keys)")
  }
}

// MARK: Names
extension ProductFile {
  private static let ending: StaticString = ".toml"

  /// Returns whether a file of this name is one of a product; others are the user's own.
  package static func isName(_ name: FileName) -> Bool {
    name.description.utf8.suffix(ending.utf8CodeUnitCount).elementsEqual("\(ending)".utf8)
  }

  /// Returns the name of the file of a product: six digits of its id and the words of its name.
  package static func name(id: Product.ID, of name: String?) -> FileName { self.name(id: id, words: slug(name ?? "")) }

  /// Returns the name of another file for a product whose name is taken.
  static func name(id: Product.ID, of name: String?, number: Int) -> FileName {
    let words = slug(name ?? "")
    return self.name(id: id, words: words.isEmpty ? "\(number)" : "\(words)-\(number)")
  }

  private static func name(id: Product.ID, words: String) -> FileName {
    let digits = String(id)
    let number = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    return FileName(stated: number + (words.isEmpty ? "" : "-" + words) + "\(ending)")
      ?? FileName(id, ending: ending)
  }

  /// Returns letters and digits in lowercase with single hyphens between them.
  private static func slug(_ text: String) -> String {
    var slug = ""
    var bytes = 0
    for character in text.prefix(200).lowercased().nfcNormalized {
      let isWord = character.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
      if isWord {
        guard bytes + character.utf8.count <= 120 else { break }
        slug.append(character)
        bytes += character.utf8.count
      } else if !slug.isEmpty, slug.last != "-" {
        slug.append("-")
        bytes += 1
      }
    }
    return slug.last == "-" ? String(slug.dropLast()) : slug
  }
}

extension [UInt8] {
  /// The bytes without each carriage return in front of a line feed.
  fileprivate var withLineFeeds: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    for (index, byte) in enumerated() {
      if byte == UInt8(ascii: "\r"), index + 1 < count, self[index + 1] == UInt8(ascii: "\n") { continue }
      result.append(byte)
    }
    return result
  }
}
