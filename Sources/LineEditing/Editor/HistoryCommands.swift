import CEditLine
import Glibc

/// Recalls earlier lines: Up and Down, Ctrl-R and Ctrl-S, vi's `G n N`, the last word of a line.
///
/// libedit's own search takes the last byte of a character for a key and so finds no Hangul. Each command returns the
/// code by which libedit continues.
final class HistoryCommands {
  private let buffer: LineBuffer
  private let changes: EditCommands
  private(set) var history: History
  private var navigator = HistoryNavigator()
  private var activeSearch: IncrementalSearch?
  /// The last search, for vi's `n`.
  private var lastSearch: (pattern: String, isForward: Bool)?
  /// The line whose last word was inserted, the key that did it, and the length of the word.
  private var lastArgCycle: (key: Int, index: Int, count: Int)?
  /// The index of the line that the next prompt begins with.
  private var nextLine: Int?
  private var question = PromptRequest(prompt: StyledPrompt(""))
  /// Indicates a field, which has no history.
  private var isField: Bool { question.isField }

  init(_ buffer: LineBuffer, changes: EditCommands, history: History) {
    (self.buffer, self.changes, self.history) = (buffer, changes, history)
  }

  func beginLine(_ question: PromptRequest) {
    (navigator, activeSearch, self.question) = (HistoryNavigator(), nil, question)
  }

  /// Reads the history file unless it was read before.
  func read() { history.read() }

  func add(_ line: String, at time: Int64?) { _ = history.add(line, at: time) }

  /// Removes lines from the history; returns how many there were.
  func remove(_ lines: Set<String>) -> Int { history.remove(lines) }

  /// Records the exit status of the line that was added last.
  func conclude(_ status: Int32) { history.recordExitStatus(status) }

  func takeErrors() -> [HistoryError] { history.takeErrors() }

  func suggestion(after text: String, where isAllowed: (String) -> Bool) -> String {
    history.suggestion(after: text, where: isAllowed)
  }

  // MARK: Up and Down

  /// Moves up through the rows of the line, and from its first row to earlier lines.
  func goUp() -> UInt8 {
    let line = buffer.line
    if navigator.shown != line, let cursor = line.cursorAbove { return move(to: cursor, from: line) }
    var text: String?
    for _ in 0..<changes.counter.count {
      text = isField ? nil : navigator.older(than: line.text, in: history.entries) ?? text
    }
    return recall(text)
  }

  func goDown() -> UInt8 {
    let line = buffer.line
    if navigator.shown != line, let cursor = line.cursorBelow { return move(to: cursor, from: line) }
    var text: String?
    for _ in 0..<changes.counter.count { text = isField ? nil : navigator.newer(in: history.entries) ?? text }
    return recall(text)
  }

  /// Recalls the line with the given number, or the oldest one (vi's `G`).
  func goToLine() -> UInt8 {
    let index = changes.counter.isGiven ? changes.counter.count - 1 : 0
    guard !isField, history.entries.indices.contains(index) else { return UInt8(CC_REFRESH_BEEP) }
    navigator.jump(to: index, from: buffer.line.text)
    return recall(history.entries[index])
  }

  /// Returns to the line that was being typed.
  func goToNewest() -> UInt8 {
    var text: String?
    while let next = isField ? nil : navigator.newer(in: history.entries) { text = next }
    return recall(text)
  }

  /// Records that the next prompt begins with the line after the recalled one, if a line was recalled.
  func markNextLine() { nextLine = navigator.index.map { $0 + 1 } }

  /// Returns the line that the prompt begins with, from where Up and Down continue, or `nil`.
  func takeNextLine() -> String? {
    defer { nextLine = nil }
    guard let nextLine, history.entries.indices.contains(nextLine) else { return nil }
    navigator.jump(to: nextLine, from: "")
    return history.entries[nextLine]
  }

  private func move(to cursor: Int, from line: EditedLine) -> UInt8 {
    buffer.moveCursor(by: cursor - line.cursor)
    return UInt8(CC_CURSOR)
  }

  private func recall(_ text: String?) -> UInt8 {
    guard let text else { return UInt8(CC_REFRESH_BEEP) }
    // vi's command mode has no position after the last character.
    buffer.setLine(text, cursor: buffer.mode == .vi ? 0 : text.unicodeScalars.count)
    navigator.shown = buffer.line
    return UInt8(CC_REFRESH)
  }

  /// Inserts the last word of the previous line; repeated, that of the line before it.
  func insertLastWord() -> UInt8 {
    let key = changes.counter.keys
    var index = history.entries.count
    var instead = 0
    if let lastArgCycle, lastArgCycle.key == key - 1 { (index, instead) = (lastArgCycle.index, lastArgCycle.count) }
    while index > 0 {
      index -= 1
      guard let word = history.entries[index].split(whereSeparator: \.isWhitespace).last else { continue }
      let cursor = buffer.line.cursor
      buffer.replace(max(0, cursor - instead)..<cursor, with: String(word))
      lastArgCycle = (key, index, word.unicodeScalars.count)
      return UInt8(CC_REFRESH)
    }
    return UInt8(CC_REFRESH_BEEP)
  }

  // MARK: Search

  var isSearching: Bool { activeSearch != nil }

  /// The rows shown below the line during a search, or `nil`.
  func searchRows(in size: WindowSize, hasColors: Bool) -> [String]? {
    activeSearch?.rows(
      in: history, columns: size.columns - 1, most: max(1, min(size.rows / 2, 11)), hasColors: hasColors,
      names: question.searchNames, now: HistoryRecord.Moment(Int64(time(nil)) * 1_000))
  }

  /// Begins a search or moves to the next match.
  ///
  /// With `fromVi` it is vi's `/` or `?`, whose Enter only ends the search.
  func search(forward: Bool, fromVi: Bool = false) -> UInt8 {
    guard !isField else { return UInt8(CC_REFRESH_BEEP) }
    guard var search = activeSearch else {
      activeSearch = IncrementalSearch(
        before: buffer.line, at: navigator.index ?? history.entries.count, forward: forward, isVi: fromVi,
        in: history)
      return UInt8(CC_REFRESH)
    }
    let hit = search.next(forward: forward, in: history)
    activeSearch = search
    return show(hit)
  }

  /// Searches again after the pattern changed, or ends the search.
  func searchAgain() -> UInt8 {
    guard var search = activeSearch else { return UInt8(CC_REFRESH) }
    let hit = search.search(in: history)
    activeSearch = search
    return search.pattern.isEmpty ? UInt8(CC_REFRESH) : show(hit)
  }

  /// Ends the search and restores the typed line.
  func leaveSearch() -> UInt8 {
    guard let before = activeSearch?.before else { return UInt8(CC_REFRESH) }
    activeSearch = nil
    buffer.setLine(before.text, cursor: before.cursor)
    return UInt8(CC_REFRESH)
  }

  /// Repeats the last search (vi's `n` and `N`).
  func repeatSearch(isReversed: Bool) -> UInt8 {
    guard !isField, let last = lastSearch else { return UInt8(CC_REFRESH_BEEP) }
    var again = IncrementalSearch(
      before: buffer.line, at: navigator.index ?? history.entries.count, forward: last.isForward, isVi: true,
      in: history)
    again.add(last.pattern)
    let hit = again.next(forward: last.isForward != isReversed, in: history)
    if let found = again.found { navigator.jump(to: found, from: buffer.line.text) }
    return show(hit)
  }

  private func show(_ hit: IncrementalSearch.Hit?) -> UInt8 {
    guard let hit else { return UInt8(CC_REFRESH_BEEP) }
    buffer.setLine(hit.text, cursor: hit.offset)
    return UInt8(CC_REFRESH)
  }

  /// Returns the meaning of an item during a search, or `nil` without a search and for a key that ends it and has its
  /// usual effect.
  func searchItem(_ item: InputQueue.Item) -> InputQueue.Item? {
    guard var search = activeSearch else { return nil }
    switch item {
    // Ctrl-R, Ctrl-S, Ctrl-G.
    case .key([18]), .key([19]): return item
    case .key([7]): return .action(.leaveSearch)
    // The newest match is at the top of the list.
    case .key(let characters) where !search.isVi && KeyRouter.upKeys.contains(characters): return .key([19])
    case .key(let characters) where !search.isVi && KeyRouter.downKeys.contains(characters): return .key([18])
    case .key([8]), .key([0x7F]): search.deleteLastCharacter()
    case .text(let text): search.add(text.text)
    case .key(let characters) where characters.count == 1 && characters[0] >= 0x20:
      search.add(Unicode.Scalar(UInt32(bitPattern: characters[0])).map { String($0) } ?? "")
    case .key, .action:
      // Up and Down continue from the match.
      if let found = search.found { navigator.jump(to: found, from: search.before.text) }
      if !search.pattern.isEmpty { lastSearch = (search.pattern, search.isForward) }
      activeSearch = nil
      // A line that may write is shown before it runs.
      let waitsForEnter = search.isVi || !question.maySuggest(buffer.line.text)
      let endsIt = waitsForEnter && [.key([13]), .key([10]), .key([15])].contains(item)
      return item == .action(.escape) || endsIt ? .action(.searchAgain) : nil
    }
    activeSearch = search
    return .action(.searchAgain)
  }
}
