/// A word of a command line for a POSIX shell.
package enum POSIXWord {
  /// Returns a text as one word: as it is if no character of it means anything to a shell, otherwise in single quotes.
  package static func quoted(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "/._-+@:".unicodeScalars.contains($0)
    }
    return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
  }
}

/// The words of a command line as a POSIX shell splits them without expansions, up to the cursor.
package struct POSIXWords: Hashable, Sendable {
  /// The words before the one at the cursor, without quotes and escapes.
  package private(set) var words: [String] = []
  /// The word at the cursor, without quotes and escapes.
  package private(set) var partial = ""
  /// The word at the cursor as it was typed, without its quotes.
  package private(set) var raw = ""
  /// The quote that is open at the cursor.
  package private(set) var quote: Character?

  /// Creates the words from a list that a shell has split.
  ///
  /// The last one is the word at the cursor, which may begin with its quote.
  package init(_ words: [String]) {
    self.words = Array(words.dropLast())
    partial = words.last ?? ""
    if let first = partial.first, first == "'" || first == "\"" {
      quote = first
      partial.removeFirst()
    }
    raw = partial
    isInWord = true
  }

  /// A Boolean value that indicates that the cursor is in a word or after it, which may be empty in quotes.
  private var isInWord = false

  /// All words, or `nil` if a quote is open.
  package var complete: [String]? { quote == nil ? words + (isInWord ? [partial] : []) : nil }

  /// A copy without the first word, which names the program.
  package var droppingProgram: POSIXWords {
    var copy = self
    copy.words = Array(words.dropFirst())
    return copy
  }

  package init(line: String) {
    let scalars = Array(line.unicodeScalars)
    var quoting = POSIXQuoting()
    var word: String?
    var typed = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      switch quoting.read(scalar, before: index + 1 < scalars.count ? scalars[index + 1] : nil) {
      case .plain where scalar.properties.isWhitespace:
        if let word { words.append(word) }
        (word, typed) = (nil, String.UnicodeScalarView())
        continue
      case .quote:
        word = word ?? ""
        continue
      case .escaping: word = word ?? ""
      case .plain, .escape: word = (word ?? "") + String(scalar)
      case .text(let text): word = (word ?? "") + text
      }
      typed.append(scalar)
    }
    partial = word ?? ""
    isInWord = word != nil
    raw = String(typed)
    quote = quoting.quote.map { $0 == .double ? "\"" : "'" }
  }
}

/// The quotes and backslashes of a command line for a POSIX shell, read from its beginning.
package struct POSIXQuoting: Hashable, Sendable {
  package enum Quote: Hashable, Sendable {
    case single
    case double
    /// ANSI-C quoting of bash, `$'…'`, which browsers use when they copy text with a quote in it.
    case ansi
  }

  /// The meaning of a scalar.
  package enum Element: Hashable, Sendable {
    /// A quote, which may surround an empty word.
    case quote
    /// A backslash before a text, an escaped line end, or the dollar sign of `$'…'` and `$"…"`: no text.
    case escaping
    /// Text that means nothing else to a shell.
    case text(String)
    /// A scalar outside of quotes, or a dollar sign or backquote in double quotes, which may mean anything.
    case plain
    /// The scalar after a backslash in `$'…'`.
    case escape
  }

  /// The quote that is open.
  package private(set) var quote: Quote?
  private var isEscaped = false
  private var isAfterDollar = false

  package init() {}

  /// A Boolean value that indicates whether the line continues: a quote is open, or it ends with a backslash.
  package var isOpen: Bool { isEscaped || quote != nil }

  /// Reads the next text.
  package mutating func read(_ text: String) {
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() { _ = read(scalar, before: rest.first) }
  }

  /// Reads the next scalar and returns its meaning.
  package mutating func read(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Element {
    if isEscaped {
      isEscaped = false
      switch quote {
      case .ansi: return .escape
      case _ where scalar == "\n": return .escaping
      case .double where !"$`\"\\".unicodeScalars.contains(scalar): return .text("\\" + String(scalar))
      case .double, .single, nil: return .text(String(scalar))
      }
    }
    let opensANSI = isAfterDollar
    isAfterDollar = false
    switch (quote, scalar) {
    case (nil, "$") where next == "'" || next == "\"":
      isAfterDollar = next == "'"
      return .escaping
    case (nil, "'"): quote = opensANSI ? .ansi : .single
    case (nil, "\""): quote = .double
    case (.single?, "'"), (.ansi?, "'"), (.double?, "\""): quote = nil
    case (nil, "\\"), (.double?, "\\"), (.ansi?, "\\"):
      isEscaped = true
      return .escaping
    case (nil, _), (.double?, "$"), (.double?, "`"): return .plain
    default: return .text(String(scalar))
    }
    return .quote
  }

  /// Returns the notation of a variable at this position that doesn't affect the quoting of the surrounding text.
  package func expansion(of variable: String) -> String {
    switch quote {
    case nil: "\"$\(variable)\""
    case .single: "'\"$\(variable)\"'"
    case .double: "${\(variable)}"
    case .ansi: "'\"$\(variable)\"$'"
    }
  }
}
