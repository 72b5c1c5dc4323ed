import MarketAPI
import Networking

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
