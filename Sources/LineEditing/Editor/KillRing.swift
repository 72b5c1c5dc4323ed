import CEditLine

/// The kill ring: text that was cut, the newest last.
///
/// Consecutive kills are joined. libedit's own kill buffer is not used because every deletion overwrites it.
struct KillRing {
  private static let maximumCount = 30
  private var entries: [String] = []
  /// The number of the key that killed last.
  private var lastKill = -1
  /// The number of the key that yanked last, the entry and its length.
  private var lastYank: (key: Int, entry: Int, count: Int)?

  /// Adds a kill.
  ///
  /// `isBefore` means that the text was before the cursor, and so before the previous kill.
  mutating func add(_ text: String, key: Int, isBefore: Bool) {
    guard !text.isEmpty else { return }
    if lastKill == key - 1, let last = entries.popLast() {
      entries.append(isBefore ? text + last : last + text)
    } else {
      entries.append(text)
      if entries.count > Self.maximumCount { entries.removeFirst() }
    }
    lastKill = key
  }

  /// Returns the last kill.
  mutating func yank(key: Int) -> String? {
    guard let text = entries.last else { return nil }
    lastYank = (key, entries.count - 1, text.unicodeScalars.count)
    return text
  }

  /// Returns the kill before the one that the last key yanked, and the length of the latter; `nil` after any other key.
  mutating func yankBefore(key: Int) -> (text: String, instead: Int)? {
    guard let last = lastYank, last.key == key - 1, !entries.isEmpty else { return nil }
    let entry = (last.entry + entries.count - 1) % entries.count
    lastYank = (key, entry, entries[entry].unicodeScalars.count)
    return (entries[entry], last.count)
  }
}
