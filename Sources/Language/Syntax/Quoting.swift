import Catalog
import Foundation
import Text

/// Writes text so that the lexer reads it back as one word that says exactly that.
package enum Quoting {
  /// Bare where possible, otherwise in single quotes, otherwise in double quotes with escapes.
  ///
  /// With `always` it is quoted even when it need not be: a text that equals an option word.
  package static func quote(_ text: String, always: Bool = false) -> String {
    if !always, isSafe(text) { return text }
    let isLiteral = text.unicodeScalars.allSatisfy { $0 != "'" && $0.isVisible } && !isPiled(text)
    return isLiteral ? "'" + text + "'" : doubleQuoted(text)
  }

  private static func isSafe(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first != "#" else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      !Lexer.isBlank(scalar) && scalar.isVisible && !"'\"\\;|$".unicodeScalars.contains(scalar)
    } && !holdsPattern(text) && !Reference.isIn(text) && !isPiled(text)
  }

  /// Whether `~/` follows other text, where a regular expression would begin.
  private static func holdsPattern(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    return zip(scalars.dropFirst(), scalars.dropFirst(2)).contains { $0 == "~" && $1 == "/" }
  }

  /// Whether marks stand on nothing, or more of them on one letter than are read.
  private static func isPiled(_ text: String) -> Bool {
    var marks = Sanitizer.marks
    return text.unicodeScalars.contains { scalar in
      marks = scalar.isMark ? marks + 1 : 0
      return marks > Sanitizer.marks
    }
  }

  private static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    // On the quote, which is no letter, no mark may stand.
    var marks = Sanitizer.marks
    for scalar in text.unicodeScalars {
      marks = scalar.isMark ? marks + 1 : 0
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case "\"", "\\", "$":
        result += "\\"
        result.unicodeScalars.append(scalar)
      default:
        if !scalar.isVisible || marks > Sanitizer.marks {
          result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}

/// Numbers as lines write them: ASCII digits, no exponent, no separators, so that nothing is guessed.
package enum PlainNumber {
  /// A whole number of at most 15 digits, a minus allowed; nil for anything else.
  static func integer(_ text: String) -> Int? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
    guard (1...15).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }

  /// A plain decimal, `-?digits[.digits]`, at most 18 digits before the point and 6 after it; nil for anything else.
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
  /// Scalars of a line as text; ranges of words and errors count scalars.
  package init(_ scalars: ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(scalar) }
    self.init(text)
  }
}

/// "Did you mean": the known word that a mistyped one most probably stood for.
package enum Nearest {
  /// The nearest of `known` by edits (insertion, deletion, replacement, swap of neighbours), nil when none is near.
  ///
  /// Near is one edit for words of up to 4 letters, two for longer ones; the earlier of two equally near words wins.
  package static func match(_ word: String, in known: [String]) -> String? {
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

  /// Optimal string alignment distance (Damerau-Levenshtein without overlapping swaps).
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

/// Follows the quotes of a POSIX shell through a pasted line, whose words are the shell's and not ours.
package struct ShellQuotes: Hashable, Sendable {
  private enum State: Hashable {
    case plain
    case dollar
    case single
    case double
    /// `$'…'` of bash, as browsers copy texts with a quote in them.
    case ansi
  }

  private var state = State.plain
  private var isEscaped = false

  package init() {}

  /// True for a line that another program's user pastes: `curl -X …`, `curl 'https://…'`. The prefix `curl` stands before a
  /// command's name.
  package static func begin(_ line: String) -> Bool {
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

  /// `localhost:8080/x`, `shop.example/x`, `127.0.0.1`: no command has such a name.
  private static var schemeless: Regex<Substring> {
    /(?:localhost|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+|[A-Za-z0-9.-]+:[0-9]+)(?::[0-9]+)?(?=[\/?'"\s]|$)/
      .matchingSemantics(.unicodeScalar)
  }

  package mutating func take(_ scalar: Unicode.Scalar) {
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

  /// A variable as it is written at this position, so that the text around it stays as it is quoted.
  package func expansion(of variable: String) -> String {
    switch state {
    case .plain, .dollar: "\"$\(variable)\""
    case .single: "'\"$\(variable)\"'"
    case .double: "${\(variable)}"
    case .ansi: "'\"$\(variable)\"$'"
    }
  }

  /// The line goes on: a quote is open, or it ends with a backslash.
  package var isOpen: Bool { isEscaped || (state != .plain && state != .dollar) }

  /// Whether a whole pasted line goes on.
  package static func isOpen(_ line: String) -> Bool {
    var quotes = ShellQuotes()
    for scalar in line.unicodeScalars { quotes.take(scalar) }
    return quotes.isOpen
  }
}
