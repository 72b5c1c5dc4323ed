/// The products of a new market.
package enum InitialProducts: Sendable {
  /// The sample products.
  case sample
  case none
  case listed([InitialProduct])

  var isSample: Bool { if case .sample = self { true } else { false } }
}
