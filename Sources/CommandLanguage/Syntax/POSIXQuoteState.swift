import Foundation

/// The quoting state of a pasted POSIX shell command.
package struct POSIXQuoteState: Hashable, Sendable {
  private enum State: Hashable {
    case plain
    case dollar
    case single
    case double
    /// ANSI-C quoting of bash, `$'…'`, which browsers use when they copy text with a quote in it.
    case ansi
  }

  private var state = State.plain
  private var isEscaped = false

  package init() {}

  /// Returns whether a line is a pasted curl command: `curl -X …`, `curl 'https://…'`, `raw curl https://…`.
  ///
  /// Otherwise `curl` is the prefix before a command.
  package static func matches(_ line: String) -> Bool { isCurl(split(line).command) }

  /// Splits a pasted line into the words of this language before `curl`, and the command of the other shell.
  package static func split(_ line: String) -> (words: [String], command: Substring) {
    var words: [String] = []
    var rest = line.drop { $0 == " " || $0 == "\t" || $0 == "$" }
    while let word = leadingWords.first(where: { rest.hasPrefix($0 + " ") }) {
      words.append(word)
      rest = rest.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }
    }
    return (words, rest)
  }

  private static let leadingWords = ["raw", "dry", "time", "trace"]

  private static func isCurl(_ rest: Substring) -> Bool {
    guard rest.hasPrefix("curl"), let next = rest.dropFirst(4).first, next.isWhitespace || next == "\\" else {
      return false
    }
    let first = rest.dropFirst(4).drop { $0.isWhitespace || $0 == "\\" || $0 == "'" || $0 == "\"" }
    return first.isEmpty
      ? rest.contains("\\")
      : first.hasPrefix("-") || first.hasPrefix("http://") || first.hasPrefix("https://")
        || first.prefixMatch(of: schemeless) != nil
  }

  /// URLs without a scheme: `localhost:8080/x`, `shop.example/x`, `127.0.0.1`.
  ///
  /// No command has such a name.
  private static var schemeless: Regex<Substring> {
    /(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|[A-Za-z0-9.-]+:[0-9]+)(?::[0-9]+)?(?=[\/?'"\s]|$)/
      .matchingSemantics(.unicodeScalar)
  }

  package mutating func consume(_ scalar: Unicode.Scalar) {
    if isEscaped {
      isEscaped = false
      return
    }
    switch state {
    case .plain, .dollar:
      let isDollar = state == .dollar
      state = .plain
      switch scalar {
      case "\\": isEscaped = true
      case "'": state = isDollar ? .ansi : .single
      case "\"": state = .double
      case "$": state = .dollar
      default: break
      }
    case .single: if scalar == "'" { state = .plain }
    case .double:
      if scalar == "\\" { isEscaped = true }
      if scalar == "\"" { state = .plain }
    case .ansi:
      if scalar == "\\" { isEscaped = true }
      if scalar == "'" { state = .plain }
    }
  }

  /// Returns the notation of a variable at this position that doesn't affect the quoting of the surrounding text.
  package func expansion(of variable: String) -> String {
    switch state {
    case .plain, .dollar: "\"$\(variable)\""
    case .single: "'\"$\(variable)\"'"
    case .double: "${\(variable)}"
    case .ansi: "'\"$\(variable)\"$'"
    }
  }

  /// A Boolean value that indicates whether the line continues: a quote is open, or it ends with a backslash.
  package var isOpen: Bool { isEscaped || (state != .plain && state != .dollar) }

  /// Returns whether a complete pasted line continues.
  package static func isOpen(_ line: String) -> Bool {
    var quotes = POSIXQuoteState()
    for scalar in line.unicodeScalars { quotes.consume(scalar) }
    return quotes.isOpen
  }
}
