/// A value and where it came from, so that `session` can say both.
package struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
  package var value: Value
  package var origin: Origin

  package init(_ value: Value, _ origin: Origin) {
    self.value = value
    self.origin = origin
  }
}
