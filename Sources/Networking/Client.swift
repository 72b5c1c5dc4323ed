/// Sends the endpoints of one service through a transport.
package struct Client<API: Service>: Sendable {
  package var service: API
  package var transport: any Transport
  package var deadline: Duration

  package init(_ service: API, through transport: any Transport, deadline: Duration = .seconds(30)) {
    self.service = service
    self.transport = transport
    self.deadline = deadline
  }

  package func send<E: Endpoint>(_ endpoint: E) async throws -> E.Answer where E.API == API {
    let reply = try await transport.send(try endpoint.request(to: service), to: service.baseURL, deadline: deadline)
    guard let stopwatch = transport as? any DecodingWitness else {
      return try endpoint.answer(from: reply, of: service)
    }
    let start = ContinuousClock.now
    defer { stopwatch.decoded(in: start.duration(to: .now)) }
    return try endpoint.answer(from: reply, of: service)
  }
}
