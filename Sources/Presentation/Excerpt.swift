import Catalog
import Text

/// A line and a place in it, for marks under it.
package struct Excerpt: Hashable, Sendable {
  package var line: String
  /// In Unicode scalars of the line.
  package var range: Range<Int>

  package init(_ line: String, _ range: Range<Int>) {
    self.line = line
    self.range = range
  }

  /// The line, or as much of it around the place as there is room for, and the marks below; each begins with two spaces.
  func lines(_ options: RenderOptions) -> [String] {
    let scalars = line.unicodeScalars.map { Excerpt.harmless($0) }
    let place = range.clamped(to: 0..<scalars.count)
    let room = options.lineWidth.map { max(8, $0 - 2) } ?? .max
    let columns = Excerpt.columns(of: scalars, options.cells)
    var start = 0
    // Two thirds of the room stand before the place, so that what led to it is seen.
    while columns[place.lowerBound] - columns[start] > room / 3 * 2 { start += 1 }
    var end = start
    while end < scalars.count, columns[end + 1] - columns[start] <= room { end += 1 }
    let before = columns[place.lowerBound] - columns[start]
    let shown = place.clamped(to: start..<end)
    let marked = max(1, min(columns[shown.upperBound] - columns[shown.lowerBound], room - before))
    let marks = Styling.paint(String(repeating: "^", count: max(1, marked)), .red, options)
    return [
      "  " + scalars[start..<end].map { String($0) }.joined(), "  " + String(repeating: " ", count: before) + marks,
    ]
  }

  /// How many cells stand before each scalar, and last before the end: a long line is measured once.
  private static func columns(of scalars: [Unicode.Scalar], _ cells: CellWidth) -> [Int] {
    var columns = [0]
    columns.reserveCapacity(scalars.count + 1)
    var sum = 0
    for scalar in scalars {
      sum += cells.of(scalar)
      columns.append(sum)
    }
    return columns
  }

  /// What acts on a terminal or hides in it stands as a dot.
  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar { scalar.isVisible ? scalar : "." }
}
