import CEditLine

/// The undo history: the line before each change.
struct UndoStack {
  /// The line before a change.
  private struct Step {
    var line: EditedLine
    /// The number of the vi insertion that the change is part of, or `nil`.
    var insertion: Int?
  }

  private static let maximumSteps = 500
  private var before: [Step] = []
  private var undone: [EditedLine] = []
  private var now = EditedLine()
  /// Indicates whether the last change was a character typed at the cursor.
  ///
  /// A run of them is one change.
  private var isTyping = false

  /// Records the line before a key.
  ///
  /// `insertion` is the number of the vi insertion that has changed it, or `nil`.
  mutating func record(_ line: EditedLine, in insertion: Int? = nil) {
    guard line.text != now.text else {
      // A cursor movement ends a run too.
      if line.cursor != now.cursor { isTyping = false }
      return now.cursor = line.cursor
    }
    let isOneMore = line.count == now.count + 1 && line.cursor == now.cursor + 1
    if !(isOneMore && isTyping) {
      before.append(Step(line: now, insertion: insertion))
      if before.count > Self.maximumSteps { before.removeFirst() }
    }
    // A space ends the run, so that undo restores word by word.
    isTyping = isOneMore && line.text.substring(line.cursor - 1..<line.cursor) != " "
    (undone, now) = ([], line)
  }

  /// Undoes a change, or with `wholeInsertion` all changes of one vi insertion.
  mutating func undo(wholeInsertion: Bool = false) -> EditedLine? {
    guard var step = before.popLast() else { return nil }
    while wholeInsertion, let insertion = step.insertion, let earlier = before.last, earlier.insertion == insertion {
      step = before.removeLast()
    }
    undone.append(now)
    (now, isTyping) = (step.line, false)
    return step.line
  }

  mutating func undoAll() -> EditedLine? {
    guard let first = before.first else { return nil }
    before.append(Step(line: now))
    (undone, now, isTyping) = ([], first.line, false)
    return first.line
  }

  mutating func redo() -> EditedLine? {
    guard let line = undone.popLast() else { return nil }
    before.append(Step(line: now))
    (now, isTyping) = (line, false)
    return line
  }
}
