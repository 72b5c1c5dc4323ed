import Foundation

/// Tells an observer of every exchange, attempt by attempt when it stands below the retries.
package struct ObservedTransport: DecodingWitness {
  private let transport: any Transport
  private let observe: @Sendable (Exchange) -> Void

  package init(_ transport: any Transport, observe: @escaping @Sendable (Exchange) -> Void) {
    self.transport = transport
    self.observe = observe
  }

  package func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Reply {
    let start = ContinuousClock.now
    func tell(_ outcome: Result<Reply, TransportFailure>) {
      observe(Exchange(request: request, base: base, outcome: outcome, duration: start.duration(to: .now)))
    }
    do {
      let reply = try await transport.send(request, to: base, with: options)
      tell(.success(reply))
      return reply
    } catch {
      let failure =
        error as? TransportFailure ?? TransportFailure(.other(String(describing: error)), extent: .whole)
      tell(.failure(failure))
      throw failure
    }
  }

  package func decoded(in time: Duration) { (transport as? any DecodingWitness)?.decoded(in: time) }
}
