import Foundation

/// An API at a base URL.
package protocol Service: Sendable {
  /// The scheme, host, port and base path.
  ///
  /// The path of each request is appended to it.
  var baseURL: URL { get }
}
