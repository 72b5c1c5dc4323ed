import Text

/// A line with a range that is marked below it.
package struct Excerpt: Hashable, Sendable {
  package var line: String
  /// The range in Unicode scalars.
  package var range: Range<Int>

  package init(_ line: String, _ range: Range<Int>) {
    self.line = line
    self.range = range
  }

  /// Returns the line, or the part around the range that fits, and the marks below it, both indented by two spaces.
  func lines(_ options: RenderOptions) -> [String] {
    let scalars = line.unicodeScalars.map { Excerpt.sanitized($0) }
    let target = range.clamped(to: 0..<scalars.count)
    let room = options.lineWidth.map { max(8, $0 - 2) } ?? .max
    let columns = Excerpt.columns(of: scalars, options.cells)
    var start = 0
    // Two thirds of the width are before the range, so that the preceding text is visible.
    while columns[target.lowerBound] - columns[start] > room / 3 * 2 { start += 1 }
    var end = start
    while end < scalars.count, columns[end + 1] - columns[start] <= room { end += 1 }
    let before = columns[target.lowerBound] - columns[start]
    let shown = target.clamped(to: start..<end)
    let marked = max(1, min(columns[shown.upperBound] - columns[shown.lowerBound], room - before))
    let marks = Styling.paint(String(repeating: "^", count: max(1, marked)), .red, options: options)
    return [
      "  " + scalars[start..<end].map { String($0) }.joined(), "  " + String(repeating: " ", count: before) + marks,
    ]
  }

  /// Returns the column of each scalar and of the end, so that a long line is measured once.
  private static func columns(of scalars: [Unicode.Scalar], _ cells: WidthMeasurer) -> [Int] {
    var columns = [0]
    columns.reserveCapacity(scalars.count + 1)
    var sum = 0
    for scalar in scalars {
      sum += cells.of(scalar)
      columns.append(sum)
    }
    return columns
  }

  /// Returns a period for an invisible or control character.
  private static func sanitized(_ scalar: Unicode.Scalar) -> Unicode.Scalar { scalar.isPrintable ? scalar : "." }
}
