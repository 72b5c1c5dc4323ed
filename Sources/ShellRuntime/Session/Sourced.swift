/// A value with its origin, so that `session` can show both.
package struct Sourced<Value> {
  package var value: Value
  package var origin: Origin

  package init(_ value: Value, _ origin: Origin) {
    self.value = value
    self.origin = origin
  }
}

extension Sourced: Equatable where Value: Equatable {}

extension Sourced: Hashable where Value: Hashable {}

extension Sourced: Sendable where Value: Sendable {}
