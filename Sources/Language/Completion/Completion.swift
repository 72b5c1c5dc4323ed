/// What Tab offers, and which part of the line the choice replaces.
package struct Completion: Hashable, Sendable {
  /// In Unicode scalars of the line.
  package var range: Range<Int>
  package var candidates: [Candidate]
  /// Whether there are more than these.
  package var isCut = false
}
