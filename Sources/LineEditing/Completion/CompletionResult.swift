/// The choices that Tab may insert in place of a part of the line.
package struct CompletionResult: Sendable, Equatable {
  /// The range of the line that a choice replaces, in Unicode scalars.
  package var range: Range<Int>
  package var candidates: [CompletionCandidate]
  /// Indicates whether more candidates exist than these.
  ///
  /// Then their common prefix means nothing.
  package var isCut: Bool

  package init(range: Range<Int>, candidates: [CompletionCandidate], isCut: Bool = false) {
    self.range = range
    self.candidates = candidates
    self.isCut = isCut
  }

  /// No candidates: Tab only beeps.
  package static let none = CompletionResult(range: 0..<0, candidates: [])
}
