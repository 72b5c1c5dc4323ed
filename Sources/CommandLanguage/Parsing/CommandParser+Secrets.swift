extension CommandParser {
  /// Returns whether the line may contain a secret, so that no history records it.
  ///
  /// A `login` line is recorded only if no word of it can be a secret.
  ///
  /// - Parameter vendors: the names of vendors that were shown, which are no secrets.
  package func mayContainSecret(_ line: String, vendors: Set<String> = []) -> Bool {
    if CommandParser.showsSecret(line) { return true }
    if POSIXQuoteState.matches(line), CommandParser.curlMayContainSecret(line) { return true }
    return CommandParser.segments(Lexer(line).tokens, of: line).contains { mayContainSecret($0, vendors) }
  }

  /// Returns whether the text contains a value that its name marks as secret, or a URL with userinfo (RFC 3986 section
  /// 3.2.1): as a word, in a comment, in a query, in JSON.
  package static func showsSecret(_ text: String) -> Bool {
    // Compiling the expressions takes a millisecond, and most lines have no such character.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else { return false }
    return text.contains(/:\/\/[^\s\/?#'"]*@/)
      || text.contains(
        /(secret|password|passwd|weather_key|appid|api[-_]?key|access_token)["']?(=|:\s*)["']?[^\s"'@$,;|)]/
          .ignoresCase())
  }

  /// Returns the words of a line without quotes and escapes.
  package static func texts(of line: String) -> [String] {
    segments(Lexer(line).tokens, of: line).flatMap { $0.words.map(\.text) }
  }

  /// Returns whether a curl line contains `-u NAME:PASSWORD`, a cookie, a header or a URL with a password.
  ///
  /// In doubt it is true.
  private static func curlMayContainSecret(_ line: String) -> Bool {
    let lowered = line.lowercased()
    return Assignment.mentionsSecretName(lowered) || secretHeaders.contains { lowered.contains($0 + ":") }
      || lowered.contains(/(^|\s)(-[a-z]*[ub]|--user|--proxy-user|--cookie|--oauth2-bearer)(\s|['"=]|$)/)
      || lowered.contains(/(^|\s)-[a-z]*[ub]\S/)
  }

  private func mayContainSecret(_ segment: CommandSource, _ vendors: Set<String>) -> Bool {
    if segment.words.contains(where: CommandParser.isSecret) { return true }
    if segment.words.contains(where: { POSIXQuoteState.matches($0.text) && CommandParser.curlMayContainSecret($0.text) }
    ) {
      return true
    }
    if let texts = try? expandingAliases(segment),
      texts.contains(where: { plain.mayContainSecret($0, vendors: vendors) })
    {
      return true
    }
    if let pipe = segment.pipe, Assignment.mentionsSecretName(pipe) { return true }
    let names = segment.words.map(\.text)
    // `let secret = VALUE` is rejected, and must not be recorded.
    if let word = names.firstIndex(of: "let"),
      names[word...].dropFirst().first.map(Assignment.mentionsSecretName) == true
    {
      return true
    }
    // The command is also recognized after prefixes, abbreviated or mistyped, because rejected lines are recorded too.
    let takingSecrets = takingSecrets
    let login = names.firstIndex { name in
      resolve(name)?.traits.contains(.acceptsSecret) ?? (SpellingSuggester.closest(name, in: takingSecrets) != nil)
    }
    guard let login else { return false }
    let rest = segment.words.dropFirst(login + 1)
    // A name of several words may stand there without quotes.
    if !rest.isEmpty, vendors.contains(rest.map(\.text).joined(separator: " ")) { return false }
    return !rest.allSatisfy(CommandParser.isHarmlessAtLogin)
  }

  private var takingSecrets: [String] { declarations.filter { $0.traits.contains(.acceptsSecret) }.map(\.name) }

  private static func isSecret(_ word: Word) -> Bool {
    if let assignment = Assignment.split(word) {
      return Assignment.mentionsSecretName(assignment.name) && !(assignment.isFile || assignment.value.isEmpty)
        || Assignment.mentionsSecretName(assignment.value)
    }
    // Examples are `secret:VALUE` as a header, `--secret=VALUE` and `{"secret":"VALUE"}`.
    let text = word.text
    return Assignment.mentionsSecretName(text) && text.contains { "=:".contains($0) } || isSecretHeader(text)
  }

  /// Returns whether the text is a header with credentials: `authorization:VALUE`, a cookie, a key.
  private static func isSecretHeader(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let name = text[..<colon].lowercased()
    return CommandParser.secretHeaders.contains(name) && !text[colon...].dropFirst().hasPrefix("@")
  }

  /// The headers that contain credentials.
  package static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "x-api-key", "x-auth-token",
  ]

  private static func isHarmlessAtLogin(_ word: Word) -> Bool {
    if let assignment = Assignment.split(word) {
      return ["identifier", "vendor_id"].contains(assignment.name)
        || (assignment.name == "secret" && assignment.isFile)
    }
    return word.bare == "--help" || word.bare == "yes"
  }
}
