import Foundation
import MarketAPI
import Presentation
import TestSupport
import Testing
import Text

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
    #expect(second.takeNotice() == nil)
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

  /// A port that another program has is said once, with the address in its place.
  @Test func otherAddressIsSaidOnce() async throws {
    let folder = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    let other = NSTemporaryDirectory() + "openmarket-" + UUID().uuidString
    defer { for path in [folder, other] { try? FileManager.default.removeItem(atPath: path) } }
    let program = DemoMarket(folder: other)
    let port = try #require(try await program.baseURL(.open).port)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "\(port)\n".write(toFile: folder + "/port-open", atomically: true, encoding: .utf8)
    let market = DemoMarket(folder: folder)
    let url = try await market.baseURL(.open)
    #expect(url.port != port)
    let notice = try #require(market.takeNotice())
    #expect(
      notice.what.english.plain
        == "Another program uses port \(port). The URL of the built-in market is \(url.absoluteString) in this session."
    )
    #expect(market.takeNotice() == nil)
    await program.stop()
    await market.stop()
    // The next session has the first address again.
    let next = DemoMarket(folder: folder)
    #expect(try await next.baseURL(.open).port == port && next.takeNotice() == nil)
    await next.stop()
  }
}
