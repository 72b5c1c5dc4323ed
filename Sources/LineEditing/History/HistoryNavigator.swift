import Text

/// The navigation through earlier lines with Up and Down.
///
/// The typed text follows the newest line and is restored there.
///
/// The typed text selects the lines: those that begin with it, else those that contain it, else all.
struct HistoryNavigator {
  /// The index of the line that is shown, or `nil` for the one being typed.
  private(set) var index: Int?
  private var typed = ""
  /// The selection, or `nil` for all lines.
  private var chosen: Choosing?
  /// The indices of the lines that Up has shown, newest first.
  ///
  /// Each text is shown once.
  private var passed: [Int] = []
  private var seen: Set<String> = []
  /// Indicates whether the navigation started at a line that a search had found.
  private var isFound = false
  /// The line that the last step showed.
  ///
  /// While it is unchanged, Up and Down continue through the history.
  var shown: EditedLine?

  private enum Choosing {
    case prefix, substring
  }

  /// Returns the next older line that was not shown yet, or `nil`.
  mutating func older(than text: String, in entries: [String]) -> String? {
    if index == nil { choose(by: text, in: entries) }
    guard let next = next(before: index ?? entries.count, in: entries) else { return nil }
    if let index { seen.insert(entries[index]) } else { typed = text }
    index = next
    passed.append(next)
    seen.insert(entries[next])
    return entries[next]
  }

  /// Returns the next newer line or the typed text, or `nil` after that.
  mutating func newer(in entries: [String]) -> String? {
    guard let index else { return nil }
    if passed.last == index { passed.removeLast() }
    seen.remove(entries[index])
    if let last = passed.last {
      self.index = last
    } else {
      // The line after the one that a search has found.
      self.index = isFound ? (index + 1..<max(entries.count, index + 1)).first { entries[$0] != entries[index] } : nil
    }
    return self.index.map { entries[$0] } ?? typed
  }

  /// Continues from a line that a search has found.
  mutating func jump(to index: Int, from text: String) {
    if self.index == nil { typed = text }
    (self.index, chosen, passed, seen, isFound) = (index, nil, [], [], true)
  }

  private mutating func choose(by text: String, in entries: [String]) {
    (typed, chosen, passed, seen, isFound) = (text, nil, [], [], false)
    if text.isEmpty { return }
    for choosing in [Choosing.prefix, .substring] {
      chosen = choosing
      if next(before: entries.count, in: entries) != nil { return }
    }
    chosen = nil
  }

  private func next(before index: Int, in entries: [String]) -> Int? {
    (0..<min(index, entries.count)).last { isChosen(entries[$0]) }
  }

  private func isChosen(_ entry: String) -> Bool {
    if seen.contains(entry) { return false }
    guard let chosen else { return true }
    // The typed line itself is not shown again.
    if entry == typed { return false }
    return switch chosen {
    case .prefix: entry.utf8.starts(with: typed.utf8)
    case .substring: entry.contains(typed)
    }
  }
}

/// The lines of the history in lower case in one block of memory, so that all of them can be searched at once.
struct FoldedLines {
  private var bytes: [UInt8] = []
  /// The end offset of each line.
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

  /// Lowercases the ASCII letters.
  ///
  /// Returns false if there are other letters that may have an upper case.
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

  /// Returns the newest line before `index` that contains the bytes, which must not be empty, or `nil`.
  func lastLine(before index: Int, holding needle: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var end = index
      // Searches blocks of lines first, because most contain no match.
      while end > 0 {
        let start = max(0, end - Self.block)
        if Self.holds(bytes, in: self.start(of: start)..<ends[end - 1], needle: needle) {
          for line in (start..<end).reversed()
          where Self.holds(bytes, in: self.start(of: line)..<ends[line], needle: needle) {
            return line
          }
        }
        end = start
      }
      return nil
    }
  }

  private static let block = 256

  private func start(of line: Int) -> Int { line > 0 ? ends[line - 1] : 0 }

  private static func holds(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>, needle: [UInt8]) -> Bool {
    ByteSearch.offset(of: needle, in: UnsafeRawBufferPointer(rebasing: bytes[range])) != nil
  }

  /// Returns true if a character that begins with these bytes of UTF-8 has no case: CJK and Hangul.
  private static func hasNoCase(_ first: UInt8, _ second: UInt8) -> Bool {
    switch first {
    case 0xE3...0xE9, 0xEB...0xED: true
    case 0xEA: second >= 0xB0
    default: false
    }
  }
}
