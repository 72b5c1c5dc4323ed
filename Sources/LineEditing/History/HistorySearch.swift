import Text

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
  /// The places of the lines that hold the pattern, newest first, each text once.
  private var hits: [Int]

  init(before: EditedLine, at place: Int, forward: Bool, isVi: Bool = false, in entries: [String]) {
    (self.before, self.place, self.isVi) = (before, place, isVi)
    isForward = forward
    hits = Self.newest(of: entries)
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
  mutating func again(in entries: [String]) -> Hit? {
    narrow(in: entries)
    if pattern.isEmpty {
      isFailing = false
      return nil
    }
    return show(isForward ? hits.last { $0 >= place } : hits.first { $0 <= place }, in: entries)
  }

  /// Looks for all lines that hold the pattern as it is now.
  mutating func narrow(in entries: [String]) {
    hits = Self.newest(of: entries)
    if !pattern.isEmpty { hits = hits.filter { match(in: entries[$0]) != nil } }
  }

  /// The next line that holds the pattern; without a pattern, the next line of the list.
  mutating func next(forward: Bool, in entries: [String]) -> Hit? {
    isForward = forward
    if pattern.isEmpty, isVi { return nil }
    return show(forward ? hits.last { $0 > place } : hits.first { $0 < place }, in: entries)
  }

  private mutating func show(_ next: Int?, in entries: [String]) -> Hit? {
    isFailing = next == nil
    guard let next else { return nil }
    (place, found) = (next, next)
    return Hit(text: entries[next], offset: match(in: entries[next]) ?? 0)
  }

  private static func newest(of entries: [String]) -> [Int] {
    var seen = Set<String>()
    return entries.indices.reversed().filter { seen.insert(entries[$0]).inserted }
  }

  /// How many scalars of the line stand before the pattern; nil when it is not in it.
  private func match(in entry: String) -> Int? {
    guard entry.utf8.count >= pattern.utf8.count else { return nil }
    let text = pattern == pattern.lowercased() ? entry.lowercased() : entry
    guard let range = Array(text.unicodeScalars).firstRange(of: Array(pattern.unicodeScalars)) else { return nil }
    return min(range.lowerBound, entry.unicodeScalars.count)
  }

  // MARK: What stands below the line

  /// As readline and libedit say it, `bck:pen`, `bck?pen` where nothing is found, and the list around the line that is
  /// shown, each with when it ran and what came of it.
  /// - Parameters:
  ///   - most: so many rows, at least one.
  ///   - now: names the day of which only the hour is told.
  func rows(
    in history: History, columns: Int, most: Int, hasColors: Bool,
    names: (back: String, forward: String) = ("bck", "fwd"),
    now: HistoryRecord.Moment?
  ) -> [String] {
    let width = CellWidth()
    let head = width.fit((isForward ? names.forward : names.back) + (isFailing ? "?" : ":") + pattern, to: columns)
    if isVi || most < 2 { return [head] }
    let size = most - 1
    let chosen = found.flatMap { hits.firstIndex(of: $0) }
    let first = (chosen ?? 0) / size * size
    return [head]
      + hits[min(first, hits.count)..<min(hits.count, first + size)].map { place in
        let record = history.records[place]
        let mark = record.status.map { $0 == 0 ? "✓" : "✗" } ?? " "
        let time = record.time.map { HistoryRecord.Moment($0).spelled(now) } ?? ""
        let front = record.time == nil && record.status == nil ? "" : "\(mark) \(time)  "
        let text = width.fit(
          history.entries[place].replacing("\n", with: "⏎"), to: max(2, columns - 2 - width.of(front)))
        let row = (place == found ? "> " : "  ") + front + text
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
  /// What the last step showed: as long as it stands untouched, Up and Down go on through the history.
  var shown: EditedLine?

  private enum Choosing {
    case beginning, holding
  }

  /// The line before; nil where there is none.
  mutating func older(than text: String, in entries: [String]) -> String? {
    if place == nil { choose(by: text, in: entries) }
    guard let next = next(before: place ?? entries.count, in: entries) else { return nil }
    if place == nil { typed = text }
    place = next
    return entries[next]
  }

  /// The line behind; nil behind the one that was being typed.
  mutating func newer(in entries: [String]) -> String? {
    guard let place else { return nil }
    self.place = (place + 1..<max(entries.count, place + 1)).first { isChosen(entries[$0]) }
    return self.place.map { entries[$0] } ?? typed
  }

  /// Goes on from a line that was found in another way.
  mutating func jump(to place: Int, from text: String) {
    if self.place == nil { typed = text }
    (self.place, chosen) = (place, nil)
  }

  private mutating func choose(by text: String, in entries: [String]) {
    (typed, chosen) = (text, nil)
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
    guard let chosen else { return true }
    // The line as it is typed is no news.
    if entry == typed { return false }
    return switch chosen {
    case .beginning: entry.utf8.starts(with: typed.utf8)
    case .holding: entry.contains(typed)
    }
  }
}
