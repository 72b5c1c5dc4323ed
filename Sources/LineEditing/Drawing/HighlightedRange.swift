/// A styled range of the line.
package struct HighlightedRange: Sendable, Equatable {
  /// The range in Unicode scalars.
  package var range: Range<Int>
  /// The SGR parameters, between `ESC [` and `m`: `"1;36"` is bold cyan.
  package var style: String

  package init(_ range: Range<Int>, style: String) {
    self.range = range
    self.style = style
  }
}
