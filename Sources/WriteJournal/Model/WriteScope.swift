/// The market and vendor of a write.
///
/// Undo, recovery and locks apply only within the same ones.
package struct WriteScope: Hashable, Sendable {
  package var profile: String
  package var baseURL: String
  /// A name or number of the vendor that isn't a credential, or an empty text without a login.
  package var vendor: String

  package init(profile: String, baseURL: String, vendor: String) {
    self.profile = profile
    self.baseURL = baseURL
    self.vendor = vendor
  }
}
