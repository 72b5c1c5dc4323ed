import Catalog

/// The component that enforces the documented limits: this program before sending, or the server (`set limits
/// documented|server`).
package enum LimitPolicy: String, Hashable, Sendable, CaseIterable {
  case documented
  case server

  /// The number of pictures of a new product.
  package var pictureCount: ClosedRange<Int> { self == .server ? 0...1000 : DocumentedLimits.pictures }
}
