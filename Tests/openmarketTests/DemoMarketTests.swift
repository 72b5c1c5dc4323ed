import Foundation
import MarketAPI
import TestSupport
import Testing

@testable import openmarket

/// The built-in market of a home.
@Suite(.timeLimit(Trial.limit)) struct DemoMarketTests {
  /// Addresses that were copied from an earlier session stay valid, unless two sessions run at a time.
  @Test func addressIsKept() async throws {
    let folder = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let first = DemoMarket(folder: folder)
    let url = try await first.baseURL(.open)
    let second = DemoMarket(folder: folder)
    #expect(try await second.baseURL(.open) != url)
    await second.stop()
    await first.stop()
    let third = DemoMarket(folder: folder)
    #expect(try await third.baseURL(.open) == url)
    #expect(try await third.baseURL(.camp1) != url)
    await third.stop()
    // A damaged file is no reason not to start.
    try "port".write(toFile: folder + "/port-open", atomically: true, encoding: .utf8)
    let fourth = DemoMarket(folder: folder)
    _ = try await fourth.baseURL(.open)
    await fourth.stop()
  }
}
