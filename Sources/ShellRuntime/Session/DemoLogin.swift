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
