import Catalog

/// A journaled write while it is being executed.
struct PendingWrite: Hashable, Sendable {
  var entryID: Int
  var operation: String
  var change: Change
  /// The value of `Plan.dependsOnObservedState`.
  var isRelative = false
  /// A Boolean value that indicates that the user wants another product like one created earlier.
  var isAnother = false
  var state: WriteStateMachine.State
  /// A Boolean value that indicates an attempt with an unknown outcome that hasn't been resolved.
  var isOutcomeUnknown = false
  /// A Boolean value that indicates a create with an earlier attempt that may have been sent completely.
  var mayHaveLeft = false
  /// A Boolean value that indicates that the user checked the market and approved sending it again.
  var isResendApproved = false
  var attempt: Int
  var known: [Product.ID]
  var detail: String
  /// The product that the server named in its response to an `acknowledged` create.
  var respondedID: Product.ID?
  /// The time when the last bytes of a create's last attempt were sent.
  var leftAt: Timestamp?
  /// The product before the write, stored indirectly, because most writes of a long batch haven't been checked yet.
  var image: IndirectProduct?

  /// The product directly before the write, or `nil` if it hasn't been read yet.
  var before: Product? {
    get { if case .product(let product) = image { product } else { nil } }
    set { image = newValue.map(IndirectProduct.product) }
  }

  indirect enum IndirectProduct: Hashable, Sendable {
    case product(Product)
  }
}

/// A market where writes are left open, by the name of the profile or address they were written from.
package struct PendingDestination: Hashable, Sendable {
  package let profile: String
  package let baseURL: String
  package var count: Int
}

/// The pending writes that are resolved before a command decides which work remains.
struct SettleScope {
  var source: String?
  var line: String?
  var hasUndos = false
}
