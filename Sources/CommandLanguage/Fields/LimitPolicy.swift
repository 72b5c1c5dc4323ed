/// The component that enforces the documented limits: this program before sending, or the server (`set limits
/// documented|server`).
package enum LimitPolicy: String, Hashable, Sendable, CaseIterable {
  case documented
  case server
}
