import Foundation

/// An API at an address.
package protocol Service: Sendable {
  var baseURL: URL { get }
}
