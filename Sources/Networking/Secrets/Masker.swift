import Foundation

/// Finds secrets by value and hides them, in any text: a log line, a server's echo, a request that is shown.
///
/// A secret is found raw, percent-encoded, JSON-escaped and base64-encoded (alone or inside a longer text).
package struct Masker: Sendable {
  private let forms: [Form]

  package init(_ secrets: [NamedSecret]) {
    forms = secrets.flatMap(Form.all).sorted { $0.bytes.count > $1.bytes.count }
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
    let bytes = Array(text.utf8)
    var result: [Piece] = []
    var start = 0
    var index = 0
    while index < bytes.count {
      guard let form = forms.first(where: { bytes[index...].starts(with: $0.bytes) }) else {
        index += 1
        continue
      }
      if start < index { result.append(.text(String(decoding: bytes[start..<index], as: UTF8.self))) }
      result.append(.secret(variable: form.variable, form.spelling))
      index += form.bytes.count
      start = index
    }
    if start < bytes.count { result.append(.text(String(decoding: bytes[start...], as: UTF8.self))) }
    return result
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

    static func all(of named: NamedSecret) -> [Form] {
      let value = named.secret.reveal()
      var seen: Set<String> = []
      let spelled: [(Spelling, String)] =
        [(.raw, value), (.json, JSON.escaped(value)), (.percent, PercentEncoding.query(value))]
        + [(.percent, PercentEncoding.query(value).lowercased()), (.percent, PercentEncoding.segment(value))]
        + [(.json, JSON.escaped(value).replacingOccurrences(of: "/", with: "\\/"))]
        + base64(value).map { (.base64, $0) }
      return spelled.compactMap { spelling, text in
        guard !text.isEmpty, seen.insert(text).inserted else { return nil }
        return Form(variable: named.variable, spelling: spelling, bytes: Array(text.utf8))
      }
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
