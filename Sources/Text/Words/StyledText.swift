/// Text whose parts carry a semantic style.
///
/// The renderer decides about color, quoting and sanitizing.
///
/// Styles are interpolated: `"\(.command("login")) sets it."`, `"\(.foreign(serverText))"`. A plain interpolated value
/// gets the style of a value. In Korean a particle may follow: `"\(.value("가격"), .object) 바꿉니다"`.
package struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// A part of the text in one style.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var meaning: TextStyle
    package init(_ text: String, _ meaning: TextStyle) {
      self.text = text
      self.meaning = meaning
    }
  }

  package var runs: [Run]

  package init(runs: [Run]) { self.runs = runs }
  package init(_ text: String) { self.init(runs: [Run(text, .plain)]) }
  package init(stringLiteral value: String) { self.init(value) }
  package init(stringInterpolation: StringInterpolation) { self.init(runs: stringInterpolation.runs) }

  /// The text without styles, not sanitized.
  package var plain: String { runs.map(\.text).joined() }

  package static func + (left: StyledText, right: StyledText) -> StyledText {
    StyledText(runs: left.runs + right.runs)
  }
}

extension StyledText {
  /// Collects the runs of an interpolated literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    package var runs: [Run] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      runs.reserveCapacity(interpolationCount * 2 + 1)
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { runs.append(Run(literal, .plain)) }
    }

    /// Appends a value in the style `value`: a number, a field name, a count.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      runs.append(Run(String(describing: value), .value))
    }

    package mutating func appendInterpolation(_ piece: Fragment) { runs.append(contentsOf: piece.runs) }

    package mutating func appendInterpolation(_ text: StyledText) { runs.append(contentsOf: text.runs) }

    /// Appends a piece and the Korean particle that fits its last syllable.
    package mutating func appendInterpolation(_ piece: Fragment, _ particle: KoreanParticle) {
      runs.append(contentsOf: piece.runs)
      runs.append(Run(particle.form(piece.runs.map(\.text).joined()), .plain))
    }

    /// Appends a value and the Korean particle that fits its last syllable.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible, _ particle: KoreanParticle) {
      appendInterpolation(Fragment.value(value), particle)
    }
  }

  /// A styled part of a sentence, created by the functions below.
  package struct Fragment: Hashable, Sendable {
    package let runs: [Run]

    private static func of(_ text: some CustomStringConvertible, _ meaning: TextStyle) -> Fragment {
      Fragment(runs: [Run(String(describing: text), meaning)])
    }

    package static func command(_ text: String) -> Fragment { of(text, .command) }
    package static func field(_ text: some CustomStringConvertible) -> Fragment { of(text, .field) }
    package static func value(_ text: some CustomStringConvertible) -> Fragment { of(text, .value) }
    package static func before(_ text: some CustomStringConvertible) -> Fragment { of(text, .before) }
    package static func after(_ text: some CustomStringConvertible) -> Fragment { of(text, .after) }
    package static func dim(_ text: some CustomStringConvertible) -> Fragment { of(text, .dim) }
    package static func strong(_ text: some CustomStringConvertible) -> Fragment { of(text, .strong) }
    package static func foreign(_ text: String) -> Fragment { of(text, .foreign) }
  }
}

extension String {
  /// The lines of the text without their terminators, LF or CRLF.
  ///
  /// Swift treats CRLF as one character, so that `split` on a newline misses it.
  package var lines: [String] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.last == "\r" ? $0.dropLast() : $0)
    }
  }
}

extension StringProtocol {
  /// The text without white space at both ends.
  package var trimmed: String {
    var rest = description[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}

/// The semantic style of a text; every renderer shows it in its own way.
package enum TextStyle: Hashable, Sendable {
  /// Text of this program.
  case plain
  /// Something to type at the prompt.
  case command
  /// The name of a field, option or setting.
  case field
  /// A value: an id, a price, a path.
  case value
  /// The old value of a change.
  case before
  /// The new value of a change.
  case after
  /// Text of less weight: explanations, units.
  case dim
  /// Text of more weight: a heading.
  case strong
  /// Untrusted text from a server or a file; renderers must sanitize it.
  case foreign
}

/// A message in English and Korean.
///
/// Both are written together, so that neither can be forgotten.
///
/// The language is chosen when the message is shown: `wording[.korean]`.
package struct LocalizedText: Hashable, Sendable {
  package var english: StyledText
  package var korean: StyledText

  package init(_ english: StyledText, ko korean: StyledText) {
    self.english = english
    self.korean = korean
  }

  /// Creates a text that is the same in every language: a name, a path, a message of the server.
  package init(same text: StyledText) { self.init(text, ko: text) }

  package subscript(language: MessageLanguage) -> StyledText {
    switch language {
    case .english: english
    case .korean: korean
    }
  }
}

/// The language of messages, chosen by `--lang`, LC_ALL, LC_MESSAGES or LANG.
package enum MessageLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"
}
