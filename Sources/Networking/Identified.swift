/// An endpoint whose request carries the id of our own operation, so that a server that knows such headers can drop a
/// double, and one that does not can still be searched for it.
package struct Identified<Call: Endpoint>: Endpoint {
  package var call: Call
  package var operation: String

  package init(_ call: Call, operation: String) {
    self.call = call
    self.operation = operation
  }

  package func request(to service: Call.API) throws -> Request {
    var request = try call.request(to: service)
    request.headers += [Header("Idempotency-Key", operation), Header("X-Request-Id", operation)]
    return request
  }

  package func answer(from reply: Reply, of service: Call.API) throws -> Call.Answer {
    try call.answer(from: reply, of: service)
  }
}
