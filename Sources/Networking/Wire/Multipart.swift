import Foundation

/// A multipart form (RFC 7578): text fields and files, separated by a boundary.
package struct Multipart: Hashable, Sendable {
  /// A field or file of the form.
  package struct Part: Hashable, Sendable {
    package var name: String
    /// The file name, or `nil` for a plain field.
    package var fileName: String?
    package var type: String?
    package var content: Data

    package init(name: String, fileName: String? = nil, type: String? = nil, content: Data) {
      self.name = name
      self.fileName = fileName
      self.type = type
      self.content = content
    }
  }

  package var boundary: String
  package var parts: [Part]

  package init(boundary: String, parts: [Part]) {
    self.boundary = boundary
    self.parts = parts
  }
}

extension Multipart {
  /// The media type with the boundary.
  package var type: String { "multipart/form-data; boundary=\(boundary)" }

  /// The form as it is sent: CRLF line ends, each part after its delimiter (RFC 2046 section 5.1.1).
  package var bytes: Data {
    var result = Data()
    for part in parts {
      result.append(Data("--\(boundary)\r\n\(part.head)\r\n".utf8))
      result.append(part.content)
      result.append(Data("\r\n".utf8))
    }
    result.append(Data("--\(boundary)--\r\n".utf8))
    return result
  }

  /// Indicates whether the form can be sent unambiguously.
  ///
  /// The boundary is 1 to 70 characters that need no quoting (RFC 2046) and does not occur in a part, and no media type
  /// contains a line break.
  package var isSound: Bool {
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.".utf8)
    guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy(allowed.contains) else { return false }
    let mark = Data(("--" + boundary).utf8)
    return parts.allSatisfy { $0.content.range(of: mark) == nil && $0.type?.contains(where: \.isNewline) != true }
  }
}

extension Multipart.Part {
  /// The header lines of the part, each ended with CRLF.
  package var head: String {
    var line = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName { line += "; filename=\"\(Self.escaped(fileName))\"" }
    return line + "\r\n" + (type.map { "Content-Type: \($0)\r\n" } ?? "")
  }

  /// Percent-encodes a quotation mark or line break, which would end the header, as browsers do (RFC 7578 section 2,
  /// HTML 4.10.21.8).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "%22"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Percent-encoding with fixed tables (RFC 3986), so that no library decides what a name or an id can do to a URL.
package enum PercentEncoding {
  /// Encodes a path segment: `/`, `?`, `#`, `%` and everything outside `pchar`, and the dots of `.` and `..`, which
  /// would change the path.
  package static func segment(_ text: String) -> String {
    if text == "." || text == ".." { return text.map { _ in "%2E" }.joined() }
    return encode(text, keeping: segmentBytes)
  }

  /// Encodes a query name or value.
  ///
  /// Only unreserved characters remain, so `+`, `&`, `=` and Korean arrive as typed; a space is `%20`.
  package static func query(_ text: String) -> String { encode(text, keeping: unreservedBytes) }

  /// Decodes percent-encoded text, or returns `nil` for an incomplete escape or for bytes that are not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Substring(text).utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexValue), let low = rest.popFirst().flatMap(hexValue) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func encode(_ text: String, keeping kept: ASCIISet) -> String {
    if text.utf8.allSatisfy(kept.contains) { return text }
    var result: [UInt8] = []
    for byte in text.utf8 {
      if kept.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static let hexDigits = Array("0123456789ABCDEF".utf8)
  private static let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
  private static let unreservedBytes = ASCIISet(unreserved)
  private static let segmentBytes = ASCIISet(unreserved + "!$&'()*+,;=:@")
}

/// A set of ASCII characters as 128 bits: it is queried for every byte of every request.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates the set of the ASCII characters of a text.
  init(_ text: String) {
    for byte in text.utf8 where byte < 128 {
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    switch byte {
    case 0..<64: low & 1 << UInt64(byte) != 0
    case 64..<128: high & 1 << UInt64(byte - 64) != 0
    default: false
    }
  }
}
