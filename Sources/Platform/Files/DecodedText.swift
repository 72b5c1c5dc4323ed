import Foundation

/// The bytes of a file as the text they are: spreadsheets write UTF-8, UTF-16 and the code page of their machine, and none
/// of them says which.
package struct DecodedText: Hashable, Sendable {
  /// What the bytes were.
  package enum Encoding: Hashable, Sendable, CaseIterable {
    case utf8
    case utf16
    /// CP949, which Windows uses in Korea; EUC-KR is a part of it.
    case korean
  }

  package let text: String
  package let encoding: Encoding

  /// Nil for bytes that are none of these. A byte order mark stays out of the text.
  package init?(_ bytes: Data) {
    if let order = DecodedText.order(of: bytes) {
      guard let text = DecodedText.utf16(bytes, order) else { return nil }
      self.init(text, .utf16)
    } else if let text = String(validating: bytes, as: UTF8.self) {
      self.init(text, .utf8)
    } else if let text = DecodedText.korean(bytes) {
      self.init(text, .korean)
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

  /// By the mark in front; without one by the zeros, which digits, commas and line ends leave on one side of every pair.
  private static func order(of bytes: Data) -> Order? {
    if bytes.starts(with: [0xFF, 0xFE]) { return .little }
    if bytes.starts(with: [0xFE, 0xFF]) { return .big }
    let start = bytes.prefix(1_000)
    var zeros = (even: 0, odd: 0)
    for (index, byte) in start.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    // Text of other encodings has no zeros at all.
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

  /// Nil where one byte is wrong, and where this machine has no table of the code page.
  private static func korean(_ bytes: Data) -> String? {
    guard let converter = iconv_open("UTF-8", "CP949"), Int(bitPattern: converter) != -1 else { return nil }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // Two bytes of a letter become three.
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
