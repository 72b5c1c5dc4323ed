/// A part of the line in a colour.
package struct PaintedRange: Sendable, Equatable {
  /// Unicode scalars of the line.
  package var range: Range<Int>
  /// What stands between `ESC [` and `m`: `"1;36"` is bold cyan.
  package var style: String

  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}
