import MarketAPI
import Networking

/// The initial login of the embedded market.
///
/// The executable, which knows the server, passes it.
package struct DemoLogin: Hashable, Sendable {
  package var credentials: Credentials
  package var origins: CredentialOrigins

  package init(identifier: String, secret: String, vendorID: Int) {
    credentials = Credentials(identifier: identifier, secret: Secret(secret), vendorID: vendorID)
    origins = CredentialOrigins()
    origins.identifier = .default
    origins.secret = .default
    origins.vendorID = .default
  }
}

/// A vendor of the embedded market, whose secret is no secret to the user: the market is inside the program.
package struct EmbeddedVendor: Hashable, Sendable {
  package let number: Int
  package let name: String
  package let credentials: Credentials

  package init(number: Int, name: String, identifier: String, secret: String) {
    self.number = number
    self.name = name
    credentials = Credentials(identifier: identifier, secret: Secret(password: secret), vendorID: number)
  }
}
