/// A header value with parameters: `form-data; name="images"; filename="a.jpg"` (RFC 9110 section 5.6.6).
struct HeaderValue: Hashable, Sendable {
  var value: String
  private var parameters: [Parameter] = []

  private struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Parses a value, or returns `nil` for an unterminated quoted string.
  init?(_ text: String) {
    var rest = Substring(text)
    value = String(rest.prefix { $0 != ";" }).trimmed
    rest = rest.dropFirst(rest.prefix { $0 != ";" }.count)
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      guard let content = HeaderValue.content(&rest) else { return nil }
      parameters.append(Parameter(name: String(name).trimmed.lowercased(), value: content))
    }
  }

  /// Parses a value whose parameters end at the next semicolon regardless of quotes; a quote at either end is removed.
  init(withLooseQuotes text: String) {
    let pieces = text.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmed }
    value = pieces[0]
    parameters = pieces.dropFirst().compactMap { piece in
      let halves = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard halves.count == 2 else { return nil }
      var content = Substring(halves[1].trimmed)
      if content.first == "\"" { content.removeFirst() }
      if content.last == "\"" { content.removeLast() }
      return Parameter(name: halves[0].trimmed.lowercased(), value: String(content))
    }
  }

  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

  private static func content(_ rest: inout Substring) -> String? {
    guard rest.first == "\"" else {
      let plain = rest.prefix { $0 != ";" }
      rest = rest.dropFirst(plain.count)
      return String(plain).trimmed
    }
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.popFirst() {
      if character == "\"" {
        rest = rest.drop { $0 != ";" }
        return text
      }
      // Browsers write `"` as %22 and do not escape backslashes, so only an escaped quote is unescaped; the last quote
      // ends the value.
      let isEscape = character == "\\" && rest.first == "\"" && rest.count > 1
      text.append(isEscape ? rest.removeFirst() : character)
    }
    return nil
  }
}
