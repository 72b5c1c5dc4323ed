/// When a write asks first; belongs to a profile.
package enum Confirm: String, Hashable, Sendable, Codable, CaseIterable {
  case always
  /// Deletes, and more than one product.
  case bulk
  case never
}
