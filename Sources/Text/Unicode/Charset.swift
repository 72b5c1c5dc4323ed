import Foundation

/// A charset other than UTF-8 that texts for this program come in, converted with the tables of the system.
package enum Charset: Hashable, Sendable, CaseIterable {
  /// The code page of Korean Windows and a superset of EUC-KR.
  case cp949
  case latin1
  case utf16LittleEndian
  case utf16BigEndian

  /// The reason why bytes can't be decoded.
  package enum Fault: Error {
    /// The system has no table of the charset.
    case noTable
    /// The bytes from this offset are no character.
    case invalid(at: Int)
  }

  /// Creates the charset of a response from its `Content-Type`, or `nil` for UTF-8, for another charset, and for none.
  ///
  /// Text without a charset but with the byte order mark of UTF-16 is UTF-16. UTF-16 without a byte order mark has the order that the zero byte of its first character, which is ASCII in JSON,
  /// shows (RFC 4627, section 3).
  package init?(contentType: String, body: Data) {
    // Most responses are UTF-8 and say so, or have no parameter.
    if contentType.lowercased().hasSuffix("charset=utf-8") { return nil }
    if !contentType.utf8.contains(UInt8(ascii: ";")), Charset(byteOrderMarkOf: body) == nil { return nil }
    let parameter = contentType.split(separator: ";").dropFirst().lazy.map { $0.trimmed.lowercased() }
      .first { $0.hasPrefix("charset=") }
    guard let label = parameter?.dropFirst("charset=".count).trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
    else {
      // A byte order mark names UTF-16 where nothing else does. Pictures may begin with the same bytes.
      let type = contentType.prefix { $0 != ";" }.trimmed.lowercased()
      let isText = type.isEmpty || type.hasPrefix("text/") || type.hasSuffix("json")
      guard isText, let marked = Charset(byteOrderMarkOf: body) else { return nil }
      self = marked
      return
    }
    switch label {
    case "euc-kr", "euckr", "cp949", "ms949", "uhc", "windows-949", "x-windows-949", "ks_c_5601-1987", "ksc5601":
      self = .cp949
    case "iso-8859-1", "iso8859-1", "latin1", "l1": self = .latin1
    case "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    case "utf-16":
      self = body.starts(with: [0xFF, 0xFE]) || body.dropFirst().first == 0 ? .utf16LittleEndian : .utf16BigEndian
    default: return nil
    }
  }

  /// Creates the charset that a byte order mark names, or `nil` without one.
  package init?(byteOrderMarkOf body: Data) {
    if body.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if body.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else {
      return nil
    }
  }

  /// The name in the system's converter (iconv).
  private var name: String {
    switch self {
    case .cp949: "CP949"
    case .latin1: "ISO-8859-1"
    case .utf16LittleEndian: "UTF-16LE"
    case .utf16BigEndian: "UTF-16BE"
    }
  }

  /// Returns the text of bytes in this charset, without a byte order mark.
  ///
  /// - Parameter table: The name of another table; for tests.
  /// - Throws: `Fault`.
  package func text(of bytes: Data, table: String? = nil) throws(Fault) -> String {
    guard let converter = iconv_open("UTF-8", table ?? name), Int(bitPattern: converter) != -1 else { throw .noTable }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // Of one byte come at most two in UTF-8, and of two at most three.
    var output = [CChar](repeating: 0, count: input.count * 2 + 4)
    let (written, left) = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        var (left, room) = (input.count, output.count)
        let isDone = iconv(converter, &from, &left, &to, &room) == 0 && left == 0
        return (output.count - room, isDone ? 0 : max(left, 1))
      }
    }
    guard left == 0, let text = String(validating: output[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    else { throw .invalid(at: bytes.count - left) }
    return text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Returns the characters of a text that the charset doesn't have, which a program that saves the text in it loses.
  ///
  /// It is empty if the system has no table of the charset.
  package func missing(in text: String) -> Set<Unicode.Scalar> {
    guard let converter = iconv_open(name, "UTF-8"), Int(bitPattern: converter) != -1 else { return [] }
    defer { iconv_close(converter) }
    return Set(
      text.unicodeScalars.filter { scalar in
        guard !scalar.isASCII else { return false }
        iconv(converter, nil, nil, nil, nil)
        var input = String(Character(scalar)).utf8.map { CChar(bitPattern: $0) }
        var output = [CChar](repeating: 0, count: 16)
        return input.withUnsafeMutableBufferPointer { input in
          output.withUnsafeMutableBufferPointer { output in
            var (from, to) = (input.baseAddress, output.baseAddress)
            var (left, room) = (input.count, output.count)
            return iconv(converter, &from, &left, &to, &room) != 0 || left != 0
          }
        }
      })
  }
}
