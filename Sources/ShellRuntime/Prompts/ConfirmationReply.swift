import Text

/// A reply other than yes and no about a plan of several rows.
enum ConfirmationReply: Hashable {
  case showAll
  /// Exclude these rows, by index.
  case leaveOut(Set<Int>)
  /// The reply is `e` with a number that isn't a row of the plan.
  case noRow
  case other

  /// Parses `a`, `e 3,7`, `e 3-5 8`.
  ///
  /// ㅁ and ㄷ are on their keys in the Korean layout.
  init(_ answer: String, rows count: Int) {
    let text = answer.trimmed.nfcNormalized.lowercased()
    if ["a", "all", "ㅁ"].contains(text) {
      self = .showAll
      return
    }
    guard let first = text.first, first == "e" || first == "ㄷ" else {
      self = .other
      return
    }
    let rest = text.dropFirst()
    guard rest.allSatisfy({ $0.isWhitespace || "0123456789,-".contains($0) }) else {
      self = .other
      return
    }
    var rows: Set<Int> = []
    for piece in rest.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last,
        (1...count).contains(first), (1...count).contains(last)
      else {
        self = .noRow
        return
      }
      rows.formUnion(first - 1...last - 1)
    }
    self = rows.isEmpty ? .noRow : .leaveOut(rows)
  }
}
