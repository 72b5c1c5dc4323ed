import CEditLine
import Glibc

/// Earlier lines in place of the one that is typed: Up and Down, Ctrl-R and Ctrl-S, vi's `G n N`, the last word of one.
///
/// libedit's own search takes a character for the key that its last byte is, and so finds no Hangul. Each command returns
/// what libedit is to do next.
final class HistoryRecall {
  private let buffer: LineBuffer
  private let changes: LineChanges
  private(set) var history: History
  private var walk = HistoryWalk()
  private var running: HistorySearch?
  /// What vi's `n` searches for.
  private var lastSearch: (pattern: String, isForward: Bool)?
  /// Whose last word was put in, by which key, and how long it is.
  private var wordWalk: (key: Int, place: Int, count: Int)?
  private var question = Question(prompt: StyledPrompt(""))
  /// A field has no history.
  private var isField: Bool { question.isField }

  init(_ buffer: LineBuffer, _ changes: LineChanges, _ history: History) {
    (self.buffer, self.changes, self.history) = (buffer, changes, history)
  }

  func beginLine(_ question: Question) { (walk, running, self.question) = (HistoryWalk(), nil, question) }

  /// Reads the file of the history, if that has not been done.
  func read() { history.read() }

  func add(_ line: String, at time: Int64?) { _ = history.add(line, at: time) }

  /// Takes lines out of the history; returns how many there were.
  func remove(_ lines: Set<String>) -> Int { history.remove(lines) }

  /// What came of the line that was added last.
  func conclude(_ status: Int32) { history.conclude(status) }

  func takeTroubles() -> [HistoryTrouble] { history.takeTroubles() }

  func suggestion(after text: String, where isAllowed: (String) -> Bool) -> String {
    history.suggestion(after: text, where: isAllowed)
  }

  // MARK: Up and Down

  /// Through the rows of a line that has several, and beyond its first one through earlier lines.
  func goUp() -> UInt8 {
    let line = buffer.line
    if walk.shown != line, let cursor = line.cursorAbove { return move(to: cursor, from: line) }
    var text: String?
    for _ in 0..<changes.counter.count {
      text = isField ? nil : walk.older(than: line.text, in: history.entries) ?? text
    }
    return recall(text)
  }

  func goDown() -> UInt8 {
    let line = buffer.line
    if walk.shown != line, let cursor = line.cursorBelow { return move(to: cursor, from: line) }
    var text: String?
    for _ in 0..<changes.counter.count { text = isField ? nil : walk.newer(in: history.entries) ?? text }
    return recall(text)
  }

  /// vi's `G`: the line of that number, or the oldest.
  func goToLine() -> UInt8 {
    let place = changes.counter.isGiven ? changes.counter.count - 1 : 0
    guard !isField, history.entries.indices.contains(place) else { return UInt8(CC_REFRESH_BEEP) }
    walk.jump(to: place, from: buffer.line.text)
    return recall(history.entries[place])
  }

  private func move(to cursor: Int, from line: EditedLine) -> UInt8 {
    buffer.moveCursor(by: cursor - line.cursor)
    return UInt8(CC_CURSOR)
  }

  private func recall(_ text: String?) -> UInt8 {
    guard let text else { return UInt8(CC_REFRESH_BEEP) }
    // vi's command mode has no place behind the last character.
    buffer.put(text, cursor: buffer.mode == .vi ? 0 : text.unicodeScalars.count)
    walk.shown = buffer.line
    return UInt8(CC_REFRESH)
  }

  /// The last word of the line before; once more the one of the line before that.
  func insertLastWord() -> UInt8 {
    let key = changes.counter.keys
    var place = history.entries.count
    var instead = 0
    if let wordWalk, wordWalk.key == key - 1 { (place, instead) = (wordWalk.place, wordWalk.count) }
    while place > 0 {
      place -= 1
      guard let word = history.entries[place].split(whereSeparator: \.isWhitespace).last else { continue }
      let cursor = buffer.line.cursor
      buffer.replace(max(0, cursor - instead)..<cursor, with: String(word))
      wordWalk = (key, place, word.unicodeScalars.count)
      return UInt8(CC_REFRESH)
    }
    return UInt8(CC_REFRESH_BEEP)
  }

  // MARK: Search

  var isSearching: Bool { running != nil }

  /// What stands below the line while it is searched for; nil without a search.
  func searchRows(in size: WindowSize, hasColors: Bool) -> [String]? {
    running?.rows(
      in: history, columns: size.columns - 1, most: max(1, min(size.rows / 2, 11)), hasColors: hasColors,
      names: question.searchNames, now: HistoryRecord.Moment(Int64(time(nil)) * 1_000))
  }

  /// - Parameter fromVi: vi's `/` and `?`, whose Enter only ends the search.
  func search(forward: Bool, fromVi: Bool = false) -> UInt8 {
    guard !isField else { return UInt8(CC_REFRESH_BEEP) }
    guard var search = running else {
      running = HistorySearch(
        before: buffer.line, at: walk.place ?? history.entries.count, forward: forward, isVi: fromVi,
        in: history)
      return UInt8(CC_REFRESH)
    }
    let hit = search.next(forward: forward, in: history)
    running = search
    return show(hit)
  }

  /// The pattern has changed, or the search is over.
  func searchAgain() -> UInt8 {
    guard var search = running else { return UInt8(CC_REFRESH) }
    let hit = search.again(in: history)
    running = search
    return search.pattern.isEmpty ? UInt8(CC_REFRESH) : show(hit)
  }

  /// Back to what was typed before.
  func leaveSearch() -> UInt8 {
    guard let before = running?.before else { return UInt8(CC_REFRESH) }
    running = nil
    buffer.put(before.text, cursor: before.cursor)
    return UInt8(CC_REFRESH)
  }

  /// vi's `n` and `N`.
  func repeatSearch(isTurned: Bool) -> UInt8 {
    guard !isField, let last = lastSearch else { return UInt8(CC_REFRESH_BEEP) }
    var again = HistorySearch(
      before: buffer.line, at: walk.place ?? history.entries.count, forward: last.isForward, isVi: true,
      in: history)
    again.add(last.pattern)
    let hit = again.next(forward: last.isForward != isTurned, in: history)
    if let found = again.found { walk.jump(to: found, from: buffer.line.text) }
    return show(hit)
  }

  private func show(_ hit: HistorySearch.Hit?) -> UInt8 {
    guard let hit else { return UInt8(CC_REFRESH_BEEP) }
    buffer.put(hit.text, cursor: hit.offset)
    return UInt8(CC_REFRESH)
  }

  /// What an item is to a search; nil without one, and for a key that ends it and does what it always does.
  func itemForSearch(_ item: InputQueue.Item) -> InputQueue.Item? {
    guard var search = running else { return nil }
    switch item {
    // Ctrl-R, Ctrl-S, Ctrl-G.
    case .key([18]), .key([19]): return item
    case .key([7]): return .action(.leaveSearch)
    // The list has its newest line at the top.
    case .key(let characters) where !search.isVi && KeyGate.upKeys.contains(characters): return .key([19])
    case .key(let characters) where !search.isVi && KeyGate.downKeys.contains(characters): return .key([18])
    case .key([8]), .key([0x7F]): search.shorten()
    case .text(let text): search.add(text.text)
    case .key(let characters) where characters.count == 1 && characters[0] >= 0x20:
      search.add(Unicode.Scalar(UInt32(bitPattern: characters[0])).map { String($0) } ?? "")
    case .key, .action:
      // From here on Up and Down go on from what was found.
      if let found = search.found { walk.jump(to: found, from: search.before.text) }
      if !search.pattern.isEmpty { lastSearch = (search.pattern, search.isForward) }
      running = nil
      // A line that would write is looked at before it runs.
      let isHeld = search.isVi || !question.maySuggest(buffer.line.text)
      let endsIt = isHeld && (item == .key([13]) || item == .key([10]))
      return item == .action(.escape) || endsIt ? .action(.searchAgain) : nil
    }
    running = search
    return .action(.searchAgain)
  }
}
