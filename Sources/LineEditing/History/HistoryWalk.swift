/// Up and Down through earlier lines. What was typed before stands behind the newest of them and comes back.
struct HistoryWalk {
  /// Of the line that is shown; nil for the one being typed.
  private(set) var place: Int?
  private var typed = ""
  /// What the last step showed: as long as it stands untouched, Up and Down go on through the history.
  var shown: EditCore.Line?

  /// The line before; nil where there is none.
  mutating func older(than text: String, in entries: [String]) -> String? {
    let next = (place ?? entries.count) - 1
    guard entries.indices.contains(next) else { return nil }
    jump(to: next, from: text)
    return entries[next]
  }

  /// The line behind; nil behind the one that was being typed.
  mutating func newer(in entries: [String]) -> String? {
    guard let place else { return nil }
    self.place = entries.indices.contains(place + 1) ? place + 1 : nil
    return self.place.map { entries[$0] } ?? typed
  }

  /// Goes on from a line that was found in another way.
  mutating func jump(to place: Int, from text: String) {
    if self.place == nil { typed = text }
    self.place = place
  }
}
