import Foundation

/// The seam: sends one request once and brings the whole answer, or throws `TransportFailure`.
///
/// Real ones talk HTTP; tests put a recorder, a fault or an in-process server here.
package protocol Transport: Sendable {
  /// - Parameter deadline: for the whole exchange, from resolving the name to the last byte of the answer.
  func send(_ request: Request, to base: URL, deadline: Duration) async throws -> Reply
}
