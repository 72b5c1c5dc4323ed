import Catalog

extension Grammar {
  /// The command with the numbers of products, where they are targets, exchanged for other words: `rm 42` for `rm $p1`.
  ///
  /// Also within a line that the command keeps: `let x = show 42`. Text that cannot be read comes back as it is.
  package func replacing(_ ids: [Product.ID: String], in text: String, names: FieldNames = .neutral) -> String {
    guard !ids.isEmpty, let segments = try? segments(of: text), segments.count == 1, let segment = segments.first else {
      return text
    }
    var scalars = Array(text.unicodeScalars)
    let walk = LineWalk(self, segment.words, names: names)
    if let start = walk.lineStart, segment.words.indices.contains(start) {
      let from = segment.words[start].range.lowerBound
      let inner = replacing(ids, in: String(scalars[from...]), names: names)
      scalars.replaceSubrange(from..., with: Array(inner.unicodeScalars))
    }
    for (word, role) in zip(segment.words, walk.roles).reversed() where role == .id {
      guard let bare = word.bare else { continue }
      let pieces = bare.split(separator: ",", omittingEmptySubsequences: false).map { piece in
        PlainNumber.integer(String(piece)).flatMap { ids[$0] } ?? String(piece)
      }
      scalars.replaceSubrange(word.range, with: Array(pieces.joined(separator: ",").unicodeScalars))
    }
    return String(scalars[...])
  }

  /// The command with a word at the end of it, before what stands behind `|`.
  package func adding(_ word: String, to text: String) -> String {
    guard let segment = (try? segments(of: text))?.last, let pipe = segment.pipeRange else { return text + " " + word }
    var scalars = Array(text.unicodeScalars)
    scalars.replaceSubrange(pipe.lowerBound..<pipe.lowerBound, with: Array((word + " ").unicodeScalars))
    return String(scalars[...])
  }

  /// The command that a text runs in the end: `new` for `dry new …` and for `let x = new …`.
  package func innermost(_ text: String) -> (declaration: Declaration, words: [String])? {
    guard let segment = (try? segments(of: text))?.first else { return nil }
    let walk = LineWalk(self, segment.words, names: .neutral)
    guard let declaration = walk.declaration else { return nil }
    if let start = walk.lineStart, segment.words.indices.contains(start) {
      let scalars = Array(text.unicodeScalars)
      if let inner = innermost(String(scalars[segment.words[start].range.lowerBound...])) { return inner }
    }
    return (declaration, segment.words.compactMap(\.bare))
  }
}

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
