/// What Tab may put in place of a part of the line.
package struct Completion: Sendable, Equatable {
  /// The Unicode scalars of the line that a choice replaces.
  package var range: Range<Int>
  package var candidates: [Choice]

  package init(range: Range<Int>, candidates: [Choice]) {
    self.range = range
    self.candidates = candidates
  }

  /// Nothing to offer: Tab only beeps.
  package static let none = Completion(range: 0..<0, candidates: [])
}
