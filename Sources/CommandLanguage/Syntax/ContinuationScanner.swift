import Foundation

/// Detects whether a line of the language continues after each physical line.
///
/// It implements the quoting rules of `Lexer` as an incremental state machine that stores no text, so that long
/// multi-line input is scanned only once.
package struct ContinuationScanner: Sendable {
  private enum State {
    case betweenWords
    case word
    /// A comment or a pipe, which extend to the end of the line.
    case rest
    /// After `|`, which is a pipe unless another follows.
    case bar
    case singleQuotes
    case doubleQuotes
    /// After a backslash between words or in a bare word.
    ///
    /// It joins the lines if nothing else follows.
    case backslash(inWord: Bool)
    /// After a backslash and CR, which may be the end of a line.
    case backslashReturn(inWord: Bool)
    case escape
    /// In a regular expression, possibly after a backslash.
    ///
    /// An empty one is an error.
    case pattern(isEscaped: Bool, isEmpty: Bool)
    /// In `\u{…}`: `nil` before the brace, then the digits so far.
    case codePoint(String?)
  }

  private var state = State.betweenWords
  private var trace = WordTrace()
  private var hasBegun = false
  /// The quoting state of a pasted line, which follows the rules of a shell.
  private var pasted: POSIXQuoteState?
  /// A Boolean value that indicates an error that further input can't correct.
  ///
  /// The line ends there and is reported.
  private var hasError = false
  /// The number of characters scanned.
  package private(set) var work = 0

  package init() {}

  /// Scans the next physical line, given without its line end, and returns whether the line of the language continues.
  package mutating func needsContinuation(after text: String) -> Bool {
    if !hasBegun, POSIXQuoteState.matches(text) { pasted = POSIXQuoteState() }
    if var quotes = pasted {
      if hasBegun { quotes.consume("\n") }
      hasBegun = true
      for scalar in text.unicodeScalars { quotes.consume(scalar) }
      pasted = quotes
      work += text.unicodeScalars.count
      return quotes.isOpen
    }
    if hasBegun { take("\n") }
    hasBegun = true
    for scalar in text.unicodeScalars { take(scalar) }
    switch state {
    case .singleQuotes, .doubleQuotes, .backslash, .escape: return !hasError
    case .pattern: return false
    case .betweenWords, .word, .rest, .bar, .backslashReturn, .codePoint: return trace.openBrackets > 0 && !hasError
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    work += 1
    switch state {
    case .betweenWords:
      if Lexer.isBlank(scalar) { return }
      switch scalar {
      case "\n": endLine()
      case ";": trace.endCommand()
      case "#": state = .rest
      case "\\": state = .backslash(inWord: false)
      default:
        state = .word
        inWord(scalar)
      }
    case .word: inWord(scalar)
    case .rest: if scalar == "\n" { endLine() }
    case .bar:
      if scalar == "\n" { endLine() } else { state = scalar == "|" ? .betweenWords : .rest }
    case .pattern(let isEscaped, let isEmpty): inPattern(scalar, isEscaped: isEscaped, isEmpty: isEmpty)
    case .singleQuotes:
      if scalar == "'" {
        trace.takeOther("'")
        state = .word
      }
    case .doubleQuotes: inDoubleQuotes(scalar)
    case .backslash(let inWord): afterBackslash(scalar, inWord)
    case .backslashReturn(let inWord):
      if scalar == "\n" {
        state = inWord ? .word : .betweenWords
      } else {
        trace.takeOther("\r")
        reprocess(scalar, in: .word)
      }
    case .escape: escaped(scalar)
    case .codePoint(let digits): codePoint(scalar, digits)
    }
  }

  private mutating func reprocess(_ scalar: Unicode.Scalar, in state: State) {
    self.state = state
    work -= 1
    take(scalar)
  }

  private mutating func endLine() {
    _ = trace.endsCommandAtNewline()
    state = .betweenWords
  }

  private mutating func inWord(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\n": endLine()
    case ";":
      trace.endCommand()
      state = .betweenWords
    case "|":
      trace.endWord()
      state = .bar
    case "'": state = .singleQuotes
    case "\"": state = .doubleQuotes
    case "\\": state = .backslash(inWord: true)
    case "/" where trace.opensPattern: state = .pattern(isEscaped: false, isEmpty: true)
    default:
      if Lexer.isBlank(scalar) {
        trace.endWord()
        state = .betweenWords
      } else {
        trace.takeBare(scalar)
      }
    }
  }

  /// Scans a regular expression, which must end on its own line.
  ///
  /// Otherwise it is an error that further input can't correct.
  private mutating func inPattern(_ scalar: Unicode.Scalar, isEscaped: Bool, isEmpty: Bool) {
    if scalar == "\n" {
      hasError = true
      trace.takeOther("/")
      endLine()
    } else if isEscaped {
      state = .pattern(isEscaped: false, isEmpty: false)
    } else if scalar == "/" {
      if isEmpty { hasError = true }
      trace.takeOther("/")
      state = .word
    } else if scalar == "\\" {
      state = .pattern(isEscaped: true, isEmpty: false)
    } else {
      state = .pattern(isEscaped: false, isEmpty: false)
    }
  }

  private mutating func afterBackslash(_ scalar: Unicode.Scalar, _ inWord: Bool) {
    if scalar == "\n" {
      state = inWord ? .word : .betweenWords
    } else if scalar == "\r" {
      state = .backslashReturn(inWord: inWord)
    } else if Lexer.isBlank(scalar) || "'\"\\;|#$".unicodeScalars.contains(scalar) {
      trace.takeOther(scalar)
      state = .word
    } else {
      trace.takeOther("\\")
      reprocess(scalar, in: .word)
    }
  }

  private mutating func inDoubleQuotes(_ scalar: Unicode.Scalar) {
    if scalar == "\"" {
      trace.takeOther("\"")
      state = .word
    }
    if scalar == "\\" { state = .escape }
  }

  private mutating func escaped(_ scalar: Unicode.Scalar) {
    state = .doubleQuotes
    switch scalar {
    case "n", "t", "r", "\"", "\\", "$", "\n": break
    case "u": state = .codePoint(nil)
    default: hasError = true
    }
  }

  private mutating func codePoint(_ scalar: Unicode.Scalar, _ digits: String?) {
    guard let digits else {
      if scalar == "{" { return state = .codePoint("") }
      hasError = true
      return reprocess(scalar, in: .doubleQuotes)
    }
    if scalar == "}" {
      state = .doubleQuotes
      if UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) == nil { hasError = true }
    } else if digits.utf8.count < 8, scalar.properties.isASCIIHexDigit {
      state = .codePoint(digits + String(scalar))
    } else {
      hasError = true
      reprocess(scalar, in: .doubleQuotes)
    }
  }
}

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

  /// Returns whether a line is a pasted curl command: `curl -X …`, `curl 'https://…'`, `raw curl https://…`, `watch 5 curl
  /// https://…`.
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
    if ["raw", "dry", "curl", "swift", "time", "trace"].contains(word) { return word }
    guard word == "watch" else { return nil }
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
        scalar.properties.isWhitespace || "\\'\"".unicodeScalars.contains(scalar)
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
