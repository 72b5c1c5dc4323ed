import Marketplace
import Networking

/// The vendor who is logged in at the embedded market from the start; handed in by the executable, which knows the server.
package struct DemoLogin: Hashable, Sendable {
  package var credentials: Credentials
  package var origins: CredentialOrigins

  package init(identifier: String, secret: String, vendorID: Int) {
    credentials = Credentials(identifier: identifier, secret: Secret(secret), vendorID: vendorID)
    origins = CredentialOrigins()
    origins.identifier = .standard
    origins.secret = .standard
    origins.vendorID = .standard
  }
}
