import Foundation

/// A client of one service: sends its endpoints through a transport.
package struct Client<API: Service>: Sendable {
  package var service: API
  package var transport: any Transport
  package var options: SendOptions

  package init(_ service: API, through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.service = service
    self.transport = transport
    self.options = options
  }

  /// Sends the call once and decodes its response, in the charset that it names if it isn't UTF-8.
  ///
  /// The transport is informed of the time that decoding took.
  ///
  /// - Parameters:
  ///   - endpoint: The call.
  ///   - operation: The identifier of a write, sent as `Idempotency-Key` and `X-Request-Id`. A server that supports these
  ///     fields can drop a duplicate; for one that doesn't, it lets the client search for the product.
  /// - Returns: The decoded response.
  /// - Throws: The errors of the endpoint, or `TransportError` if no complete response arrived; its `extent` says
  ///   whether the server can have seen the request.
  package func send<E: Endpoint>(_ endpoint: E, operation: String? = nil) async throws -> E.Output
  where E.API == API {
    var request = try endpoint.makeRequest(to: service)
    if let operation {
      request.headers += [HeaderField("Idempotency-Key", operation), HeaderField("X-Request-Id", operation)]
    }
    let response = try await transport.send(request, to: service.baseURL, with: options)
    let start = ContinuousClock.now
    defer { transport.decoded(in: start.duration(to: .now)) }
    return try endpoint.decode(from: response.inUTF8, of: service)
  }
}

/// One API call as a value: how to make its request and how to decode its response.
///
/// A `Client` sends it.
///
/// `API` ties the endpoint to its service: sending a weather endpoint to a market does not compile.
package protocol Endpoint<Output>: Sendable {
  associatedtype API: Service
  associatedtype Output: Sendable
  /// Makes the request for this call.
  ///
  /// - Throws: The service's own error if the service does not support the call or a credential is missing. Nothing was
  ///   sent then.
  func makeRequest(to service: API) throws -> Request
  /// Decodes a complete response with any status.
  ///
  /// - Throws: The service's own error if the status is not a success or the body cannot be decoded.
  func decode(from response: Response, of service: API) throws -> Output
}

/// An API at a base URL.
package protocol Service: Sendable {
  /// The scheme, host, port and base path.
  ///
  /// The path of each request is appended to it.
  var baseURL: URL { get }
}
