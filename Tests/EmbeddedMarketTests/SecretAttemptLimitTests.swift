import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Guesses of secrets.
@Suite(.timeLimit(Trial.limit)) struct SecretAttemptLimitTests {
  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let start = ContinuousClock.now
    private let offset = Mutex(Duration.zero)
    var now: ContinuousClock.Instant { start + offset.withLock { $0 } }
    func advance(_ time: Duration) { offset.withLock { $0 += time } }
  }

  private func call(_ address: String, connection: Int? = nil) -> RequestContext {
    var call = RequestContext(base: "", target: "", query: QueryParameters(""), headers: [:], names: [:], body: .init())
    call.client.address = address
    call.connection = connection
    return call
  }

  private func status(
    _ limit: SecretAttemptLimit, _ isRight: Bool, _ address: String = "192.0.2.1", connection: Int? = nil,
    of owner: String = "vendor 3"
  ) -> Int {
    do {
      try limit.check(isRight, of: owner, call(address, connection: connection), wrong: .wrongSecret)
      return 200
    } catch {
      return error.status
    }
  }

  /// After ten wrong secrets one a second is looked at, also a right one.
  @Test func guessesAreSlowedDown() {
    let clock = Clock()
    let limit = SecretAttemptLimit { clock.now }
    #expect((0..<12).map { _ in status(limit, false) } == Array(repeating: 400, count: 10) + [429, 429])
    #expect(status(limit, true) == 429)
    clock.advance(.milliseconds(900))
    #expect(status(limit, true) == 429)
    clock.advance(.milliseconds(200))
    #expect((0..<2).map { _ in status(limit, false) } == [400, 429])
    clock.advance(.seconds(1))
    #expect((0..<2).map { _ in status(limit, true) } == [200, 200])
    // In a minute all is forgotten.
    clock.advance(.seconds(60))
    #expect((0..<11).map { _ in status(limit, false) } == Array(repeating: 400, count: 10) + [429])
  }

  /// The vendor is not kept out: not at another address, nor on a connection that has shown the secret; and other vendors are not.
  @Test func othersAreNotSlowedDown() {
    let clock = Clock()
    let limit = SecretAttemptLimit { clock.now }
    #expect(status(limit, true, connection: 1) == 200)
    for _ in 0..<20 { _ = status(limit, false, connection: 2) }
    #expect(status(limit, true, connection: 2) == 429)
    #expect(status(limit, true, connection: 1) == 200)
    #expect(status(limit, true, "192.0.2.2") == 200)
    #expect(status(limit, true, of: "vendor 4") == 200)
  }

  /// The response says when to try again, in editions with vendors and with passwords.
  @Test(arguments: [ServedEdition.open, .training, .camp1, .camp2])
  func serverSlowsGuessesDown(_ edition: ServedEdition) async throws {
    try await Market.with(edition, empty: false) { market in
      let path = edition.hasVendors ? "/api/products/6" : "/item/6"
      func guess() async throws -> Conversation.Answer {
        if edition.hasVendors { return try await market.json("PATCH", path, #"{"secret":"wrong"}"#) }
        return try await market.form("PATCH", path, Parts.close([Parts.text("password", "wrong")]))
      }
      for _ in 0..<10 { #expect(try await guess().status == (edition.hasVendors ? 400 : 404)) }
      // A second may pass on a busy machine.
      var last = try await guess()
      for _ in 0..<20 where last.status != 429 { last = try await guess() }
      #expect(last.status == 429 && last.headers["retry-after"] == "1", "\(last)")
    }
  }
}
