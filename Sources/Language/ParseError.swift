import Text

/// The reason why a line couldn't be parsed, with its position.
///
/// The exit status is 2, and nothing was sent.
package struct ParseError: Error, Hashable, Sendable {
  package var what: LocalizedText
  /// The valid form, or the text that was probably meant.
  package var next: LocalizedText?
  /// The position in Unicode scalars of the line, or `nil` if the error concerns the whole line.
  package var range: Range<Int>?
  /// A Boolean value that indicates whether further input could complete the line: an open quote, a trailing backslash.
  package var isUnfinished: Bool
  /// A Boolean value that indicates whether the position is marked below the line, for long conditions in which the
  /// message alone isn't clear.
  package var pointsAtPlace = false
  /// The line that `range` refers to, once it is known.
  package var line: String?

  package init(
    _ what: LocalizedText, next: LocalizedText? = nil, at range: Range<Int>? = nil, isUnfinished: Bool = false
  ) {
    self.what = what
    self.next = next
    self.range = range
    self.isUnfinished = isUnfinished
  }
}
