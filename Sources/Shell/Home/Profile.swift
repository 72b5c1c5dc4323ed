import Foundation

/// A named place to work, as kept in `profiles.toml`.
package struct Profile: Hashable, Sendable, Codable {
  /// Absent for the embedded market.
  package var url: String?
  package var api: String?
  package var confirm: Confirm?
  package var access: Access?
  package var vendorID: Int?
  /// Seconds within which a write may still take effect after we gave up on it.
  package var settle: Int?

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

  enum CodingKeys: String, CodingKey {
    case url, api, confirm, access, settle
    case vendorID = "vendor_id"
  }
}
