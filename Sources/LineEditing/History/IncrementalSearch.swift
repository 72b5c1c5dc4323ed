/// An incremental search in earlier lines.
///
/// Each key extends the pattern and shows the nearest line that contains it, with the other matches in a list. A
/// pattern without capitals ignores case.
struct IncrementalSearch {
  /// A matching line and the number of scalars before the match.
  struct Hit: Equatable {
    var text: String
    var offset: Int
  }

  /// The line before the search began.
  let before: EditedLine
  private(set) var pattern = ""
  private(set) var isForward: Bool
  /// Indicates a search of vi, where Enter only ends the search, and no list is shown.
  let isVi: Bool
  private var isFailing = false
  /// The index of the line that is shown; one after the last at the beginning.
  private var index: Int
  /// The index of the match that is shown, or `nil` before the first match.
  private(set) var found: Int?
  /// The indices of the matches found so far, newest first, each text once.
  private var matches: [Int] = []
  private var texts: Set<String> = []
  /// The pattern they were searched for.
  private var soughtPattern = HistoryPattern("")
  private var reached: Int

  init(before: EditedLine, at index: Int, forward: Bool, isVi: Bool = false, in history: History) {
    (self.before, self.index, self.isVi) = (before, index, isVi)
    isForward = forward
    reached = history.entries.count
  }

  mutating func add(_ text: String) {
    for scalar in text.unicodeScalars {
      if let last = pattern.unicodeScalars.last, let joined = Composer.joined(last, scalar) {
        pattern.unicodeScalars.removeLast()
        pattern.unicodeScalars.append(joined)
      } else {
        pattern.unicodeScalars.append(scalar)
      }
    }
  }

  mutating func deleteLastCharacter() { if !pattern.isEmpty { pattern.removeLast() } }

  /// Searches for the current pattern, starting with the line that is shown.
  mutating func search(in history: History) -> Hit? {
    if pattern.isEmpty {
      isFailing = false
      return nil
    }
    return show(nearest(history, includingShown: true), in: history)
  }

  /// Returns the next match, or without a pattern the next line.
  mutating func next(forward: Bool, in history: History) -> Hit? {
    isForward = forward
    if pattern.isEmpty, isVi { return nil }
    return show(nearest(history, includingShown: false), in: history)
  }

  private mutating func nearest(_ history: History, includingShown: Bool) -> Int? {
    let (index, isForward) = (index, isForward)
    let end = includingShown ? index + 1 : index
    look(in: history) { hits, reached in isForward ? reached <= index : (hits.last ?? .max) < end }
    if isForward { return matches.last { includingShown ? $0 >= index : $0 > index } }
    return matches.first { includingShown ? $0 <= index : $0 < index }
  }

  /// Searches from the newest line until there are enough matches.
  ///
  /// A pattern that was extended is searched only among the matches of the shorter one.
  private mutating func look(in history: History, until isEnough: (_ hits: [Int], _ reached: Int) -> Bool) {
    let pattern = HistoryPattern(pattern)
    if !pattern.text.utf8.elementsEqual(soughtPattern.text.utf8) {
      if pattern.text.utf8.starts(with: soughtPattern.text.utf8) {
        matches = matches.filter { pattern.isContained(in: history.entries[$0]) }
      } else {
        (matches, texts, reached) = ([], [], history.entries.count)
      }
      soughtPattern = pattern
    }
    while reached > 0, !isEnough(matches, reached) {
      reached = pattern.lastLine(before: reached, of: history) ?? -1
      if reached >= 0, texts.insert(history.entries[reached]).inserted { matches.append(reached) }
    }
  }

  private mutating func show(_ next: Int?, in history: History) -> Hit? {
    isFailing = next == nil
    guard let next else { return nil }
    (index, found) = (next, next)
    return Hit(text: history.entries[next], offset: soughtPattern.offset(in: history.entries[next]))
  }

  // MARK: Rows below the line

  /// Returns the rows of the search: the label in the format of readline and libedit, `bck:pen` or `bck?pen` without a
  /// match, and the list around the match, each line with its time and exit status.
  ///
  /// There are at most `most` rows, which is at least one. On the day of `now` only the time is shown.
  mutating func rows(
    in history: History, columns: Int, most: Int, hasColors: Bool,
    names: (back: String, forward: String) = ("bck", "fwd"),
    now: HistoryRecord.Moment?
  ) -> [String] {
    let name = isForward ? names.forward : names.back
    // A label of several words needs a space after its mark.
    let mark = (isFailing ? "?" : ":") + (name.contains(" ") ? " " : "")
    let head = DrawnWidth.fit(name + mark + pattern, to: columns)
    if isVi || most < 2 { return [head] }
    let size = most - 1
    let chosen = found.flatMap { matches.firstIndex(of: $0) }
    let first = (chosen ?? 0) / size * size
    look(in: history) { hits, _ in hits.count >= first + size }
    return [head]
      + matches[min(first, matches.count)..<min(matches.count, first + size)].map { index in
        let record = history.records[index]
        let mark = record.status.map { $0 == 0 ? "✓" : "✗" } ?? " "
        let time = record.time.map { HistoryRecord.Moment($0).text(now) } ?? ""
        let label = record.time == nil && record.status == nil ? "" : "\(mark) \(time)  "
        // In a narrow window only the line is shown.
        let room = columns - 2 - DrawnWidth.of(label)
        let isNarrow = room < 8
        let text = DrawnWidth.fit(
          history.entries[index].replacing("\n", with: "⏎"), to: isNarrow ? max(1, columns - 2) : room)
        let row = (index == found ? "> " : "  ") + (isNarrow ? "" : label) + text
        guard hasColors else { return row }
        return index == found ? "\u{1B}[7m\(row)\u{1B}[0m" : "\u{1B}[2m\(row)\u{1B}[0m"
      }
  }
}
