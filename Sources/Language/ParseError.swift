import Text

/// Why a line was not understood, and where: exit code 2, nothing was sent.
package struct ParseError: Error, Hashable, Sendable {
  package var what: LocalizedText
  /// What would have been right, or what was probably meant.
  package var next: LocalizedText?
  /// In characters of the line; nil when it is about the line as a whole.
  package var range: Range<Int>?
  /// True when more typing could make it right: an open quote, a trailing backslash.
  package var isUnfinished: Bool
  /// The place is shown under the line: a condition is long, and its words alone do not tell which part is meant.
  package var pointsAtPlace = false
  /// The line that `range` is about, once it is known.
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
