import Catalog
import Synchronization

@testable import WriteJournal

/// A market that can't be reached for a time, which begins after a number of sends.
final class AwayMarket: MarketAccess {
  struct Away: MarketReadError {
    let isAnswered = false
    let evidence = Evidence.networkUnreachable
  }

  let isBack = Mutex(false)
  private let market: ScriptedMarket
  private let clock: any JournalClock
  private let sends: Int
  private let duration: Duration
  private let start = Mutex<Duration?>(nil)

  init(_ market: ScriptedMarket, clock: any JournalClock, afterSends sends: Int, for duration: Duration) {
    (self.market, self.clock, self.sends, self.duration) = (market, clock, sends, duration)
  }

  var vendorID: Int? { market.vendorID }

  private var isAway: Bool {
    guard !isBack.withLock({ $0 }), market.sends >= sends else { return false }
    let now = clock.monotonicNow
    let start = start.withLock { start in
      start = start ?? now
      return start ?? now
    }
    return now - start < duration
  }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    guard !isAway else { return SendResult(.unsent(.networkUnreachable)) }
    return await market.send(change, operation: operation, leaving: leaving)
  }

  func read(_ id: Product.ID) async throws -> Product? {
    guard !isAway else { throw Away() }
    return try await market.read(id)
  }

  func newestProducts(_ count: Int) async throws -> [Product] {
    guard !isAway else { throw Away() }
    return try await market.newestProducts(count)
  }

  func picture(at address: String) async throws -> PictureFile { try await market.picture(at: address) }
}
