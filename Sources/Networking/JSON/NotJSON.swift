/// The text is no JSON, or is nested deeper than anyone's answer.
package struct NotJSON: Error, Hashable, Sendable {
  /// Where it stopped making sense, in bytes from the start.
  package var offset: Int
  package var isTooDeep: Bool

  package init(offset: Int, isTooDeep: Bool = false) {
    self.offset = offset
    self.isTooDeep = isTooDeep
  }
}
