import Text

/// A line with a `curl` command for the system's shell, as browsers and READMEs write it.
package enum PastedLine {
  /// Returns whether a line is a pasted curl command: `curl -X …`, `curl 'https://…'`, `curl “https://…”`, `raw curl
  /// https://…`, `watch 5 curl https://…`.
  ///
  /// Otherwise `curl` is the prefix before a command.
  package static func matches(_ line: String) -> Bool { isCurl(split(line).command) }

  /// Splits a pasted line into the words of this language before `curl`, and the command of the other shell.
  package static func split(_ line: String) -> (words: [String], command: Substring) {
    var words: [String] = []
    var rest = line.drop { $0 == " " || $0 == "\t" || $0 == "$" }
    while !isCurl(rest), let word = leadingWord(of: rest) {
      words.append(String(word))
      rest = rest[word.endIndex...].drop { $0 == " " || $0 == "\t" }
    }
    return (words, rest)
  }

  /// Returns `raw` or a prefix, such as `watch 5` or `curl` before another `curl`.
  private static func leadingWord(of text: Substring) -> Substring? {
    let word = text.prefix { $0 != " " && $0 != "\t" }
    guard word.endIndex < text.endIndex else { return nil }
    guard word == "watch" else {
      return word == "raw" || CommandPrefix.words.contains(String(word)) ? word : nil
    }
    let seconds = text[word.endIndex...].drop { $0 == " " || $0 == "\t" }.prefix { $0.isNumber }
    guard !seconds.isEmpty, seconds.endIndex < text.endIndex else { return nil }
    return text[..<seconds.endIndex]
  }

  private static func isCurl(_ rest: Substring) -> Bool {
    guard rest.hasPrefix("curl"), let next = rest.dropFirst(4).first, next.isWhitespace || next == "\\" else {
      return false
    }
    let first = Substring(
      rest.unicodeScalars.dropFirst(4).drop { scalar in
        scalar.properties.isWhitespace || "\\'\"".unicodeScalars.contains(scalar) || CurlyQuotes.isMark(scalar)
      })
    return first.isEmpty
      ? rest.contains("\\")
      : first.hasPrefix("-") || first.prefixMatch(of: /https?:\/\//.ignoresCase()) != nil
        || first.prefixMatch(of: schemeless) != nil
  }

  /// URLs without a scheme: `localhost:8080/x`, `shop.example/x`, `127.0.0.1`.
  ///
  /// No command has such a name.
  private static var schemeless: Regex<Substring> {
    /(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|[A-Za-z0-9.-]+:[0-9]+)(?::[0-9]+)?(?=[\/?'"“”„‟‘’‚‛\s]|$)/
      .matchingSemantics(.unicodeScalar)
  }
}

/// Decides for each physical line whether the line of the language continues after it.
///
/// No physical line is read twice.
package struct LineContinuation: Sendable {
  private var lexer = Lexer()
  /// The quoting of a pasted line, which follows the rules of a shell.
  private var pasted: POSIXQuoting?
  private var isFirst = true

  package init() {}

  /// Reads the next physical line, given without its line end, and returns whether the line of the language continues.
  package mutating func needsContinuation(after text: String) -> Bool {
    if isFirst, PastedLine.matches(text) { pasted = POSIXQuoting() }
    defer { isFirst = false }
    guard pasted != nil else { return lexer.append(text) }
    pasted?.read(isFirst ? text : "\n" + text)
    return pasted?.isOpen ?? false
  }
}
