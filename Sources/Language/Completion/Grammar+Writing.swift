extension Grammar {
  /// True when running the line could write to a market; in doubt, true. Such a line is never suggested.
  package func mayWrite(_ line: String) -> Bool {
    guard let segments = try? segments(of: line), !segments.isEmpty else { return true }
    return segments.contains { mayWrite($0) }
  }

  private func mayWrite(_ segment: Segment) -> Bool {
    guard let declaration = LineWalk(self, segment.words, names: .neutral).declaration, !declaration.writes,
      // What a script does is not known here.
      declaration.name != "source"
    else { return true }
    // `let x = new …` runs what stands behind it.
    guard declaration.placed.contains(where: { $0.kind == .line }) else { return false }
    return segment.words.contains { word in word.bare.flatMap { self.declaration(named: $0)?.writes } ?? false }
  }
}
