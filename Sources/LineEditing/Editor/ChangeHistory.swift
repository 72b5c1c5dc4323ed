/// What the line was before each change, to go back and forth.
struct ChangeHistory {
  private static let most = 500
  private var before: [EditedLine] = []
  private var behind: [EditedLine] = []
  private var now = EditedLine()
  /// Whether the last change was a character typed at the cursor: a run of them is one change.
  private var isTyping = false

  /// Sees the line as it is before a key.
  mutating func see(_ line: EditedLine) {
    guard line.text != now.text else { return now.cursor = line.cursor }
    let isOneMore = line.count == now.count + 1 && line.cursor == now.cursor + 1
    if !(isOneMore && isTyping) {
      before.append(now)
      if before.count > Self.most { before.removeFirst() }
    }
    // A space ends a run, so that words come back one by one.
    isTyping = isOneMore && line.text.scalars(line.cursor - 1..<line.cursor) != " "
    (behind, now) = ([], line)
  }

  mutating func undo() -> EditedLine? {
    guard let line = before.popLast() else { return nil }
    behind.append(now)
    (now, isTyping) = (line, false)
    return line
  }

  mutating func redo() -> EditedLine? {
    guard let line = behind.popLast() else { return nil }
    before.append(now)
    (now, isTyping) = (line, false)
    return line
  }
}
