import Foundation

/// Text decoded from the bytes of a file in a detected encoding.
///
/// Spreadsheets write UTF-8, UTF-16 or the code page of their machine without declaring it.
package struct DecodedText: Hashable, Sendable {
  /// A detected encoding.
  package enum Encoding: Hashable, Sendable, CaseIterable {
    case utf8
    case utf16
    /// CP949, the code page of Korean Windows and a superset of EUC-KR.
    case cp949
  }

  package let text: String
  package let encoding: Encoding

  /// Decodes the bytes, or returns `nil` if they are in none of the encodings.
  ///
  /// A byte order mark is removed.
  package init?(_ bytes: Data) {
    if let order = DecodedText.order(of: bytes) {
      guard let text = DecodedText.utf16(bytes, order) else { return nil }
      self.init(text, .utf16)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      self.init(text, .utf8)
    } else if let text = DecodedText.korean(bytes) {
      self.init(text, .cp949)
    } else {
      return nil
    }
  }

  private init(_ text: String, _ encoding: Encoding) {
    self.text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    self.encoding = encoding
  }

  // MARK: UTF-16

  private enum Order { case little, big }

  /// Detects the byte order by the byte order mark, or else by the zero bytes: digits, commas and newlines have one in
  /// every unit.
  private static func order(of bytes: Data) -> Order? {
    if bytes.starts(with: [0xFF, 0xFE]) { return .little }
    if bytes.starts(with: [0xFE, 0xFF]) { return .big }
    let start = bytes.prefix(1_000)
    var zeros = (even: 0, odd: 0)
    for (index, byte) in start.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    // Text in other encodings contains no zero bytes.
    guard zeros.even + zeros.odd > start.count / 8 else { return nil }
    return zeros.odd > zeros.even ? .little : .big
  }

  private static func utf16(_ bytes: Data, _ order: Order) -> String? {
    guard bytes.count.isMultiple(of: 2) else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var rest = bytes[...]
    while let first = rest.popFirst(), let second = rest.popFirst() {
      let (low, high) = order == .little ? (first, second) : (second, first)
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    return String(validating: units, as: UTF16.self)
  }

  // MARK: CP949

  /// Decodes CP949; returns `nil` if a byte is invalid, and if this system has no table of the code page.
  private static func korean(_ bytes: Data) -> String? {
    guard let converter = iconv_open("UTF-8", "CP949"), Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // Two bytes of a character become three in UTF-8.
    var output = [CChar](repeating: 0, count: input.count * 3 / 2 + 4)
    let written = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output -> Int? in
        var (from, to) = (input.baseAddress, output.baseAddress)
        var (left, room) = (input.count, output.count)
        guard iconv(converter, &from, &left, &to, &room) == 0, left == 0 else { return nil }
        return output.count - room
      }
    }
    guard let written else { return nil }
    return String(validating: output[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
