extension Grammar {
  /// True when running the line could write to a market; in doubt, true. Such a line is never suggested.
  package func mayWrite(_ line: String) -> Bool {
    guard let segments = try? segments(of: line), !segments.isEmpty else { return true }
    return segments.contains { segment in
      LineWalk(self, segment.words, names: .neutral).declaration?.writes ?? true
    }
  }
}
