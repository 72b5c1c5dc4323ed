import Foundation
import Pacing
import Synchronization
import Testing

@testable import EmbeddedMarket

/// Requests that fail because `--fail` was given.
@Suite(.serialized, .timeLimit(Trial.limit)) struct FaultTests {
  @Test(arguments: [
    (ServedEdition.open, "/api/products/1", #"503 {"code":503,"message":"Service Unavailable, as --fail asks for"}"#),
    (.camp1, "/item/1", #"503 {"error":true,"reason":"Service Unavailable, as --fail asks for"}"#),
  ])
  func aPartOfThemDoNothing(_ edition: ServedEdition, _ path: String, _ refusal: String) async throws {
    let chances = Mutex([0.29, 0.3, 0.99])
    let chance = { @Sendable in chances.withLock { $0.removeFirst() } }
    try await Market.with(edition, faults: FaultInjection(failureRate: 0.3, generator: chance)) { market in
      var lines: [String] = []
      for _ in 0..<3 { lines.append(try await market.ask("DELETE", path, body: Data("{}".utf8)).line) }
      #expect(lines[0] == refusal)
      #expect(lines[1] == lines[2] && lines[1] != refusal)
      // The document is not affected: no random number is left for it.
      let document = try await market.get("/openapi.json")
      #expect(document.status == 200)
    }
  }
}
