import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Every response names the generation of the market, which stays through a restart and ends with a reset.
@Suite(.timeLimit(Trial.limit)) struct StoredGenerationTests {
  private static func generation(_ market: Market, _ path: String = "/api/products/1") async throws -> String? {
    try await market.get(path).headers["market-generation"]
  }

  @Test func restartAtAnotherPortIsTheSameGeneration() async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var seen: [String?] = []
    for _ in 0..<2 {
      try await Market.with(in: directory) { market in
        seen.append(try await Self.generation(market))
        // A refusal of a route names it too.
        #expect(try await Self.generation(market, "/api/products/x") == seen.last)
      }
    }
    let first = try #require(seen[0])
    #expect(seen[1] == first)
    #expect(first.wholeMatch(of: /[0-9a-f]{16}-open\.1679540400-[0-9a-f]{8}/) != nil, "\(first)")
    // Another edition of the same file has other fields and logins.
    try await Market.with(.training, in: directory) { market in
      let other = try await Self.generation(market, "/api/products/1")
      #expect(other == first.replacing("-open.", with: "-training."))
    }
    try await Market.with { market in
      let other = try await Self.generation(market)
      #expect(other != nil && other != first)
    }
  }

  @Test func eachResetBeginsAnother() async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var seen: [String] = []
    try await Market.with(in: directory, adjust: { $0.copiesBeginning = true }) { market in
      seen.append(try #require(try await Self.generation(market)))
      _ = try await market.server.saveCheckpoint()
      #expect(try await Self.generation(market) == seen[0])
      _ = try await market.server.returnToCheckpoint()
      seen.append(try #require(try await Self.generation(market)))
      _ = try await market.server.returnToBeginning()
      seen.append(try #require(try await Self.generation(market)))
    }
    try await Market.with(in: directory, adjust: { $0.replacesProducts = true }) { market in
      seen.append(try #require(try await Self.generation(market)))
    }
    #expect(Set(seen).count == 4, "\(seen)")
    #expect(Set(seen.map { $0.split(separator: ".")[0] }).count == 1, "\(seen)")
  }
}
