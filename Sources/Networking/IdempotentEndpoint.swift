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
