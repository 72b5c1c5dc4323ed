import Catalog
import Text

/// Writes values of products directly as UTF-8 bytes, for formats of which millions are written.
///
/// Unusual values are passed to ``FlatCell``, ``CSVLine`` and ``OutputJSON``, whose output is the same.
struct RowBuffer {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func addComma() { bytes.append(UInt8(ascii: ",")) }

  mutating func add(_ number: Int) { Amount(number).append(to: &bytes) }

  /// Appends a cell of CSV.
  mutating func addCSV(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: break
    case .text(let text): words(text)
    case .number(let number): add(number)
    case .amount(let amount): amount.append(to: &bytes)
    case .timestamp(let moment): moment.write(to: &bytes)
    case .pictures, .references: add(CSVLine.cell(FlatCell(product, field).guarded))
    }
  }

  private mutating func words(_ text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard RowBuffer.isPlainCell(utf8) else { return false }
      bytes.append(contentsOf: utf8)
      return true
    }
    if isPlain != true { add(CSVLine.cell(CSVInjection.escape(text))) }
  }

  /// Returns true if a cell needs neither quotes nor a guard.
  private static func isPlainCell(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = utf8.first else { return true }
    if first < UInt8(ascii: ".") || first == UInt8(ascii: "=") || first == UInt8(ascii: "@") { return false }
    // The loop has no early exit, so that it can be vectorized.
    var found: UInt8 = 0
    for byte in utf8 {
      found |= byte == UInt8(ascii: "\"") ? 1 : 0
      found |= byte == UInt8(ascii: ",") ? 1 : 0
      found |= byte == 0x0A ? 1 : 0
      found |= byte == 0x0D ? 1 : 0
    }
    return found == 0
  }

  /// Appends a JSON value.
  mutating func addJSON(_ product: Product, _ field: ProductField) {
    switch product[field] {
    case nil: add("null")
    case .text(let text): quoted(text)
    case .number(let number): add(number)
    case .amount(let amount): amount.append(to: &bytes)
    case .timestamp(let moment): quoted(moment)
    case .pictures, .references: add(OutputJSON(product, field).text)
    }
  }

  /// Appends a key and a JSON string, or nothing if the value is unknown.
  mutating func addText(_ key: String, _ product: Product, _ field: ProductField) {
    guard let value = product[field] else { return }
    add(key)
    switch value {
    case .text(let text): quoted(text)
    case .timestamp(let moment): quoted(moment)
    case .number(let number): quotedDigits(of: Amount(number))
    case .amount(let amount): quotedDigits(of: amount)
    case .pictures, .references: quoted(value.description)
    }
  }

  private mutating func quotedDigits(of amount: Amount) {
    bytes.append(UInt8(ascii: "\""))
    amount.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func quoted(_ time: Timestamp) {
    bytes.append(UInt8(ascii: "\""))
    time.write(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func quoted(_ text: String) { JSONWriter.append(text, to: &bytes, .invisible) }
}
