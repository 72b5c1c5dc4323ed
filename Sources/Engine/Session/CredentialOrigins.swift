/// Where each of the vendor's credentials came from; nil for one that is not set.
package struct CredentialOrigins: Hashable, Sendable {
  package var identifier: Origin?
  package var secret: Origin?
  package var vendorID: Origin?

  package init() {}
}
