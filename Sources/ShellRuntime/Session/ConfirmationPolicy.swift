/// The profile's setting for confirmations.
package enum ConfirmationPolicy: String, Hashable, Sendable, CaseIterable {
  case always
  /// Deletes, and changes of more than one product.
  case bulk
  case never
}
