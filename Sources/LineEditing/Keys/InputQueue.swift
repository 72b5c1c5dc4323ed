import CEditLine

/// What was typed and libedit has not asked for yet.
///
/// libedit knows characters only. What has no character (a paste, a syllable that takes the place of its beginning, an
/// action that no key has) is handed to it as one of the codes 0x80 to 0x9F, which no keyboard sends, each bound to a
/// function of ours. A code is chosen when it is handed over and stays tied to its text until seven more texts have
/// come, so a code never means another text than the one it was made for, and vi's `.` may give it again.
struct InputQueue {
  enum Item: Equatable {
    /// The characters of one key: a single one, or those of an escape sequence.
    case key([wchar_t])
    case text(Piece)
    case action(Action)
  }

  struct Piece: Equatable {
    var text: String
    /// Whether it takes the place of the character before the cursor.
    var joins = false
  }

  /// What keys lead to that are not libedit's to know.
  enum Action: wchar_t, CaseIterable {
    /// Esc alone: vi's command mode.
    case escape = 0x80
    case more, revert, beep, accept, close, up, down, leave, choiceAbove, choiceBelow, searchAgain, leaveSearch
    /// libedit's own commands that take one more character, which stands behind the code.
    case findNext, findPrevious, findToNext, findToPrevious, replaceCharacter
    /// Ends an operator that waits for its motion.
    case nothing = 0x93
  }

  /// libedit keeps what vi's `.` repeats across lines, the Enter that ran them among it. Leaving the insertion and
  /// beginning one makes it forget.
  static let newInsertion: [wchar_t] = [Action.escape.rawValue, 0x92]

  /// The codes for texts.
  static let textCodes: ClosedRange<wchar_t> = 0x98...0x9F

  private var items: ArraySlice<Item> = []
  /// What is left of the key that libedit is reading.
  private var rest: ArraySlice<wchar_t> = []
  private var texts: [Piece?] = Array(repeating: nil, count: textCodes.count)
  private var nextCode = 0

  var isEmpty: Bool { items.isEmpty && rest.isEmpty }
  var last: Item? { items.last }

  /// The UTF-8 bytes of the texts that wait.
  var textBytes: Int {
    items.reduce(0) { sum, item in
      if case .text(let text) = item { sum + text.text.utf8.count } else { sum }
    }
  }

  mutating func append(_ item: Item) { items.append(item) }
  mutating func prepend(_ item: Item) { items.insert(item, at: items.startIndex) }
  mutating func replaceLast(_ item: Item) { items[items.endIndex - 1] = item }
  mutating func next() -> Item? { items.popFirst() }

  /// Removes all items that wait. The texts that codes stand for stay, because vi's `.` may repeat one of them.
  mutating func discard() { items = [] }

  /// Drops what was typed before the last Ctrl-C, and that key; false when there is none.
  mutating func dropThroughInterrupt() -> Bool {
    guard let index = items.lastIndex(of: .key([3])) else { return false }
    items.removeSubrange(...index)
    return true
  }

  /// The next character of a key that libedit has begun to read.
  mutating func nextOfKey() -> wchar_t? { rest.popFirst() }

  /// The first character of what the item is to libedit; the others follow from ``nextOfKey()``.
  mutating func begin(_ item: Item) -> wchar_t {
    switch item {
    case .key(let characters): rest = characters[...]
    case .action(let action): rest = [action.rawValue]
    case .text(let text):
      nextCode = (nextCode + 1) % texts.count
      texts[nextCode] = text
      rest = [Self.textCodes.lowerBound + wchar_t(nextCode)]
    }
    return rest.popFirst() ?? Action.beep.rawValue
  }

  /// The line is over, and with it the key that libedit was reading.
  mutating func endKey() { rest = [] }

  /// Gives libedit an action and the character it takes.
  mutating func give(_ action: Action, _ character: wchar_t) { rest = [action.rawValue, character] }

  /// The text a code stands for.
  func text(of code: wchar_t) -> Piece? {
    Self.textCodes.contains(code) ? texts[Int(code - Self.textCodes.lowerBound)] : nil
  }
}
