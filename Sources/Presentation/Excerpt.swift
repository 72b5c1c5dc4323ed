import Catalog

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
    var start = 0
    // Two thirds of the room stand before the place, so that what led to it is seen.
    while width(scalars[start..<place.lowerBound], options) > room / 3 * 2 { start += 1 }
    var end = start
    while end < scalars.count, width(scalars[start...end], options) <= room { end += 1 }
    let before = width(scalars[start..<place.lowerBound], options)
    let marked = max(1, min(width(scalars[place.clamped(to: start..<max(start, end))], options), room - before))
    let marks = Styling.paint(String(repeating: "^", count: max(1, marked)), .red, options)
    return [
      "  " + scalars[start..<end].map { String($0) }.joined(), "  " + String(repeating: " ", count: before) + marks,
    ]
  }

  private func width(_ scalars: ArraySlice<Unicode.Scalar>, _ options: RenderOptions) -> Int {
    scalars.reduce(0) { $0 + options.cells.of($1) }
  }

  /// What acts on a terminal or hides in it stands as a dot.
  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: "."
    default: scalar
    }
  }
}
