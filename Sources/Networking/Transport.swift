import Foundation

/// A type that sends HTTP requests.
///
/// Tests replace the real one with a recorder, a fault injector or an in-process server.
package protocol Transport: Sendable {
  /// Sends the request and returns the complete response with any status.
  ///
  /// - Throws: `TransportError`, which says why no response arrived and how much of the request the server can have
  ///   seen.
  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response

  /// Called after a response was decoded, with the time that decoding took.
  ///
  /// The default implementation does nothing.
  func decoded(in time: Duration)
}

extension Transport {
  package func decoded(in time: Duration) {}
}
