import Catalog
import Foundation
import Text

/// Quotes text so that the lexer parses it as one word with exactly that text.
package enum Quoting {
  /// Returns the text bare if possible, otherwise in single quotes, otherwise in double quotes with escapes.
  ///
  /// With `always` it is quoted even if that isn't necessary, for a text that equals an option.
  package static func quote(_ text: String, always: Bool = false) -> String {
    if !always, isSafe(text) { return text }
    let isLiteral = text.unicodeScalars.allSatisfy { $0 != "'" && $0.isPrintable } && !isPiled(text)
    return isLiteral ? "'" + text + "'" : doubleQuoted(text)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "#" else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !Lexer.isBlank(scalar) && scalar.isPrintable && !"'\"\\;|$".unicodeScalars.contains(scalar)
    } && !holdsPattern(text) && !FieldReference.containsReference(text) && !isPiled(text)
  }

  /// Returns whether `~/` follows other text, where a regular expression would begin.
  private static func holdsPattern(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return zip(scalars.dropFirst(), scalars.dropFirst(2)).contains { $0 == "~" && $1 == "/" }
  }

  /// Returns whether the text has combining marks without a base character, or more per character than the sanitizer
  /// keeps.
  private static func isPiled(_ text: String) -> Bool {
    var marks = Sanitizer.marks
    return text.unicodeScalars.contains { scalar in
      marks = scalar.isCombiningMark ? marks + 1 : 0
      return marks > Sanitizer.marks
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    // A combining mark must not follow the quote, which isn't a letter.
    var marks = Sanitizer.marks
    for scalar in text.unicodeScalars {
      marks = scalar.isCombiningMark ? marks + 1 : 0
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\"", "\\", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default:
        if !scalar.isPrintable || marks > Sanitizer.marks {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

/// Numbers in lines: ASCII digits without exponent and separators, so that nothing is ambiguous.
package enum NumberLiteral {
  /// Parses an integer of at most 15 digits, possibly negative, or returns `nil`.
  static func integer(_ text: String) -> Int? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// Parses a decimal number, `-?digits[.digits]`, with at most 18 digits before and 6 after the point, or returns
  /// `nil`.
  package static func decimal(_ text: String) -> Amount? {
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    let parts = unsigned.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), (1...18).contains(parts[0].count),
      parts.count == 1 || (1...6).contains(parts[1].count),
      parts.allSatisfy({ $0.allSatisfy { (48...57).contains($0) } })
    else { return nil }
    return Amount(plain: text)
  }
}

extension String {
  /// Creates a text from scalars of a line.
  ///
  /// The ranges of words and errors count scalars.
  package init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar) }
    self.init(text)
  }
}

/// The search for the word that was probably meant by a mistyped one.
package enum SpellingSuggester {
  /// Returns the word of `resolve` with the smallest edit distance (insertion, deletion, replacement, transposition), or
  /// `nil` if none is close.
  ///
  /// Close means one edit for words of up to 4 characters and two for longer ones. Of two equally close words the first
  /// is returned.
  package static func closest(_ word: String, in known: [String]) -> String? {
    let typed = Array(word.lowercased().unicodeScalars)
    guard !typed.isEmpty, typed.count <= 40 else { return nil }
    let limit = typed.count <= 4 ? 1 : 2
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = distance(typed, Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, distance < best?.distance ?? Int.max, distance < candidate.unicodeScalars.count {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// Returns the optimal string alignment distance (Damerau-Levenshtein without overlapping transpositions).
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    if abs(left.count - right.count) > 2 { return Int.max }
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var rows = [Array(0...right.count)]
    for i in 1...left.count {
      var row = [i]
      for j in 1...right.count {
        let replaced = rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        var cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          cost = min(cost, rows[i - 2][j - 2] + 1)
        }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
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

  /// Returns whether a line is a pasted curl command: `curl -X …`, `curl 'https://…'`.
  ///
  /// Otherwise `curl` is the prefix before a command.
  package static func matches(_ line: String) -> Bool {
    let rest = line.drop { $0 == " " || $0 == "\t" || $0 == "$" }
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
