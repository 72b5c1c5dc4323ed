/// The lines that can be recalled, and the file they outlive the session in.
struct History {
  /// Oldest first.
  private(set) var entries: [String] = []
  private(set) var troubles: [HistoryTrouble] = []
  private var file: HistoryFile?
  private var judged: [String: Bool] = [:]
  static let limit = 10_000

  init(path: String?) {
    guard let path else { return }
    let file = HistoryFile(path: path)
    do {
      let (loaded, skipped) = try file.load()
      for entry in loaded where entry != entries.last { entries.append(entry) }
      entries = entries.suffix(Self.limit)
      if skipped > 0 { troubles.append(.skippedLines(skipped)) }
      self.file = file
    } catch {
      troubles.append(error.trouble)
    }
  }

  /// Whether the line was new; a line just repeated is kept once.
  mutating func add(_ line: String) -> Bool {
    guard !line.isEmpty, line.utf8.count <= LineLimit.bytes, line != entries.last else { return false }
    entries.append(line)
    if entries.count > Self.limit { entries.removeFirst(entries.count - Self.limit) }
    guard let file else { return true }
    do {
      try file.append(line)
    } catch {
      // One notice, then silence: a full disk must not speak at every prompt.
      self.file = nil
      troubles.append(error.trouble)
    }
    return true
  }

  mutating func takeTroubles() -> [HistoryTrouble] {
    defer { troubles = [] }
    return troubles
  }

  /// What once followed the same beginning, from the newest line that began so and may be suggested.
  mutating func suggestion(after text: String, where isAllowed: (String) -> Bool) -> String {
    if text.isEmpty { return "" }
    let beginning = Array(text.utf8)
    for entry in entries.reversed() where Self.continues(beginning, entry) {
      guard allowed(entry, isAllowed) else { continue }
      return String(entry.unicodeScalars.dropFirst(text.unicodeScalars.count))
    }
    return ""
  }

  private static func continues(_ beginning: [UInt8], _ entry: String) -> Bool {
    var entry = entry
    return entry.withUTF8 { bytes in
      bytes.count > beginning.count && bytes.starts(with: beginning) && !bytes.contains(0x0A)
    }
  }

  /// Each line is judged once: the same ones are met at every key.
  private mutating func allowed(_ entry: String, _ isAllowed: (String) -> Bool) -> Bool {
    if let judged = judged[entry] { return judged }
    let result = isAllowed(entry)
    judged[entry] = result
    return result
  }
}
