import Catalog
import Synchronization

@testable import WriteJournal

/// A market access that stores every version of its products, so that reads can lag, and handles the first write as a
/// mixture says.
///
/// It records every effect.
final class LaggingMarket: MarketAccess {
  struct Facts: Sendable {
    /// The versions of all products with the time from which each is valid, oldest first.
    var versions: [(time: Duration, products: [Product.ID: Product])]
    /// The foreign writes with their times, earliest first.
    var foreign: [(time: Duration, write: @Sendable (inout [Product.ID: Product]) -> Void)] = []
    var effects: [String] = []
    var sends = 0
    var nextID = 100
    var writes = 0
    var failingReads = 0
  }

  let mixture: Mixture
  let clock: VirtualClock
  let vendorID: Int? = 7
  private let facts: Mutex<Facts>

  init(_ mixture: Mixture, _ products: [Product], clock: VirtualClock) {
    (self.mixture, self.clock) = (mixture, clock)
    let all = Dictionary(products.map { ($0.id, $0) }) { $1 }
    facts = Mutex(Facts(versions: [(.zero, all)]))
  }

  var effects: [String] { facts.withLock { $0.effects } }

  /// The current products without a lag.
  var truth: [Product.ID: Product] {
    facts.withLock { facts in
      meddle(&facts)
      return facts.versions.last?.products ?? [:]
    }
  }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    if case .create = change {
      do { try await leaving() } catch { return SendResult(.aborted(.text("not written down"))) }
    }
    return facts.withLock { facts in
      meddle(&facts)
      facts.sends += 1
      let stale = change.product.flatMap { facts.versions.last?.products[$0.id] }
      let isFirst = facts.sends == 1
      var made: Product?
      if !isFirst || mixture.effect != .none {
        made = apply(change, operation, isFirst ? mixture.effect : .whole, &facts)
      }
      guard isFirst else {
        return SendResult(made == nil ? .refused(Rejection(status: 404, kind: .notFound)) : .succeeded(made))
      }
      facts.failingReads = mixture.failingReads
      let now = clock.monotonicNow
      if let write = mixture.foreign.write {
        facts.foreign.append((now + mixture.meddlesAfter, write))
      }
      // The response is later, so that this effect is older than foreign writes after it.
      clock.advance(by: .milliseconds(1))
      let echo = change.product.map { product in
        var echo = stale ?? product
        if case .edit(_, _, let to) = change { echo.apply(to) }
        return echo
      }
      return SendResult(mixture.answer.outcome(right: made ?? echo, stale: stale))
    }
  }

  private func apply(_ change: Change, _ operation: String, _ effect: Mixture.Effect, _ facts: inout Facts) -> Product?
  {
    var products = facts.versions.last?.products ?? [:]
    facts.writes += 1
    let time = Timestamp(seconds: 1_700_000_000 + Int64(facts.writes), isUTC: true)
    var result: Product?
    switch change {
    case .create(let draft):
      let product = Product(
        id: facts.nextID, name: effect == .reformed ? "short" : draft.name, description: draft.description,
        price: draft.price, discount: draft.discount, currency: draft.currency, stock: draft.stock, vendorID: 7,
        modified: mixture.tellsTime ? time : nil)
      products[facts.nextID] = product
      facts.nextID += 1
      result = product
    case .edit(let old, _, var to):
      guard var product = products[old.id] else { return nil }
      if effect == .partial { to.stock = nil }
      if effect == .reformed {
        to.price = to.price?.rounded(to: 0)
        to.name = to.name.map { String($0.prefix { $0 != "\0" }) }
      }
      product.apply(to)
      if mixture.tellsTime { product.modified = time }
      products[old.id] = product
      result = product
    case .delete(let old):
      guard let gone = products.removeValue(forKey: old.id) else { return nil }
      result = gone
    }
    facts.effects.append(operation)
    facts.versions.append((clock.monotonicNow, products))
    return result
  }

  private func meddle(_ facts: inout Facts) {
    let now = clock.monotonicNow
    while let next = facts.foreign.first, next.time <= now {
      facts.foreign.removeFirst()
      var products = facts.versions.last?.products ?? [:]
      let before = products
      next.write(&products)
      facts.writes += 1
      for (id, product) in products where product != before[id] && mixture.tellsTime {
        products[id]?.modified = Timestamp(seconds: 1_700_000_000 + Int64(facts.writes), isUTC: true)
      }
      facts.versions.append((next.time, products))
    }
  }

  /// Returns the products that a read sees.
  ///
  /// If `mayFail` is true, the read may fail, as that of the product in question or of a list.
  private func seen(mayFail: Bool = true) throws -> [Product.ID: Product] {
    try facts.withLock { facts in
      meddle(&facts)
      if mayFail, facts.failingReads > 0 {
        facts.failingReads -= 1
        throw Unreachable()
      }
      let time = clock.monotonicNow - mixture.lag
      return facts.versions.last { $0.time <= time }?.products ?? facts.versions.first?.products ?? [:]
    }
  }

  func read(_ id: Product.ID) async throws -> Product? { try seen(mayFail: id == 1 || id >= 100)[id] }

  func newestProducts(_ count: Int) async throws -> [Product] {
    Array(try seen().values.sorted { $0.id > $1.id }.prefix(count))
  }

  func list(for count: Int, page: ([Product]) -> Void) async throws -> Bool {
    page(Array(try seen().values))
    return true
  }

  func picture(at address: String) async throws -> PictureFile { throw Unreachable() }

  private struct Unreachable: Error {}
}
