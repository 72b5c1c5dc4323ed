import Catalog
import Foundation
import Synchronization

@testable import WriteJournal

/// A market access that handles each send according to a script, and records every effect.
final class ScriptedMarket: MarketAccess {
  enum Fault: Hashable, Sendable {
    case fine
    case unsent
    case tooMany(Duration?)
    /// Applied by a proxy that answers 429.
    case appliedTooMany(Duration?)
    /// The request never arrives.
    case lost
    /// Applied, but the response is cut off.
    case cut
    /// The request arrives after this time.
    case late(Duration)
    /// The request arrives after this number of later reads.
    case unseen(reads: Int)
    case refused(Int, Rejection.Kind)
    /// Applied, and the response has no body.
    case empty
    /// Applied with a rounded price, as by some servers.
    case rounded
    /// Aborted before the last byte.
    case broken
    /// The response contains this product whatever was sent.
    case lie(Product, applies: Bool)
    /// A successful response without an effect.
    case echo
    /// Applied, and no response until the task is cancelled.
    case stalled
  }

  struct Facts: Sendable {
    var products: [Product.ID: Product] = [:]
    var faults: [Fault] = []
    var sends = 0
    var effects: [String] = []
    var late: [(at: Duration, change: Change, operation: String)] = []
    var unseen: [(reads: Int, change: Change, operation: String)] = []
    var nextID = 100
    var keepsMarker = true
    var failingReads = 0
    var pictures: [String: PictureFile] = [:]
    /// The description of the market, if a file describes it.
    var mapping: DescriptionMapping?
    /// The maximum number of requests at once, if the description has one.
    var limit: Int?
    /// Whether the product is compared with the expected values directly before a change is sent.
    var compares = false
    /// The number of changes that weren't sent because of that.
    var drifts = 0
  }

  let facts: Mutex<Facts>
  let clock: any JournalClock
  let vendorID: Int?
  /// Called at each send after its effect.
  ///
  /// The response is returned when it returns.
  let atSend: @Sendable (Facts) async -> Void

  init(
    _ facts: Facts, clock: any JournalClock, vendorID: Int? = 7,
    atSend: @escaping @Sendable (Facts) async -> Void = { _ in }
  ) {
    self.facts = Mutex(facts)
    self.clock = clock
    self.vendorID = vendorID
    self.atSend = atSend
  }

  convenience init(_ products: [Product], faults: [Fault] = [], clock: any JournalClock) {
    var facts = Facts()
    for product in products { facts.products[product.id] = product }
    facts.faults = faults
    self.init(facts, clock: clock)
  }

  var effects: [String] { facts.withLock { $0.effects } }
  var sends: Int { facts.withLock { $0.sends } }
  var drifts: Int { facts.withLock { $0.drifts } }
  var mapping: DescriptionMapping? { facts.withLock { $0.mapping } }
  func concurrency(_ usual: Int) -> Int { facts.withLock { min(usual, $0.limit ?? usual) } }
  func product(_ id: Product.ID) -> Product? { facts.withLock { $0.products[id] } }
  func edit(_ body: (inout Facts) -> Void) { facts.withLock { body(&$0) } }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    if case .create = change, facts.withLock({ $0.faults.first?.leaves != false }) {
      do { try await leaving() } catch { return SendResult(.aborted(.text("not written down"))) }
    }
    let now = clock.monotonicNow
    let (attempt, fault, seen) = facts.withLock { facts in
      facts.sends += 1
      let fault = facts.faults.isEmpty ? .fine : facts.faults.removeFirst()
      return (facts.serve(change, operation, fault, at: now), fault, facts)
    }
    await atSend(seen)
    // The test or its time limit cancels this.
    if fault == .stalled { try? await Task.sleep(for: .seconds(3600)) }
    return SendResult(attempt, exchanges: [ScriptedMarket.exchange(change, operation)])
  }

  func read(_ id: Product.ID) async throws -> Product? {
    try settle { $0.products[id] }
  }

  func newestProducts(_ count: Int) async throws -> [Product] {
    try settle { Array($0.products.values.sorted { $0.id > $1.id }.prefix(count)) }
  }

  func picture(at address: String) async throws -> PictureFile {
    guard let picture = facts.withLock({ $0.pictures[address] }) else { throw Gone() }
    return picture
  }

  private struct Gone: Error {}

  private func settle<Value>(_ body: (Facts) -> Value) throws -> Value {
    let now = clock.monotonicNow
    return try facts.withLock { facts in
      facts.arrive(at: now)
      facts.arriveUnseen()
      if facts.failingReads > 0 {
        facts.failingReads -= 1
        throw Gone()
      }
      return body(facts)
    }
  }
}

extension ScriptedMarket.Fault {
  /// A Boolean value that indicates that the last bytes of a create are sent.
  var leaves: Bool {
    switch self {
    case .unsent, .broken: false
    case .fine, .tooMany, .appliedTooMany, .lost, .cut, .late, .unseen, .refused, .empty, .rounded, .lie, .echo,
      .stalled:
      true
    }
  }
}

extension ScriptedMarket.Facts {
  mutating func arrive(at now: Duration) {
    let due = late.filter { $0.at <= now }
    late.removeAll { $0.at <= now }
    for request in due { _ = apply(request.change, request.operation) }
  }

  /// Delivers the requests that are due after a read.
  mutating func arriveUnseen() {
    let due = unseen.filter { $0.reads == 0 }
    unseen = unseen.filter { $0.reads > 0 }.map { ($0.reads - 1, $0.change, $0.operation) }
    for request in due { _ = apply(request.change, request.operation) }
  }

  mutating func serve(_ change: Change, _ operation: String, _ fault: ScriptedMarket.Fault, at now: Duration)
    -> SendOutcome
  {
    arrive(at: now)
    if compares, case .edit(let product, let from, _) = change, let shown = products[product.id] {
      arriveUnseen()
      let differing = from.differing(from: ProductValues(of: products[product.id] ?? shown))
      if !differing.isEmpty {
        drifts += 1
        return .drifted(differing)
      }
    }
    switch fault {
    case .fine: return apply(change, operation)
    case .unsent: return .unsent(.text("connection refused"))
    case .broken: return .aborted(.text("the connection was lost"))
    case .lie(let product, let applies):
      if applies { _ = apply(change, operation) }
      return .succeeded(product)
    case .echo:
      var copy = self
      return copy.apply(change, operation)
    case .tooMany(let wait): return .rateLimited(retryAfter: wait)
    case .appliedTooMany(let wait):
      _ = apply(change, operation)
      return .rateLimited(retryAfter: wait)
    case .lost: return .unknown(.text("time-out"))
    case .cut, .stalled:
      _ = apply(change, operation)
      return .unknown(.text("reset by peer"))
    case .late(let time):
      late.append((now + time, change, operation))
      return .unknown(.text("time-out"))
    case .unseen(let reads):
      unseen.append((reads, change, operation))
      return .unknown(.text("time-out"))
    case .refused(let status, let kind): return .refused(Rejection(status: status, message: "no", kind: kind))
    case .empty:
      _ = apply(change, operation)
      return .succeeded(nil)
    case .rounded:
      guard case .succeeded(let product?) = apply(change, operation) else { return .unknown(.text("?")) }
      products[product.id]?.price = product.price?.rounded(to: 0)
      return .succeeded(products[product.id])
    }
  }

  mutating func apply(_ change: Change, _ operation: String) -> SendOutcome {
    let missing = SendOutcome.refused(Rejection(status: 404, message: nil, kind: .notFound))
    switch change {
    case .create(let draft):
      let made = product(draft, operation)
      products[made.id] = made
      nextID += 1
      effects.append(operation)
      return .succeeded(made)
    case .edit(let product, _, let to):
      guard products[product.id] != nil else { return missing }
      products[product.id]?.apply(to)
      effects.append(operation)
      return .succeeded(products[product.id])
    case .delete(let product):
      guard let gone = products.removeValue(forKey: product.id) else { return missing }
      effects.append(operation)
      return .succeeded(gone)
    }
  }

  private mutating func product(_ draft: ProductDraft, _ operation: String) -> Product {
    let images = draft.pictures.enumerated().map { index, file in
      let url = "http://m/\(keepsMarker ? operation.lowercased() : "p\(nextID)")-\(index).jpg"
      pictures[url] = file
      return Picture(id: nextID * 10 + index, url: url, thumbnailURL: url + "?thumb")
    }
    return Product(
      id: nextID, name: draft.name, description: draft.description, price: draft.price, discount: draft.discount,
      sale: draft.price - draft.discount, currency: draft.currency, stock: draft.stock, vendorID: 7,
      thumbnailURL: images.first?.thumbnailURL, images: images)
  }
}

extension ScriptedMarket {
  static func exchange(_ change: Change, _ operation: String) -> StoredExchange {
    StoredExchange(
      started: 1_700_000_000_000, duration: 1_500, base: "http://m",
      request: StoredExchange.Request(
        method: "PATCH", path: [change.action.rawValue], query: [], headers: [.init("X-Request-Id", operation)],
        body: .text("{\"secret\":\"__OPENMARKET_SECRET__\"}", type: "application/json", size: 20)),
      response: nil, failure: nil)
  }
}
