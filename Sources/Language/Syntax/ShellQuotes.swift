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
      ? rest.contains("\\") : first.hasPrefix("-") || first.hasPrefix("http://") || first.hasPrefix("https://")
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

  /// The line goes on: a quote is open, or it ends with a backslash.
  package var isOpen: Bool { isEscaped || (state != .plain && state != .dollar) }

  /// Whether a whole pasted line goes on.
  package static func isOpen(_ line: String) -> Bool {
    var quotes = ShellQuotes()
    for scalar in line.unicodeScalars { quotes.take(scalar) }
    return quotes.isOpen
  }
}
