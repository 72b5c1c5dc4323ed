/// A market and the login of writes there.
///
/// Undo, recovery, runs and locks apply only within the same one. The profile is recorded for display: two profiles that lead
/// to one market with one login are the same.
package struct MarketLogin: Sendable {
  package var profile: String
  /// The name of the market in the journal; see `Journal.name(of:)`.
  package var baseURL: String
  /// A name or number of the vendor that isn't a credential, or an empty text without a login.
  package var vendor: String

  package init(profile: String, baseURL: String, vendor: String) {
    self.profile = profile
    self.baseURL = baseURL
    self.vendor = vendor
  }
}

extension MarketLogin: Hashable {
  package static func == (one: MarketLogin, other: MarketLogin) -> Bool {
    one.baseURL == other.baseURL && one.vendor == other.vendor
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(baseURL)
    hasher.combine(vendor)
  }
}
