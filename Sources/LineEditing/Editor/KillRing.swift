/// What was cut from lines, newest last. Cuts that follow each other at once are one. libedit's own buffer is overwritten
/// by every deletion.
struct KillRing {
  private static let most = 30
  private var entries: [String] = []
  /// The key that cut last.
  private var lastKill = -1
  /// The key that put in last, which entry it was, and how long it is.
  private var lastYank: (key: Int, entry: Int, count: Int)?

  /// - Parameter isBefore: whether it stood before the cursor, and so before what was cut just now.
  mutating func add(_ text: String, key: Int, isBefore: Bool) {
    guard !text.isEmpty else { return }
    if lastKill == key - 1, let last = entries.popLast() {
      entries.append(isBefore ? text + last : last + text)
    } else {
      entries.append(text)
      if entries.count > Self.most { entries.removeFirst() }
    }
    lastKill = key
  }

  /// What was cut last.
  mutating func yank(key: Int) -> String? {
    guard let text = entries.last else { return nil }
    lastYank = (key, entries.count - 1, text.unicodeScalars.count)
    return text
  }

  /// What was cut before the text that the last key put in, and how many scalars that one has; nil behind another key.
  mutating func yankBefore(key: Int) -> (text: String, instead: Int)? {
    guard let last = lastYank, last.key == key - 1, !entries.isEmpty else { return nil }
    let entry = (last.entry + entries.count - 1) % entries.count
    lastYank = (key, entry, entries[entry].unicodeScalars.count)
    return (entries[entry], last.count)
  }
}
