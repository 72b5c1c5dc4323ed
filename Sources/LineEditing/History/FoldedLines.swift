import CEditLine

/// The lines of the history in small letters, one behind another in one block of memory, so that all of them are searched
/// within a millisecond or two.
struct FoldedLines {
  private var bytes: [UInt8] = []
  /// Where each line ends.
  private var ends: [Int] = []

  mutating func append(_ line: String) {
    var line = line
    let start = bytes.count
    line.withUTF8 { bytes.append(contentsOf: $0) }
    if !fold(from: start) {
      bytes.removeSubrange(start...)
      bytes += line.lowercased().utf8
    }
    ends.append(bytes.count)
  }

  /// Makes the letters of ASCII small; false where there are others that may have capitals.
  private mutating func fold(from start: Int) -> Bool {
    bytes.withUnsafeMutableBufferPointer { bytes in
      for index in start..<bytes.count {
        let byte = bytes[index]
        if byte >= 0xC0, !Self.hasNoCase(byte, index + 1 < bytes.count ? bytes[index + 1] : 0) { return false }
        if (0x41...0x5A).contains(byte) { bytes[index] = byte | 0x20 }
      }
      return true
    }
  }

  mutating func removeFirst(_ count: Int) {
    guard count > 0, count <= ends.count else { return }
    let start = ends[count - 1]
    bytes.removeFirst(start)
    ends = ends[count...].map { $0 - start }
  }

  /// Returns the newest line before `place` that holds the bytes, which may not be empty; nil where none does.
  func lastLine(before place: Int, holding needle: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in
      needle.withUnsafeBytes { needle in
        var end = place
        // In blocks: most hold nothing of the kind, and are passed over at once.
        while end > 0 {
          let start = max(0, end - Self.block)
          if Self.holds(bytes, self.start(of: start)..<ends[end - 1], needle) {
            for line in (start..<end).reversed() where Self.holds(bytes, self.start(of: line)..<ends[line], needle) {
              return line
            }
          }
          end = start
        }
        return nil
      }
    }
  }

  private static let block = 256

  private func start(of line: Int) -> Int { line > 0 ? ends[line - 1] : 0 }

  private static func holds(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ needle: UnsafeRawBufferPointer
  ) -> Bool {
    guard let base = bytes.baseAddress, range.count >= needle.count else { return false }
    return memmem(base + range.lowerBound, range.count, needle.baseAddress, needle.count) != nil
  }

  /// Whether a character that begins with these bytes of UTF-8 is the same in capitals: CJK and Hangul.
  private static func hasNoCase(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case 0xE3...0xE9, 0xEB...0xED: true
    case 0xEA: second >= 0xB0
    default: false
    }
  }
}

/// What is searched for in earlier lines. Without capitals it finds them too.
struct HistoryPattern {
  let text: String
  /// In small letters, and as it is.
  private let bytes: [UInt8]
  private let exact: [UInt8]
  private let isFolded: Bool

  init(_ text: String) {
    self.text = text
    let folded = text.lowercased()
    (bytes, exact) = (Array(folded.utf8), Array(text.utf8))
    isFolded = text == folded
  }

  /// Returns the newest line before `place` that holds it; nil where none does. All lines hold an empty one.
  func lastLine(before place: Int, of history: History) -> Int? {
    if bytes.isEmpty { return place > 0 ? place - 1 : nil }
    var end = place
    while let line = history.folded.lastLine(before: end, holding: bytes) {
      if isFolded || isHeld(by: history.entries[line]) { return line }
      end = line
    }
    return nil
  }

  /// Whether the line holds it.
  func isHeld(by entry: String) -> Bool {
    if exact.isEmpty { return true }
    var entry = isFolded ? entry.lowercased() : entry
    return entry.withUTF8 { entry in
      exact.withUnsafeBytes { memmem(entry.baseAddress, entry.count, $0.baseAddress, $0.count) != nil }
    }
  }

  /// Returns how many scalars of the line stand before it; 0 where it is not in it.
  func offset(in entry: String) -> Int {
    let text = isFolded ? entry.lowercased() : entry
    let range = Array(text.unicodeScalars).firstRange(of: Array(self.text.unicodeScalars))
    return min(range?.lowerBound ?? 0, entry.unicodeScalars.count)
  }
}
