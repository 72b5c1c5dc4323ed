/// A header value with parameters: `form-data; name="images"; filename="a.jpg"` (RFC 9110 section 5.6.6).
struct HeaderValue: Hashable, Sendable {
  var value: String
  private var parameters: [Parameter] = []

  private struct Parameter: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// Parses a value as Tomcat's `ParameterParser` does: a quote opens or closes a quoted part wherever it is, and only
  /// a pair around the whole value is removed.
  ///
  /// Names of files hold quotes that clients do not escape, and some quotes are not closed.
  init(_ text: String) {
    var rest = Substring(text)
    value = String(rest.prefix { $0 != ";" }).trimmed
    rest = rest.dropFirst(rest.prefix { $0 != ";" }.count)
    while rest.first == ";" {
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let name = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else { continue }
      rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
      let content = HeaderValue.content(&rest)
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

  /// Returns the text up to the next semicolon that is not in quotes.
  private static func content(_ rest: inout Substring) -> String {
    var text = ""
    var (isQuoted, isEscaped) = (false, false)
    while let character = rest.first, isQuoted || character != ";" {
      rest.removeFirst()
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
      text.append(character)
    }
    text = text.trimmed
    // Browsers write `"` as %22 and do not escape backslashes, so only an escaped quote is unescaped.
    guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
    return String(text.dropFirst().dropLast()).replacing("\\\"", with: "\"")
  }
}
