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

/// An incremental search through earlier lines: each key makes the pattern longer and shows the nearest line that holds
/// it. A pattern without capitals finds them too.
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
  /// Whether Enter only ends it, as vi's does; else the line that was found runs.
  let enterEndsIt: Bool
  private var isFailing = false
  /// Of the line that is shown; behind the last one at the beginning.
  private var place: Int
  /// The place of the line that is shown; nil while it is still the one before the search.
  private(set) var found: Int?

  init(before: EditedLine, at place: Int, forward: Bool, enterEndsIt: Bool = false) {
    self.enterEndsIt = enterEndsIt
    self.before = before
    self.place = place
    isForward = forward
  }

  /// As readline and libedit say it: `bck:pen`, `bck?pen` where nothing is found.
  var row: String { (isForward ? "fwd" : "bck") + (isFailing ? "?" : ":") + pattern }

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
  mutating func again(in entries: [String]) -> Hit? { find(in: entries, from: min(place, entries.count - 1)) }

  /// The next line that holds the pattern.
  mutating func next(forward: Bool, in entries: [String]) -> Hit? {
    isForward = forward
    return find(in: entries, from: forward ? place + 1 : place - 1)
  }

  private mutating func find(in entries: [String], from start: Int) -> Hit? {
    isFailing = false
    guard !pattern.isEmpty else { return nil }
    let isCaseless = pattern == pattern.lowercased()
    let wanted = Array(pattern.unicodeScalars)
    var index = start
    while entries.indices.contains(index) {
      let entry = isCaseless ? entries[index].lowercased() : entries[index]
      if entry.utf8.count >= pattern.utf8.count, let match = Array(entry.unicodeScalars).firstRange(of: wanted) {
        (place, found) = (index, index)
        return Hit(text: entries[index], offset: min(match.lowerBound, entries[index].unicodeScalars.count))
      }
      index += isForward ? 1 : -1
    }
    isFailing = true
    return nil
  }
}
