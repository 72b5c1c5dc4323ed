import Foundation

/// One call of an API as a value: how it is asked and how its answer is read. Sending is someone else's business.
///
/// `API` ties it to its service: a weather endpoint cannot be sent to a market, it does not compile.
package protocol Endpoint<Answer>: Sendable {
  associatedtype API: Service
  associatedtype Answer: Sendable
  /// What is sent to the service.
  ///
  /// - Throws: the service's own error for a call that it does not know, or that lacks a credential; nothing was sent
  ///   then.
  func request(to service: API) throws -> Request
  /// Reads a complete answer, of any status.
  ///
  /// - Throws: the service's own error for a status that is no success, or a body that cannot be understood.
  func answer(from reply: Reply, of service: API) throws -> Answer
}

/// An API at an address.
package protocol Service: Sendable {
  /// Scheme, host, port, and the path that every request's own stands behind.
  var baseURL: URL { get }
}

/// Sends the endpoints of one service through a transport.
package struct Client<API: Service>: Sendable {
  package var service: API
  package var transport: any Transport
  package var options: SendOptions

  package init(_ service: API, through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.service = service
    self.transport = transport
    self.options = options
  }

  /// The answer of a call, sent once; whoever measures is told how long it took to be read.
  ///
  /// - Throws: what the endpoint throws before and after, and `TransportFailure` where no complete answer came; its
  ///   `extent` says whether the server can have seen the request.
  package func send<E: Endpoint>(_ endpoint: E) async throws -> E.Answer where E.API == API {
    let reply = try await transport.send(try endpoint.request(to: service), to: service.baseURL, with: options)
    let start = ContinuousClock.now
    defer { transport.decoded(in: start.duration(to: .now)) }
    return try endpoint.answer(from: reply, of: service)
  }
}

/// A complete answer: status, headers and the whole body within its cap.
package struct Reply: Hashable, Sendable {
  package var status: Int
  package var headers: [Header]
  package var body: Data
  /// Nil where the answer did not come over a wire.
  package var course: WireTiming?

  package init(status: Int, headers: [Header] = [], body: Data = Data(), course: WireTiming? = nil) {
    self.status = status
    self.headers = headers
    self.body = body
    self.course = course
  }

  package var meaning: StatusMeaning { StatusMeaning(status) }

  /// Any 2xx.
  package var isSuccess: Bool { meaning == .carriedOut }

  /// The first header of that name, whatever its case.
  package func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }
}

/// An endpoint whose request carries the id of our own operation, so that a server that knows such headers can drop a
/// double, and one that does not can still be searched for it.
package struct Identified<Call: Endpoint>: Endpoint {
  package var call: Call
  package var operation: String

  package init(_ call: Call, operation: String) {
    self.call = call
    self.operation = operation
  }

  /// - Throws: what the call throws.
  package func request(to service: Call.API) throws -> Request {
    var request = try call.request(to: service)
    request.headers += [Header("Idempotency-Key", operation), Header("X-Request-Id", operation)]
    return request
  }

  /// - Throws: what the call throws.
  package func answer(from reply: Reply, of service: Call.API) throws -> Call.Answer {
    try call.answer(from: reply, of: service)
  }
}

/// What a complete answer's status says about its request: was it carried out, or certainly not?
///
/// The one table for writes of products, raw requests, deletions and the proof of a login (RFC 9110, section 15; 429 is of
/// RFC 6585, section 4).
package enum StatusMeaning: Hashable, Sendable {
  /// 2xx.
  case carriedOut
  /// 3xx: it belongs elsewhere, and is not sent there by itself.
  case redirected
  /// 4xx but 408 and 429: a complete no, nothing was done.
  case refused
  /// 429: not processed now, and may be sent later.
  case tooMany
  /// 408, 5xx and what is no final status: whether it was carried out cannot be told.
  case unclear

  package init(_ status: Int) {
    self =
      switch status {
      case 200..<300: .carriedOut
      case 300..<400: .redirected
      case 408: .unclear
      case 429: .tooMany
      case 400..<500: .refused
      default: .unclear
      }
  }
}
