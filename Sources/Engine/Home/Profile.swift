import Foundation
import Journal
import Weather

/// A named place to work, as kept in `profiles.toml`.
package struct Profile: Hashable, Sendable {
  /// Absent for the embedded market.
  package var url: String?
  package var api: String?
  package var confirm: Confirm?
  package var access: Access?
  package var vendorID: Int?
  /// Seconds within which a write may still take effect after we gave up on it.
  package var settle: Int?
  /// Seconds that an answer is waited for; for a write that is the least.
  package var timeout: Int?
  /// `http://HOST:PORT`
  package var proxy: String?
  /// A file of certificates that are trusted besides the system's.
  package var ca: String?
  package var verify: Verification?
  /// Where `weather` looks when no place is named.
  package var place: Weather.Place?
  /// Points by the names that were given to them.
  package var places: [String: Weather.Place]?

  package init(
    url: String? = nil, api: String? = nil, confirm: Confirm? = nil, access: Access? = nil, vendorID: Int? = nil,
    settle: Int? = nil
  ) {
    self.url = url
    self.api = api
    self.confirm = confirm
    self.access = access
    self.vendorID = vendorID
    self.settle = settle
  }
}
