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

  package func send<E: Endpoint>(_ endpoint: E) async throws -> E.Answer where E.API == API {
    let reply = try await transport.send(try endpoint.request(to: service), to: service.baseURL, with: options)
    guard let stopwatch = transport as? any DecodingWitness else {
      return try endpoint.answer(from: reply, of: service)
    }
    let start = ContinuousClock.now
    defer { stopwatch.decoded(in: start.duration(to: .now)) }
    return try endpoint.answer(from: reply, of: service)
  }
}
