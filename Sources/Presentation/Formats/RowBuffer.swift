import Catalog

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
    case .pictures: add(CSVLine.cell(FlatCell(product, field).guarded))
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
    case .pictures: add(OutputJSON(product, field).text)
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
    case .pictures: quoted(value.description)
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

  mutating func quoted(_ text: String) {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { utf8 in
      guard RowBuffer.isPlainJSON(utf8) else { return false }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: utf8)
      bytes.append(UInt8(ascii: "\""))
      return true
    }
    if isPlain != true { add(OutputJSON.string(text).text) }
  }

  /// Returns true if no character must be escaped: printable ASCII without quotation mark and backslash, Hangul
  /// syllables (U+AC00 to U+D7A3), ideographs (U+4E00 to U+9FFF).
  private static func isPlainJSON(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): return false
      case 0x20...0x7E: index += 1
      case 0xE5...0xE9, 0xEB, 0xEC: index += 3
      case 0xEA where index + 1 < utf8.count && utf8[index + 1] >= 0xB0: index += 3
      case 0xED where index + 1 < utf8.count && utf8[index + 1] < 0x9E: index += 3
      default: return false
      }
    }
    return true
  }
}
