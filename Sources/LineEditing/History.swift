/// The lines that can be recalled, and the file they outlive the session in.
struct History {
  /// Oldest first.
  private(set) var entries: [String] = []
  private(set) var troubles: [HistoryTrouble] = []
  private var file: HistoryFile?
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

  /// What once followed the same beginning, from the newest line that began so.
  func suggestion(after text: String) -> String {
    if text.isEmpty { return "" }
    let found = entries.last { entry in
      entry.utf8.count > text.utf8.count && entry.utf8.starts(with: text.utf8) && !entry.utf8.contains(0x0A)
    }
    return found.map { String($0.unicodeScalars.dropFirst(text.unicodeScalars.count)) } ?? ""
  }
}
