/// A vendor that must exist; `nil` members are generated.
package struct VendorRequest: Hashable, Sendable {
  package var name: String
  package var identifier: String?
  package var secret: String?

  package init(name: String, identifier: String? = nil, secret: String? = nil) {
    self.name = name
    self.identifier = identifier
    self.secret = secret
  }
}
