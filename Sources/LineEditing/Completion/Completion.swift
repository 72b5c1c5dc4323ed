/// What Tab may put in place of a part of the line.
package struct Completion: Sendable, Equatable {
  /// The Unicode scalars of the line that a choice replaces.
  package var range: Range<Int>
  package var candidates: [Choice]
  /// Whether there are more than these, so that what they share says nothing.
  package var isCut: Bool

  package init(range: Range<Int>, candidates: [Choice], isCut: Bool = false) {
    self.range = range
    self.candidates = candidates
    self.isCut = isCut
  }

  /// Nothing to offer: Tab only beeps.
  package static let none = Completion(range: 0..<0, candidates: [])
}
