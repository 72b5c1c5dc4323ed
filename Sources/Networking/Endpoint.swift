import Foundation

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
  func decode(from reply: Response, of service: API) throws -> Output
}

/// An API at a base URL.
package protocol Service: Sendable {
  /// The scheme, host, port and base path.
  ///
  /// The path of each request is appended to it.
  var baseURL: URL { get }
}

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

  /// Sends the call once and decodes its response.
  ///
  /// The transport is informed of the time that decoding took.
  ///
  /// - Throws: The errors of the endpoint, or `TransportError` if no complete response arrived; its `extent` says
  ///   whether the server can have seen the request.
  package func send<E: Endpoint>(_ endpoint: E) async throws -> E.Output where E.API == API {
    let reply = try await transport.send(try endpoint.makeRequest(to: service), to: service.baseURL, with: options)
    let start = ContinuousClock.now
    defer { transport.decoded(in: start.duration(to: .now)) }
    return try endpoint.decode(from: reply, of: service)
  }
}

/// A complete HTTP response: status, header fields and the body, which is within the request's limit.
package struct Response: Hashable, Sendable {
  package var status: Int
  package var headers: [HeaderField]
  package var body: Data
  /// The timing of the exchange, or `nil` for a response that was not received over a network.
  package var timing: ExchangeMetrics?

  package init(status: Int, headers: [HeaderField] = [], body: Data = Data(), timing: ExchangeMetrics? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.timing = timing
  }

  package var statusClass: StatusClass { StatusClass(status) }

  /// Indicates whether the status is 2xx.
  package var isSuccess: Bool { statusClass == .success }

  /// Returns the value of the first header field with this name, regardless of case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }
}

/// An endpoint that adds an operation identifier to its request as `Idempotency-Key` and `X-Request-Id`.
///
/// A server that supports these fields can drop a duplicate; for one that does not, the identifier lets the client
/// search for the product.
package struct IdempotentEndpoint<Call: Endpoint>: Endpoint {
  package var call: Call
  package var operation: String

  package init(_ call: Call, operation: String) {
    self.call = call
    self.operation = operation
  }

  package func makeRequest(to service: Call.API) throws -> Request {
    var request = try call.makeRequest(to: service)
    request.headers += [HeaderField("Idempotency-Key", operation), HeaderField("X-Request-Id", operation)]
    return request
  }

  package func decode(from reply: Response, of service: Call.API) throws -> Call.Output {
    try call.decode(from: reply, of: service)
  }
}

/// The class of a status code, by what it says about the request: carried out, certainly not, or unknown.
///
/// The only such table, used for product writes, raw requests, deletions and login checks (RFC 9110 section 15; 429 is
/// RFC 6585 section 4).
package enum StatusClass: Hashable, Sendable {
  /// 2xx.
  case success
  /// 3xx: the request belongs to another URL.
  ///
  /// Redirects are not followed.
  case redirection
  /// 4xx except 408 and 429: a final rejection; nothing was done.
  case clientError
  /// 429: not processed now; the request may be sent again later.
  case tooManyRequests
  /// 408, 5xx and every status that is not final: unknown whether the request was carried out.
  case indeterminate

  package init(_ status: Int) {
    self =
      switch status {
      case 200..<300: .success
      case 300..<400: .redirection
      case 408: .indeterminate
      case 429: .tooManyRequests
      case 400..<500: .clientError
      default: .indeterminate
      }
  }
}
