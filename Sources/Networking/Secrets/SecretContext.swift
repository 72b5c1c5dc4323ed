/// The kind of a text in which secrets are searched, which decides where a short secret counts.
///
/// A secret of eight or more characters is found wherever it occurs. A shorter one occurs in words by chance: `hi` is in
/// `This`. Replacing it there would damage the text, and a printed command would put the secret into it.
package enum SecretContext: Hashable, Sendable {
  /// A text to be sent, which must stay exact: a short secret counts only as the value of a field or header whose name is that
  /// of a secret, and as a segment of a path.
  case request
  /// A text that a server sent or that is shown: a short secret counts as a complete value too, unless it is a number.
  case response
  /// A text in which every occurrence of a secret counts.
  case anywhere

  /// The number of bytes from which a secret is found anywhere.
  static let longEnough = 8

  /// Returns whether a field, a header or a variable of this name carries a secret.
  package static func isSecret(name: some StringProtocol) -> Bool { containsSecretName(name) }

  /// Returns whether a text contains a part of such a name.
  package static func containsSecretName(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.lowercased().utf8)
    return secretNames.contains { part in bytes.indices.contains { bytes[$0...].starts(with: part) } }
  }

  /// The UTF-8 of the parts that the name of a secret contains. Bytes are compared because every field of a recorded request
  /// is checked.
  private static let secretNames = [
    "secret", "passw", "pwd", "token", "key", "auth", "identifier", "appid", "credential", "cookie", "session",
  ].map { Array($0.utf8) }
}

/// The surroundings of a short secret in a text.
struct SecretSurroundings {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let range: Range<Int>

  init(of range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) { (self.range, self.bytes) = (range, bytes) }

  /// Returns whether the range is a secret there.
  func isSecret(_ context: SecretContext, isNumber: Bool) -> Bool {
    if context == .anywhere || isNamedValue { return true }
    if isNumber { return false }
    if isPathSegment { return true }
    return context == .response && (isAll || isQuoted || isAfterName)
  }

  /// Returns whether the range is a number of a JSON text, and not in a string.
  var isJSONNumber: Bool {
    guard let first = bytes.first(where: { !SecretSurroundings.isBlank($0) }), "{[".utf8.contains(first),
      let before = index(before: range.lowerBound), let after = index(from: range.upperBound)
    else { return false }
    return ":,[".utf8.contains(bytes[before]) && ",]}".utf8.contains(bytes[after])
  }

  private var isAll: Bool { range == 0..<bytes.count }

  private var quote: UInt8? {
    guard range.lowerBound > 0, range.upperBound < bytes.count else { return nil }
    let before = bytes[range.lowerBound - 1]
    guard "\"'".utf8.contains(before) else { return nil }
    // The end of a string in a string is `\"`.
    let after = bytes[range.upperBound]
    let isEscaped = after == UInt8(ascii: "\\") && range.upperBound + 1 < bytes.count
    return (isEscaped ? bytes[range.upperBound + 1] : after) == before ? before : nil
  }

  private var isQuoted: Bool { quote != nil }

  /// A Boolean value that indicates a word after the name of a secret, as in messages: `secret abc is wrong`.
  private var isAfterName: Bool {
    guard range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: " "),
      range.upperBound == bytes.count || !SecretSurroundings.isNameByte(bytes[range.upperBound]),
      let end = index(before: range.lowerBound)
    else { return false }
    return hasSecretName(endingAt: end + 1)
  }

  private var isPathSegment: Bool {
    guard range.lowerBound > 0, bytes[range.lowerBound - 1] == UInt8(ascii: "/") else { return false }
    return range.upperBound == bytes.count || "/? ".utf8.contains(bytes[range.upperBound])
  }

  /// A Boolean value that indicates the complete value of a field of JSON or of a form, or of a header, with a secret's
  /// name.
  private var isNamedValue: Bool {
    if quote != nil {
      // Back over the quotation mark with its backslashes, and the colon.
      var end = range.lowerBound - 1
      while end > 0, bytes[end - 1] == UInt8(ascii: "\\") { end -= 1 }
      guard let colon = index(before: end), ":=".utf8.contains(bytes[colon]) else { return false }
      return hasSecretName(endingAt: colon)
    }
    guard range.upperBound == bytes.count || "&;,}]\r\n\"' ".utf8.contains(bytes[range.upperBound]),
      let mark = index(before: range.lowerBound)
    else { return false }
    if ":=".utf8.contains(bytes[mark]) { return hasSecretName(endingAt: mark) }
    // The scheme of `Authorization: Bearer …`.
    guard mark < range.lowerBound - 1 else { return false }
    var start = mark
    while start > 0, SecretSurroundings.isNameByte(bytes[start - 1]) { start -= 1 }
    guard let colon = index(before: start), bytes[colon] == UInt8(ascii: ":") else { return false }
    return name(endingAt: colon).lowercased().contains("authorization")
  }

  private func hasSecretName(endingAt end: Int) -> Bool { SecretContext.isSecret(name: name(endingAt: end)) }

  private func name(endingAt end: Int) -> String {
    var end = end
    while end > 0, SecretSurroundings.isBlank(bytes[end - 1]) || "\"'\\".utf8.contains(bytes[end - 1]) { end -= 1 }
    var start = end
    while start > 0, end - start < 60, SecretSurroundings.isNameByte(bytes[start - 1]) { start -= 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Returns the index of the last byte before `end` that isn't white space.
  private func index(before end: Int) -> Int? { bytes[..<end].lastIndex { !SecretSurroundings.isBlank($0) } }

  /// Returns the index of the first byte from `start` that isn't white space.
  private func index(from start: Int) -> Int? { bytes[start...].firstIndex { !SecretSurroundings.isBlank($0) } }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...0xFF:
      true
    default: false
    }
  }
}
