import Foundation
import Networking

/// A server, its edition and the credentials to use.
package struct MarketService: Service {
  package var baseURL: URL
  package var edition: Edition
  package var credentials: Credentials?

  package init(_ baseURL: URL, edition: Edition, credentials: Credentials? = nil) {
    self.baseURL = baseURL
    self.edition = edition
    self.credentials = credentials
  }
}
