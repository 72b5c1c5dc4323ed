import Foundation

/// Finds secrets by value and hides them, in any text: a log line, a server's echo, a request that is shown.
///
/// A secret is found raw, percent-encoded, JSON-escaped and base64-encoded (alone or inside a longer text).
package struct Masker: Sendable {
  private let forms: [Form]

  package init(_ secrets: [NamedSecret]) {
    var seen: Set<NamedSecret> = []
    forms = secrets.filter { seen.insert($0).inserted }.flatMap(Form.all).sorted { $0.bytes.count > $1.bytes.count }
  }

  /// The text with `•••` in place of every form of every secret.
  package func mask(_ text: String) -> String {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .secret: Secret.mask
      }
    }.joined()
  }

  /// The text cut at its secrets, in order; the longest form that fits at a place is taken.
  package func pieces(of text: String) -> [Piece] {
    if forms.isEmpty { return text.isEmpty ? [] : [.text(text)] }
    var text = text
    return text.withUTF8 { pieces(of: $0) }
  }

  private func pieces(of bytes: UnsafeBufferPointer<UInt8>) -> [Piece] {
    var result: [Piece] = []
    var start = 0
    // Where each form stands next: found by jumps, for answers are long and secrets rare.
    var places = forms.map { $0.place(in: bytes, from: 0) }
    while let (next, place) = Masker.first(of: places) {
      if start < place { result.append(.text(String(decoding: bytes[start..<place], as: UTF8.self))) }
      result.append(.secret(variable: forms[next].variable, forms[next].spelling))
      start = place + forms[next].bytes.count
      for (index, place) in places.enumerated() where place.map({ $0 < start }) == true {
        places[index] = forms[index].place(in: bytes, from: start)
      }
    }
    if start < bytes.count { result.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
    return result
  }

  /// The foremost place and whose it is; of several at one place the longest form's, which comes first.
  private static func first(of places: [Int?]) -> (form: Int, place: Int)? {
    var best: (form: Int, place: Int)?
    for (index, place) in places.enumerated() {
      if let place, best.map({ place < $0.place }) ?? true { best = (index, place) }
    }
    return best
  }

  /// A stretch of text, or the place of a secret.
  package enum Piece: Hashable, Sendable {
    case text(String)
    case secret(variable: String, Spelling)
  }

  /// How a secret was written at its place.
  package enum Spelling: Hashable, Sendable {
    case raw
    case percent
    case json
    case base64
  }

  private struct Form {
    let variable: String
    let spelling: Spelling
    let bytes: [UInt8]

    /// Where it stands next in the text; nil when it does not.
    func place(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      guard let base = text.baseAddress else { return nil }
      var start = start
      while text.count - start >= bytes.count {
        guard let hit = memchr(base + start, Int32(bytes[0]), text.count - start - bytes.count + 1) else { return nil }
        let place = UnsafeRawPointer(hit) - UnsafeRawPointer(base)
        if stands(at: hit) { return place }
        start = place + 1
      }
      return nil
    }

    /// The two digits behind a percent sign may be of either case; the letters of the secret itself may not.
    private func stands(at place: UnsafeRawPointer) -> Bool {
      if memcmp(place, bytes, bytes.count) == 0 { return true }
      guard spelling == .percent else { return false }
      var digits = 0
      for (index, ours) in bytes.enumerated() {
        let theirs = place.load(fromByteOffset: index, as: UInt8.self)
        // Ours are capitals; without this bit a small letter is one, and a figure is nothing that we write.
        guard theirs == ours || digits > 0 && theirs & ~0x20 == ours else { return false }
        digits = ours == UInt8(ascii: "%") ? 2 : digits - 1
      }
      return true
    }

    static func all(of named: NamedSecret) -> [Form] {
      let value = named.secret.reveal()
      var seen: Set<String> = []
      let spelled: [(Spelling, String)] =
        [(.raw, value), (.json, JSON.escaped(value)), (.percent, PercentEncoding.query(value))]
        + [(.percent, PercentEncoding.segment(value))]
        + [(.json, JSON.escaped(value).replacingOccurrences(of: "/", with: "\\/"))]
        + [(.json, unicodeEscaped(value, uppercase: false)), (.json, unicodeEscaped(value, uppercase: true))]
        + base64(value).map { (.base64, $0) }
      return spelled.compactMap { spelling, text in
        guard !text.isEmpty, seen.insert(text).inserted else { return nil }
        return Form(variable: named.variable, spelling: spelling, bytes: Array(text.utf8))
      }
    }

    /// As a server writes JSON that is all ASCII (RFC 8259 section 7).
    private static func unicodeEscaped(_ value: String, uppercase: Bool) -> String {
      JSON.escaped(value).utf16.map { unit in
        if let ascii = Unicode.Scalar(unit), ascii.isASCII { return String(ascii) }
        let digits = String(unit, radix: 16, uppercase: uppercase)
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }

    /// The secret encoded alone, then the characters that are its own at each of the three places it can have inside a
    /// longer text; shorter than six they would hide words by chance.
    private static func base64(_ value: String) -> [String] {
      let alone = Data(value.utf8).base64EncodedString()
      let inside = (0..<3).map { offset in
        let shifted = Data(repeating: 0, count: offset) + Data(value.utf8)
        let text = shifted.base64EncodedString().filter { $0 != "=" }
        let clean = text.dropFirst(offset == 0 ? 0 : offset + 1)
        return String(shifted.count % 3 == 0 ? clean : clean.dropLast())
      }
      let standard = ([alone] + inside).filter { $0.count >= 6 }
      let forURLs = standard.map {
        $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      }
      return standard + forURLs
    }
  }
}
