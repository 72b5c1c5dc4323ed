/// A page by number and size, chosen so that a place in the list lies near its middle: what stood at the edge of one
/// page stands inside another.
struct PageWindow: Hashable, Sendable {
  var number: Int
  var size: Int

  /// Wider from round to round: a list that moved far is caught all the same.
  static func sizes(inRound round: Int) -> ClosedRange<Int> {
    switch round {
    case 0: 50...150
    case 1: 150...300
    case 2: 300...600
    default: 600...1000
    }
  }

  /// The window whose middle is nearest to `position`, rows counted from 0.
  static func around(_ position: Int, sizes: ClosedRange<Int>) -> PageWindow {
    var best = PageWindow(number: 1, size: sizes.upperBound)
    var distance = Int.max
    for size in sizes {
      let off = abs(position % size - size / 2)
      guard off < distance else { continue }
      best = PageWindow(number: position / size + 1, size: size)
      distance = off
    }
    return best
  }

  /// How many rows stand above its first one; a server may give another number of rows than was asked for.
  func offset(rows: Int?) -> Int { (number - 1) * (rows ?? size) }
}
