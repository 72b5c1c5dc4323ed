import Foundation
import Networking

/// A market at an address, in one edition of the API, with whom we are there.
package struct Market: Service {
  package var baseURL: URL
  package var edition: Edition
  package var credentials: Credentials?

  package init(_ baseURL: URL, edition: Edition, credentials: Credentials? = nil) {
    self.baseURL = baseURL
    self.edition = edition
    self.credentials = credentials
  }
}
