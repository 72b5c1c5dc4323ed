/// Which market and vendor a write belongs to: undo, recovery and holds never cross from one to another.
package struct Binding: Hashable, Sendable, Codable {
  package var profile: String
  package var baseURL: String
  /// A name or number for the vendor that is no credential; empty when nobody is logged in.
  package var vendor: String

  package init(profile: String, baseURL: String, vendor: String) {
    self.profile = profile
    self.baseURL = baseURL
    self.vendor = vendor
  }
}
