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
