import Text

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

  /// Returns the newest line before `place` that contains the bytes, which must not be empty, or `nil`.
  func lastLine(before place: Int, holding needle: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { bytes in
      var end = place
      // Searches blocks of lines first, because most contain no match.
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

  private static let block = 256

  private func start(of line: Int) -> Int { line > 0 ? ends[line - 1] : 0 }

  private static func holds(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ needle: [UInt8]) -> Bool {
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
