/// The navigation through earlier lines with Up and Down.
///
/// The typed text follows the newest line and is restored there.
///
/// The typed text selects the lines: those that begin with it, else those that contain it, else all.
struct HistoryNavigator {
  /// The index of the line that is shown, or `nil` for the one being typed.
  private(set) var place: Int?
  private var typed = ""
  /// The selection, or `nil` for all lines.
  private var chosen: Choosing?
  /// The indices of the lines that Up has shown, newest first.
  ///
  /// Each text is shown once.
  private var passed: [Int] = []
  private var seen: Set<String> = []
  /// Indicates whether the navigation started at a line that a search had found.
  private var isFound = false
  /// The line that the last step showed.
  ///
  /// While it is unchanged, Up and Down continue through the history.
  var shown: EditedLine?

  private enum Choosing {
    case prefix, substring
  }

  /// Returns the next older line that was not shown yet, or `nil`.
  mutating func older(than text: String, in entries: [String]) -> String? {
    if place == nil { choose(by: text, in: entries) }
    guard let next = next(before: place ?? entries.count, in: entries) else { return nil }
    if let place { seen.insert(entries[place]) } else { typed = text }
    place = next
    passed.append(next)
    seen.insert(entries[next])
    return entries[next]
  }

  /// Returns the next newer line or the typed text, or `nil` after that.
  mutating func newer(in entries: [String]) -> String? {
    guard let place else { return nil }
    if passed.last == place { passed.removeLast() }
    seen.remove(entries[place])
    if let last = passed.last {
      self.place = last
    } else {
      // The line after the one that a search has found.
      self.place = isFound ? (place + 1..<max(entries.count, place + 1)).first { entries[$0] != entries[place] } : nil
    }
    return self.place.map { entries[$0] } ?? typed
  }

  /// Continues from a line that a search has found.
  mutating func jump(to place: Int, from text: String) {
    if self.place == nil { typed = text }
    (self.place, chosen, passed, seen, isFound) = (place, nil, [], [], true)
  }

  private mutating func choose(by text: String, in entries: [String]) {
    (typed, chosen, passed, seen, isFound) = (text, nil, [], [], false)
    if text.isEmpty { return }
    for choosing in [Choosing.prefix, .substring] {
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
    // The typed line itself is not shown again.
    if entry == typed { return false }
    return switch chosen {
    case .prefix: entry.utf8.starts(with: typed.utf8)
    case .substring: entry.contains(typed)
    }
  }
}
