/// The origin of each credential, or `nil` for one that isn't set.
package struct CredentialOrigins: Hashable, Sendable {
  package var identifier: Origin?
  package var secret: Origin?
  package var vendorID: Origin?

  package init() {}
}
