import Networking

/// Who we are at a market: the vendor's identifier and secret, or for the camp editions the password of our products.
package struct Credentials: Hashable, Sendable {
  package var identifier: String?
  package var secret: Secret?
  package var vendorID: Int?

  package init(identifier: String? = nil, secret: Secret? = nil, vendorID: Int? = nil) {
    self.identifier = identifier
    self.secret = secret
    self.vendorID = vendorID
  }

  /// What a write may lack.
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case identifier
    case secret
  }

  /// Variables that a curl line reads the parts from.
  package static let identifierVariable = "OPENMARKET_IDENTIFIER"
  package static let secretVariable = "OPENMARKET_SECRET"
  package static let ticketVariable = "OPENMARKET_DELETE_TOKEN"
}
