import Text

/// A search pattern for earlier lines.
///
/// Without capitals it ignores case.
struct HistoryPattern {
  let text: String
  /// The pattern in lower case.
  private let bytes: [UInt8]
  private let exact: [UInt8]
  private let isFolded: Bool

  init(_ text: String) {
    self.text = text
    let folded = text.lowercased()
    (bytes, exact) = (Array(folded.utf8), Array(text.utf8))
    isFolded = text == folded
  }

  /// Returns the newest line before `place` that contains the pattern, or `nil`.
  ///
  /// Every line contains an empty one.
  func lastLine(before place: Int, of history: History) -> Int? {
    if bytes.isEmpty { return place > 0 ? place - 1 : nil }
    var end = place
    while let line = history.folded.lastLine(before: end, holding: bytes) {
      if isFolded || isHeld(by: history.entries[line]) { return line }
      end = line
    }
    return nil
  }

  /// Returns true if the line contains the pattern.
  func isHeld(by entry: String) -> Bool {
    if exact.isEmpty { return true }
    var entry = isFolded ? entry.lowercased() : entry
    return entry.withUTF8 { entry in
      ByteSearch.offset(of: exact, in: UnsafeRawBufferPointer(entry)) != nil
    }
  }

  /// Returns the number of scalars before the match; 0 if there is none.
  func offset(in entry: String) -> Int {
    let text = isFolded ? entry.lowercased() : entry
    let range = Array(text.unicodeScalars).firstRange(of: Array(self.text.unicodeScalars))
    return min(range?.lowerBound ?? 0, entry.unicodeScalars.count)
  }
}
