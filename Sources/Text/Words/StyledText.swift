/// Words with meanings: says *what* a piece of text is and leaves colour, quoting and sanitising to whoever shows it.
///
/// Interpolate meanings: `"\(.command("login")) sets it."`, `"\(.foreign(serverText))"`. A plain interpolated value is
/// shown as a value. In Korean a particle follows the last syllable: `"\(.value("가격"), .object) 바꿉니다"`.
package struct StyledText: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// One stretch of text of one meaning.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var meaning: Meaning
    package init(_ text: String, _ meaning: Meaning) {
      self.text = text
      self.meaning = meaning
    }
  }

  package var runs: [Run]

  package init(runs: [Run]) { self.runs = runs }
  package init(_ text: String) { self.init(runs: [Run(text, .plain)]) }
  package init(stringLiteral value: String) { self.init(value) }
  package init(stringInterpolation: StringInterpolation) { self.init(runs: stringInterpolation.runs) }

  /// The words alone, without meanings; not sanitised.
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

    /// A value without a stated meaning is a value of ours: a number, a field name's text, a count.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      runs.append(Run(String(describing: value), .value))
    }

    package mutating func appendInterpolation(_ piece: Piece) { runs.append(contentsOf: piece.runs) }

    package mutating func appendInterpolation(_ text: StyledText) { runs.append(contentsOf: text.runs) }

    /// A piece followed by the Korean particle that its last syllable asks for.
    package mutating func appendInterpolation(_ piece: Piece, _ particle: Particle) {
      runs.append(contentsOf: piece.runs)
      runs.append(Run(particle.after(piece.runs.map(\.text).joined()), .plain))
    }

    /// A value followed by the Korean particle that its last syllable asks for.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible, _ particle: Particle) {
      appendInterpolation(Piece.value(value), particle)
    }
  }

  /// A part of a sentence with its meaning, made by the functions below.
  package struct Piece: Hashable, Sendable {
    package let runs: [Run]

    private static func of(_ text: some CustomStringConvertible, _ meaning: Meaning) -> Piece {
      Piece(runs: [Run(String(describing: text), meaning)])
    }

    package static func command(_ text: String) -> Piece { of(text, .command) }
    package static func field(_ text: some CustomStringConvertible) -> Piece { of(text, .field) }
    package static func value(_ text: some CustomStringConvertible) -> Piece { of(text, .value) }
    package static func before(_ text: some CustomStringConvertible) -> Piece { of(text, .before) }
    package static func after(_ text: some CustomStringConvertible) -> Piece { of(text, .after) }
    package static func dim(_ text: some CustomStringConvertible) -> Piece { of(text, .dim) }
    package static func strong(_ text: some CustomStringConvertible) -> Piece { of(text, .strong) }
    package static func foreign(_ text: String) -> Piece { of(text, .foreign) }
  }
}

/// What a stretch of text means, so that every renderer can show it its own way.
package enum Meaning: Hashable, Sendable {
  /// Our own words.
  case plain
  /// Something to type at the prompt.
  case command
  /// The name of a field, option or setting.
  case field
  /// A value: an id, a price, a path.
  case value
  /// A value as it was, in a change.
  case before
  /// A value as it becomes, in a change.
  case after
  /// Of less weight: explanations, units.
  case dim
  /// Of more weight: a heading.
  case strong
  /// Text that came from outside (a server, a file): hostile until the renderer has made it harmless.
  case foreign
}

/// One thing said to a person, in English and Korean side by side, so that neither can be forgotten.
///
/// Both are kept until the moment of showing: `wording[.korean]`.
package struct LocalizedText: Hashable, Sendable {
  package var english: StyledText
  package var korean: StyledText

  package init(_ english: StyledText, ko korean: StyledText) {
    self.english = english
    self.korean = korean
  }

  /// The same text in every language: a name, a path, a server's own words.
  package init(same text: StyledText) { self.init(text, ko: text) }

  package subscript(tongue: MessageLanguage) -> StyledText {
    switch tongue {
    case .english: english
    case .korean: korean
    }
  }
}

/// The language a person reads: what `--lang`, LC_ALL, LC_MESSAGES or LANG choose.
package enum MessageLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case korean = "ko"
}

extension String {
  /// Its lines without their ends, LF or CRLF. Swift takes CRLF for one character, so that `split` does not see it.
  package var rows: [String] {
    unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0.last == "\r" ? $0.dropLast() : $0)
    }
  }
}

extension StringProtocol {
  /// Without white space at either end.
  package var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
