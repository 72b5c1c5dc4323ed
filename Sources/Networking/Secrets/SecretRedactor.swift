import Foundation
import Text

/// Finds secrets by value and hides them, in any text: a log line, a server's echo, a request that is shown.
///
/// A secret of less than eight characters counts only where it has a place of its own; see `SecretContext`.
///
/// A secret is found raw, in base64 (alone or inside a longer text, also as part of a JSON text) and in hexadecimal, each
/// also within JSON escapes, percent or form encoding, HTML character references, or references within JSON escapes.
package struct SecretRedactor: Sendable {
  /// The encoded secrets to search for, the longest first.
  private let forms: [Pattern]
  /// A prefilter of the first two bytes of all forms.
  ///
  /// Most texts do not match it and are searched once instead of once per form.
  private let beginnings: Beginnings
  /// Indicates whether a secret contains a space, which form encoding writes as `+`.
  private let hasBlanks: Bool
  /// Indicates whether a secret is short or a number, so that the context decides where it counts.
  private let dependsOnContext: Bool
  private var context: SecretContext

  /// - Parameters:
  ///   - secrets: The secrets to search for.
  ///   - context: The kind of the texts.
  package init(_ secrets: [NamedSecret], in context: SecretContext = .response) {
    self.context = context
    var different: [NamedSecret] = []
    for secret in secrets where !different.contains(secret) { different.append(secret) }
    hasBlanks = secrets.contains { $0.secret.reveal().utf8.contains(UInt8(ascii: " ")) }
    forms = different.flatMap(Pattern.all).sorted { $0.bytes.count > $1.bytes.count }
    beginnings = Beginnings(forms)
    dependsOnContext = forms.contains { $0.isShort || $0.isNumber }
  }

  /// Returns a redactor of the same secrets in texts of another kind.
  package func with(_ context: SecretContext) -> SecretRedactor {
    var redactor = self
    redactor.context = context
    return redactor
  }

  /// Returns the text with `•••` in place of every form of every secret.
  package func mask(_ text: String) -> String { replacing(in: text) { _ in Secret.mask } }

  /// Returns the text with every form of every secret replaced by the result of `word` for the secret's variable.
  package func replacing(in text: String, _ word: (_ variable: String) -> String) -> String {
    guard let pieces = cut(text) else { return text }
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .secret(let variable, _): word(variable)
      }
    }.joined()
  }

  /// Returns the value of a field or header like `replacing(in:)`: with a secret's name, short secrets are found anywhere in it.
  package func replacing(in value: String, ofField name: String, _ word: (_ variable: String) -> String) -> String {
    guard dependsOnContext, SecretContext.isSecret(name: name) else { return replacing(in: value, word) }
    return with(.anywhere).replacing(in: value, word)
  }

  /// Returns the text split at its secrets, in order.
  ///
  /// The longest form that matches at a position is used.
  package func pieces(of text: String) -> [Piece] { cut(text) ?? (text.isEmpty ? [] : [.text(text)]) }

  /// Returns the bytes, which need not be text, with `•••` in place of every form of every secret.
  package func mask(bytes: Data) -> Data {
    guard !forms.isEmpty else { return bytes }
    return Array(bytes).withUnsafeBufferPointer { text in
      var result = Data()
      var start = 0
      for match in matches(in: text) {
        result.append(contentsOf: text[start..<match.range.lowerBound])
        result.append(Data(Secret.mask.utf8))
        start = match.range.upperBound
      }
      result.append(contentsOf: text[start...])
      return result
    }
  }

  /// Splits the text, or returns `nil` if it contains no secret, as most texts do.
  ///
  /// A text shorter than the shortest form contains none, however it is escaped.
  private func cut(_ text: String) -> [Piece]? {
    guard let shortest = forms.last, text.utf8.count >= shortest.bytes.count else { return nil }
    var text = text
    return text.withUTF8 { cut($0) }
  }

  private func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> [Piece]? {
    let found = matches(in: bytes)
    guard !found.isEmpty else { return nil }
    var result: [Piece] = []
    var start = 0
    for match in found {
      if start < match.range.lowerBound {
        result.append(.text(String(decoding: bytes[start..<match.range.lowerBound], as: UTF8.self)))
      }
      result.append(.secret(variable: match.variable, match.spelling))
      start = match.range.upperBound
    }
    if start < bytes.count { result.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
    return result
  }

  private struct Match {
    var range: Range<Int>
    var variable: String
    var spelling: Encoding
  }

  /// Returns the matches in order; overlapping ones are merged.
  private func matches(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    let plain = directMatches(in: bytes)
    let escaped = escaped(in: bytes)
    guard !escaped.isEmpty else { return plain }
    var all: [Match] = []
    // Of several that begin at one place the longest is taken, and of equal ones the plain.
    let sorted = (plain + escaped).enumerated().sorted {
      ($0.element.range.lowerBound, -$0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, -$1.element.range.upperBound, $1.offset)
    }
    for (_, match) in sorted {
      if let last = all.last, match.range.lowerBound < last.range.upperBound {
        let end = max(last.range.upperBound, match.range.upperBound)
        all[all.count - 1].range = last.range.lowerBound..<end
      } else {
        all.append(match)
      }
    }
    return all
  }

  /// Returns the matches of the forms in the text as it is.
  private func directMatches(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    guard beginnings.mayMatch(in: bytes) else { return [] }
    var result: [Match] = []
    var start = 0
    // The next match of each form.
    var offsets = forms.map { offset(of: $0, in: bytes, from: 0) }
    while let (next, offset) = SecretRedactor.first(of: offsets) {
      start = offset + forms[next].bytes.count
      result.append(Match(range: offset..<start, variable: forms[next].variable, spelling: forms[next].spelling))
      for (index, offset) in offsets.enumerated() where offset.map({ $0 < start }) == true {
        offsets[index] = self.offset(of: forms[index], in: bytes, from: start)
      }
    }
    return result
  }

  /// Returns the offset of the next match of a form where it is a secret.
  private func offset(of form: Pattern, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var start = start
    while let offset = form.offset(in: bytes, from: start) {
      guard form.isShort || form.isNumber, context != .anywhere else { return offset }
      let surroundings = SecretSurroundings(of: offset..<(offset + form.bytes.count), in: bytes)
      if form.isShort ? surroundings.isSecret(context, isNumber: form.isNumber) : !surroundings.isJSONNumber {
        return offset
      }
      start = offset + 1
    }
    return nil
  }

  /// Returns the matches in the text after its escapes are decoded: those of one kind, or references within backslash
  /// escapes, because some JSON encoders write `&` as `\u0026`.
  private func escaped(in bytes: UnsafeBufferPointer<UInt8>) -> [Match] {
    let syntaxes = EscapeSyntax.candidates(in: bytes, form: hasBlanks)
    guard !syntaxes.isEmpty else { return [] }
    let text = Array(bytes)
    var readings: [EscapeSyntax.Reading] = []
    for syntax in syntaxes {
      guard let reading = syntax.decode(text) else { continue }
      readings.append(reading)
      if syntax == .backslashes, let inner = reading.decoded(by: .references) { readings.append(inner) }
    }
    return readings.flatMap { reading in
      reading.bytes.withUnsafeBufferPointer { directMatches(in: $0) }.map { match in
        // All bytes of one escape have the same offset, so a match ends where the next escape begins.
        let last = reading.offsets[match.range.upperBound - 1]
        let end = reading.offsets[match.range.upperBound...].first { $0 > last }
        return Match(
          range: reading.offsets[match.range.lowerBound]..<(end ?? text.count), variable: match.variable,
          spelling: .escaped)
      }
    }
  }

  /// Returns the first match and its form.
  ///
  /// If several begin at one position, it is the longest form, which is sorted first.
  private static func first(of offsets: [Int?]) -> (form: Int, offset: Int)? {
    var best: (form: Int, offset: Int)?
    for (index, offset) in offsets.enumerated() {
      if let offset, best.map({ offset < $0.offset }) ?? true { best = (index, offset) }
    }
    return best
  }

  /// A part of a text: plain text or a secret.
  package enum Piece: Hashable, Sendable {
    case text(String)
    case secret(variable: String, Encoding)
  }

  /// The encoding in which a secret was found.
  package enum Encoding: Hashable, Sendable {
    case raw
    case percent
    case json
    case base64
    case hex
    /// The secret with some characters as escapes.
    case escaped
  }

  /// The first two bytes of all forms as a bit set.
  private struct Beginnings {
    private var pairs: [UInt64]
    /// False if a form of one byte exists, which has no pair.
    private let isComplete: Bool

    init(_ forms: [Pattern]) {
      pairs = Array(repeating: 0, count: forms.isEmpty ? 0 : 1 << 10)
      isComplete = forms.allSatisfy { $0.bytes.count > 1 }
      for form in forms where form.bytes.count > 1 {
        add(form.bytes[0], form.bytes[1])
        // The first hexadecimal digit of a percent escape may be in lower case.
        if form.spelling == .percent { add(form.bytes[0], form.bytes[1] | 0x20) }
      }
    }

    private mutating func add(_ first: UInt8, _ second: UInt8) {
      pairs[Int(first) << 2 | Int(second >> 6)] |= 1 << UInt64(second & 63)
    }

    func mayMatch(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
      if pairs.isEmpty { return false }
      if !isComplete { return true }
      return pairs.withUnsafeBufferPointer { pairs in
        for index in bytes.indices.dropLast() {
          let second = bytes[index + 1]
          if pairs[Int(bytes[index]) << 2 | Int(second >> 6)] >> UInt64(second & 63) & 1 == 1 { return true }
        }
        return false
      }
    }
  }

  private struct Pattern {
    let variable: String
    let spelling: Encoding
    let bytes: [UInt8]
    /// A Boolean value that indicates a secret that occurs in other texts by chance.
    let isShort: Bool
    /// A Boolean value that indicates a secret of digits alone.
    let isNumber: Bool

    /// Returns the offset of the next match, or `nil`.
    func offset(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      guard let base = text.baseAddress, text.count >= bytes.count else { return nil }
      let candidates = UnsafeRawBufferPointer(start: base, count: text.count - bytes.count + 1)
      var start = start
      while let index = ByteSearch.offset(of: bytes[0], in: candidates, from: start) {
        if matches(at: base + index) { return index }
        start = index + 1
      }
      return nil
    }

    /// Returns true if the form matches here.
    ///
    /// The two digits after a percent sign match in either case, the letters of the secret itself do not.
    private func matches(at start: UnsafeRawPointer) -> Bool {
      if memcmp(start, bytes, bytes.count) == 0 { return true }
      guard spelling == .percent else { return false }
      var digits = 0
      for (index, ours) in bytes.enumerated() {
        let theirs = start.load(fromByteOffset: index, as: UInt8.self)
        // The form is in capitals; clearing this bit makes a lower-case letter one, and a digit a byte that no form
        // contains.
        guard theirs == ours || digits > 0 && theirs & ~0x20 == ours else { return false }
        digits = ours == UInt8(ascii: "%") ? 2 : digits - 1
      }
      return true
    }

    static func all(of named: NamedSecret) -> [Pattern] {
      let value = named.secret.reveal()
      var seen: Set<String> = []
      let inJSON = [
        JSON.escaped(value), replacing("/", in: JSON.escaped(value), with: "\\/"),
        unicodeEscaped(value, uppercase: false), unicodeEscaped(value, uppercase: true),
      ]
      var spelled: [(Encoding, String)] = [(.raw, value)]
      spelled += inJSON.map { (.json, $0) }
      spelled += [PercentEncoding.query(value), PercentEncoding.segment(value)].map { (.percent, $0) }
      spelled += ([value] + inJSON).flatMap(base64).map { (.base64, $0) } + hex(value).map { (.hex, $0) }
      return spelled.compactMap { spelling, text in
        guard !text.isEmpty, seen.insert(text).inserted else { return nil }
        return Pattern(
          variable: named.environmentVariable, spelling: spelling, bytes: Array(text.utf8),
          isShort: value.utf8.count < SecretContext.longEnough,
          isNumber: value.utf8.allSatisfy { (48...57).contains($0) })
      }
    }

    /// Returns the text with another text in place of each of an ASCII character.
    private static func replacing(_ character: Unicode.Scalar, in text: String, with other: String) -> String {
      let byte = UInt8(ascii: character)
      guard text.utf8.contains(byte) else { return text }
      let bytes = text.utf8.flatMap { $0 == byte ? Array(other.utf8) : [$0] }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value as in a JSON text that is all ASCII (RFC 8259 section 7).
    private static func unicodeEscaped(_ value: String, uppercase: Bool) -> String {
      JSON.escaped(value).utf16.map { unit in
        if let ascii = Unicode.Scalar(unit), ascii.isASCII { return String(ascii) }
        let digits = String(unit, radix: 16, uppercase: uppercase)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }

    /// Returns the bytes as hexadecimal digits, in lower and upper case.
    ///
    /// A very short value is left out: its digits occur by chance.
    private static func hex(_ value: String) -> [String] {
      guard value.utf8.count >= 4 else { return [] }
      let digits = value.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      return [digits, digits.uppercased()]
    }

    /// Returns the secret encoded alone, and the characters that depend only on it at each of the three alignments
    /// within a longer text.
    ///
    /// Results shorter than six characters are left out: they occur by chance.
    private static func base64(_ value: String) -> [String] {
      let alone = Data(value.utf8).base64EncodedString()
      let inside = (0..<3).map { offset in
        let shifted = Data(repeating: 0, count: offset) + Data(value.utf8)
        let digits = shifted.base64EncodedData().prefix { $0 != UInt8(ascii: "=") }
        let clean = digits.dropFirst(offset == 0 ? 0 : offset + 1)
        return String(decoding: shifted.count % 3 == 0 ? clean : clean.dropLast(), as: UTF8.self)
      }
      let standard = ([alone] + inside).filter { $0.count >= 6 }
      let forURLs = standard.map {
        replacing("/", in: replacing("+", in: $0, with: "-"), with: "_")
      }
      return standard + forURLs
    }
  }
}

extension String {
  /// The text of an invalid URL with `***` in place of what may be a user name and a password.
  ///
  /// It is all up to the last `@`, because a password with a slash or a number sign is no part of the authority, and
  /// text in place of a port, because the rest of such a password may have been cut off.
  package var withoutUserInformation: String {
    let start = range(of: "://")?.upperBound ?? startIndex
    let rest = self[start...]
    if let end = rest.lastIndex(of: "@") { return self[..<start] + "***" + rest[end...] }
    guard let colon = rest.firstIndex(of: ":") else { return self }
    let port = rest[colon...].dropFirst().prefix { !"/?#".contains($0) }
    let isPortOrAddress = port.contains(":") || port.utf8.allSatisfy { (48...57).contains($0) }
    return isPortOrAddress ? self : self[...colon] + "***"
  }
}

/// An escape syntax and its decoder.
///
/// Decoding can track the source offset of every decoded byte.
enum EscapeSyntax {
  /// Backslash escapes: `\u00e9`, `\x41`, `\"`, `\n`, as in JSON and similar languages.
  case backslashes
  /// Percent encoding: `%41`.
  case percents
  /// Form encoding: `%41`, and `+` for a space.
  case form
  /// HTML character references: `&amp;`, `&#39;`, `&#x27;`.
  case references

  /// A text without its escapes, and the offset in the escaped text at which each of its bytes begins; one offset more
  /// for the end.
  struct Reading {
    var bytes: [UInt8]
    var offsets: [Int]

    /// Returns the text without escapes of a second kind, with offsets in the escaped text; `nil` where it has none.
    func decoded(by syntax: EscapeSyntax) -> Reading? {
      syntax.decode(bytes).map { Reading(bytes: $0.bytes, offsets: $0.offsets.map { offsets[$0] }) }
    }
  }

  /// Returns the text without its escapes, `nil` where it has none of this kind.
  func decode(_ text: [UInt8]) -> Reading? {
    text.withUnsafeBufferPointer { bytes -> Reading? in
      var read: [UInt8] = []
      var offsets: [Int] = []
      var unit: [UInt8] = []
      // `done` bytes have been decoded, and `next` has the next offset of each lead byte.
      var done = 0
      let signs = leadBytes
      var next = signs.map { EscapeSyntax.offset(of: $0, in: bytes, from: 0) }
      while true {
        var sign = bytes.count
        for offset in next where offset < sign { sign = offset }
        guard sign < bytes.count else { break }
        var end = sign + 1
        if let length = decodeUnit(text, at: sign, into: &unit) {
          if read.isEmpty { read.reserveCapacity(bytes.count) }
          read += UnsafeBufferPointer(rebasing: bytes[done..<sign])
          read += unit
          offsets += done..<sign
          offsets += repeatElement(sign, count: unit.count)
          unit.removeAll(keepingCapacity: true)
          end = sign + length
          done = end
        }
        for index in next.indices where next[index] < end {
          next[index] = EscapeSyntax.offset(of: signs[index], in: bytes, from: end)
        }
      }
      guard done > 0 else { return nil }
      read += bytes[done...]
      return Reading(bytes: read, offsets: offsets + (done...bytes.count))
    }
  }

  /// The lead bytes of escapes in this syntax.
  private var leadBytes: [UInt8] {
    switch self {
    case .backslashes: [UInt8(ascii: "\\")]
    case .percents: [UInt8(ascii: "%")]
    case .form: [UInt8(ascii: "%"), UInt8(ascii: "+")]
    case .references: [UInt8(ascii: "&")]
    }
  }

  /// Returns the offset of the next lead byte, or the end of the text.
  private static func offset(of sign: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    ByteSearch.offset(of: sign, in: UnsafeRawBufferPointer(bytes), from: start) ?? bytes.count
  }

  /// The syntaxes whose characters are in the text.
  static func candidates(in bytes: UnsafeBufferPointer<UInt8>, form hasForms: Bool) -> [EscapeSyntax] {
    func has(_ sign: UInt8) -> Bool { offset(of: sign, in: bytes, from: 0) < bytes.count }
    var found: [EscapeSyntax] = []
    if has(UInt8(ascii: "\\")) { found.append(.backslashes) }
    if has(UInt8(ascii: "%")) { found.append(.percents) }
    // Form encoding writes a space as `+`; if no secret contains a space, `+` is not a lead byte.
    if hasForms, has(UInt8(ascii: "+")) { found.append(.form) }
    if has(UInt8(ascii: "&")), has(UInt8(ascii: ";")) { found.append(.references) }
    return found
  }

  /// Decodes one escape and appends its bytes to `written`.
  ///
  /// Returns its length in the source, or `nil` if it is not an escape.
  private func decodeUnit(_ bytes: [UInt8], at index: Int, into written: inout [UInt8]) -> Int? {
    switch bytes[index] {
    case UInt8(ascii: "\\"): return EscapeSyntax.backslash(bytes, at: index, into: &written)
    case UInt8(ascii: "%"):
      guard let value = EscapeSyntax.hex(bytes, from: index + 1, count: 2) else { return nil }
      written.append(UInt8(value))
      return 3
    case UInt8(ascii: "&"): return EscapeSyntax.reference(bytes, at: index, into: &written)
    default:
      written.append(32)
      return 1
    }
  }

  private static func backslash(_ bytes: [UInt8], at index: Int, into written: inout [UInt8]) -> Int? {
    guard index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "u"): return unicode(bytes, at: index, into: &written)
    case UInt8(ascii: "U"):
      guard let code = hex(bytes, from: index + 2, count: 8), append(code, &written) else { return nil }
      return 10
    case UInt8(ascii: "x"):
      guard let value = hex(bytes, from: index + 2, count: 2) else { return nil }
      written.append(UInt8(value))
      return 4
    case UInt8(ascii: "b"): written.append(8)
    case UInt8(ascii: "t"): written.append(9)
    case UInt8(ascii: "n"): written.append(10)
    case UInt8(ascii: "f"): written.append(12)
    case UInt8(ascii: "r"): written.append(13)
    case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "/"): written.append(bytes[index + 1])
    default: return nil
    }
    return 2
  }

  /// Decodes `\u00e9`, `\ud83d\ude00` or `\u{1F600}`.
  private static func unicode(_ bytes: [UInt8], at index: Int, into written: inout [UInt8]) -> Int? {
    if index + 2 < bytes.count, bytes[index + 2] == UInt8(ascii: "{") {
      guard let end = bytes[index...].prefix(12).firstIndex(of: UInt8(ascii: "}")),
        let code = hex(bytes, from: index + 3, count: end - index - 3), append(code, &written)
      else { return nil }
      return end + 1 - index
    }
    guard let first = hex(bytes, from: index + 2, count: 4) else { return nil }
    if append(first, &written) { return 6 }
    guard (0xD800..<0xDC00).contains(first), index + 7 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
      bytes[index + 7] == UInt8(ascii: "u"), let second = hex(bytes, from: index + 8, count: 4),
      (0xDC00..<0xE000).contains(second),
      append(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), &written)
    else { return nil }
    return 12
  }

  /// The characters that every HTML encoder escapes, with their names and the semicolons.
  private static let namedReferences: [(name: [UInt8], character: UInt8)] = [
    (Array("amp;".utf8), UInt8(ascii: "&")), (Array("lt;".utf8), UInt8(ascii: "<")),
    (Array("gt;".utf8), UInt8(ascii: ">")), (Array("quot;".utf8), UInt8(ascii: "\"")),
    (Array("apos;".utf8), UInt8(ascii: "'")),
  ]

  /// Decodes `&amp;`, or a number with any leading zeros: `&#39;`, `&#x0027;`.
  private static func reference(_ bytes: [UInt8], at index: Int, into written: inout [UInt8]) -> Int? {
    let rest = bytes[(index + 1)...]
    guard rest.first == UInt8(ascii: "#") else {
      guard let (name, character) = namedReferences.first(where: { rest.starts(with: $0.name) }) else { return nil }
      written.append(character)
      return 1 + name.count
    }
    var digits = rest.dropFirst()
    let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    if isHexadecimal { digits.removeFirst() }
    guard digits.first != UInt8(ascii: ";") else { return nil }
    digits = digits.drop { $0 == UInt8(ascii: "0") }
    // The last Unicode scalar has seven decimal digits.
    guard let end = digits.prefix(8).firstIndex(of: UInt8(ascii: ";")),
      let code = UInt32(String(decoding: digits[..<end], as: UTF8.self), radix: isHexadecimal ? 16 : 10),
      append(code, &written)
    else { return nil }
    return end + 1 - index
  }

  private static func hex(_ bytes: [UInt8], from start: Int, count: Int) -> UInt32? {
    guard count > 0, count <= 8, start + count <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[start..<(start + count)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private static func append(_ code: UInt32, _ written: inout [UInt8]) -> Bool {
    guard let scalar = Unicode.Scalar(code) else { return false }
    written += Array(String(Character(scalar)).utf8)
    return true
  }
}
