extension StyledText {
  /// Collects the runs of an interpolated literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    var runs: [Run] = []

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
    let runs: [Run]

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
