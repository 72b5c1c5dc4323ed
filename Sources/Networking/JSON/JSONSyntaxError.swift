/// The error for a text that is not JSON, or that is nested too deeply.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The offset in bytes at which parsing failed.
  package var offset: Int
  package var isTooDeep: Bool

  package init(offset: Int, isTooDeep: Bool = false) {
    self.offset = offset
    self.isTooDeep = isTooDeep
  }
}
