/// The result of one check made by a command: the expected and the actual value.
package struct CheckResult: Hashable, Sendable {
  package var name: String
  package var expected: String
  package var seen: String
  package var isMet: Bool

  package init(name: String, expected: String, seen: String, isMet: Bool) {
    self.name = name
    self.expected = expected
    self.seen = seen
    self.isMet = isMet
  }
}
