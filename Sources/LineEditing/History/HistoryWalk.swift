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
