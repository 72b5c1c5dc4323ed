/// A page number and a page size, chosen so that a given position in the list is near the middle of the page.
///
/// Rows at the edge of one page are then inside another.
struct PageWindow: Hashable, Sendable {
  var number: Int
  var size: Int

  /// Returns the page sizes to choose from.
  ///
  /// They grow from round to round, so that rows are found even if the list moved far.
  static func sizes(inRound round: Int) -> ClosedRange<Int> {
    switch round {
    case 0: 50...150
    case 1: 150...300
    case 2: 300...600
    default: 600...1000
    }
  }

  /// Returns the window whose middle is nearest to `position`, a row counted from 0.
  static func centered(_ position: Int, sizes: ClosedRange<Int>) -> PageWindow {
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

  /// Returns the number of rows above the first row of the window.
  ///
  /// A server may use another page size than the requested one.
  func rowOffset(rows: Int?) -> Int { (number - 1) * (rows ?? size) }
}
