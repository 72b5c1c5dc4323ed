/// An incremental search through earlier lines: each key makes the pattern longer and shows the nearest line that holds
/// it, with the others in a list. A pattern without capitals finds them too.
struct HistorySearch {
  /// A line that was found, and how many of its scalars stand before the match.
  struct Hit: Equatable {
    var text: String
    var offset: Int
  }

  /// What was typed before the search began.
  let before: EditedLine
  private(set) var pattern = ""
  private(set) var isForward: Bool
  /// Whether it is vi's: Enter only ends it, and no list is shown.
  let isVi: Bool
  private var isFailing = false
  /// Of the line that is shown; behind the last one at the beginning.
  private var place: Int
  /// The place of the line that is shown; nil while it is still the one before the search.
  private(set) var found: Int?
  /// The places of the lines that hold the pattern, newest first, each text once, as far as they were looked for.
  private var hits: [Int] = []
  private var texts: Set<String> = []
  /// What they were looked for by, and the oldest line that was looked at.
  private var soughtPattern = HistoryPattern("")
  private var reached: Int

  init(before: EditedLine, at place: Int, forward: Bool, isVi: Bool = false, in history: History) {
    (self.before, self.place, self.isVi) = (before, place, isVi)
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

  mutating func shorten() { if !pattern.isEmpty { pattern.removeLast() } }

  /// For the pattern as it is now, from the line that is shown on.
  mutating func again(in history: History) -> Hit? {
    if pattern.isEmpty {
      isFailing = false
      return nil
    }
    return show(nearest(history, includingShown: true), in: history)
  }

  /// The next line that holds the pattern; without a pattern, the next line of the list.
  mutating func next(forward: Bool, in history: History) -> Hit? {
    isForward = forward
    if pattern.isEmpty, isVi { return nil }
    return show(nearest(history, includingShown: false), in: history)
  }

  private mutating func nearest(_ history: History, includingShown: Bool) -> Int? {
    let (place, isForward) = (place, isForward)
    let behind = includingShown ? place + 1 : place
    look(in: history) { hits, reached in isForward ? reached <= place : (hits.last ?? .max) < behind }
    if isForward { return hits.last { includingShown ? $0 >= place : $0 > place } }
    return hits.first { includingShown ? $0 <= place : $0 < place }
  }

  /// Looks for lines that hold the pattern, from the newest on, until there are enough. A pattern that got longer is looked
  /// for only among those that held the shorter one.
  private mutating func look(in history: History, until isEnough: (_ hits: [Int], _ reached: Int) -> Bool) {
    let pattern = HistoryPattern(pattern)
    if !pattern.text.utf8.elementsEqual(soughtPattern.text.utf8) {
      if pattern.text.utf8.starts(with: soughtPattern.text.utf8) {
        hits = hits.filter { pattern.isHeld(by: history.entries[$0]) }
      } else {
        (hits, texts, reached) = ([], [], history.entries.count)
      }
      soughtPattern = pattern
    }
    while reached > 0, !isEnough(hits, reached) {
      reached = pattern.lastLine(before: reached, of: history) ?? -1
      if reached >= 0, texts.insert(history.entries[reached]).inserted { hits.append(reached) }
    }
  }

  private mutating func show(_ next: Int?, in history: History) -> Hit? {
    isFailing = next == nil
    guard let next else { return nil }
    (place, found) = (next, next)
    return Hit(text: history.entries[next], offset: soughtPattern.offset(in: history.entries[next]))
  }

  // MARK: What stands below the line

  /// As readline and libedit say it, `bck:pen`, `bck?pen` where nothing is found, and the list around the line that is
  /// shown, each with when it ran and what came of it.
  /// - Parameters:
  ///   - most: so many rows, at least one.
  ///   - now: names the day of which only the hour is told.
  mutating func rows(
    in history: History, columns: Int, most: Int, hasColors: Bool,
    names: (back: String, forward: String) = ("bck", "fwd"),
    now: HistoryRecord.Moment?
  ) -> [String] {
    let head = DrawnWidth.fit((isForward ? names.forward : names.back) + (isFailing ? "?" : ":") + pattern, to: columns)
    if isVi || most < 2 { return [head] }
    let size = most - 1
    let chosen = found.flatMap { hits.firstIndex(of: $0) }
    let first = (chosen ?? 0) / size * size
    look(in: history) { hits, _ in hits.count >= first + size }
    return [head]
      + hits[min(first, hits.count)..<min(hits.count, first + size)].map { place in
        let record = history.records[place]
        let mark = record.status.map { $0 == 0 ? "✓" : "✗" } ?? " "
        let time = record.time.map { HistoryRecord.Moment($0).spelled(now) } ?? ""
        let front = record.time == nil && record.status == nil ? "" : "\(mark) \(time)  "
        // In a narrow window the line alone is shown.
        let room = columns - 2 - DrawnWidth.of(front)
        let isNarrow = room < 8
        let text = DrawnWidth.fit(
          history.entries[place].replacing("\n", with: "⏎"), to: isNarrow ? max(1, columns - 2) : room)
        let row = (place == found ? "> " : "  ") + (isNarrow ? "" : front) + text
        guard hasColors else { return row }
        return place == found ? "\u{1B}[7m\(row)\u{1B}[0m" : "\u{1B}[2m\(row)\u{1B}[0m"
      }
  }
}

/// Up and Down through earlier lines. What was typed before stands behind the newest of them and comes back.
///
/// What was typed chooses among them: the lines that begin with it, else those that hold it, else all.
struct HistoryWalk {
  /// Of the line that is shown; nil for the one being typed.
  private(set) var place: Int?
  private var typed = ""
  /// Nil while all lines are gone through.
  private var chosen: Choosing?
  /// The lines that Up has shown, newest first, and their texts: each text is shown once.
  private var passed: [Int] = []
  private var seen: Set<String> = []
  /// Whether the walk began at a line that another search had found.
  private var isFound = false
  /// What the last step showed: as long as it stands untouched, Up and Down go on through the history.
  var shown: EditedLine?

  private enum Choosing {
    case beginning, holding
  }

  /// The line before that was not shown yet; nil where there is none.
  mutating func older(than text: String, in entries: [String]) -> String? {
    if place == nil { choose(by: text, in: entries) }
    guard let next = next(before: place ?? entries.count, in: entries) else { return nil }
    if let place { seen.insert(entries[place]) } else { typed = text }
    place = next
    passed.append(next)
    seen.insert(entries[next])
    return entries[next]
  }

  /// The line behind; nil behind the one that was being typed.
  mutating func newer(in entries: [String]) -> String? {
    guard let place else { return nil }
    if passed.last == place { passed.removeLast() }
    seen.remove(entries[place])
    if let last = passed.last {
      self.place = last
    } else {
      // Behind the line that another search has found.
      self.place = isFound ? (place + 1..<max(entries.count, place + 1)).first { entries[$0] != entries[place] } : nil
    }
    return self.place.map { entries[$0] } ?? typed
  }

  /// Goes on from a line that was found by another search.
  mutating func jump(to place: Int, from text: String) {
    if self.place == nil { typed = text }
    (self.place, chosen, passed, seen, isFound) = (place, nil, [], [], true)
  }

  private mutating func choose(by text: String, in entries: [String]) {
    (typed, chosen, passed, seen, isFound) = (text, nil, [], [], false)
    if text.isEmpty { return }
    for choosing in [Choosing.beginning, .holding] {
      chosen = choosing
      if next(before: entries.count, in: entries) != nil { return }
    }
    chosen = nil
  }

  private func next(before place: Int, in entries: [String]) -> Int? {
    (0..<min(place, entries.count)).last { isChosen(entries[$0]) }
  }

  private func isChosen(_ entry: String) -> Bool {
    if seen.contains(entry) { return false }
    guard let chosen else { return true }
    // The line as it is typed is no news.
    if entry == typed { return false }
    return switch chosen {
    case .beginning: entry.utf8.starts(with: typed.utf8)
    case .holding: entry.contains(typed)
    }
  }
}
