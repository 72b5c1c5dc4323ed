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
