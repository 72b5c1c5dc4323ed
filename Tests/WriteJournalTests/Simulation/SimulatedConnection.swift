import Catalog

@testable import WriteJournal

/// The market as one shell reaches it, over a network that delays, cuts and loses. A shell that was killed sends and
/// receives nothing more.
struct SimulatedConnection: MarketAccess {
  /// What becomes of a send.
  private enum Delivery: CaseIterable {
    case normal, notSent, cut, lost, responseLost, late, tooMany, serverError
    /// Applied, and answered with the product as it was before.
    case stale
    /// Answered as if it were applied, and not applied.
    case echoed
    /// Applied by a proxy that answers 429.
    case appliedTooMany

    static let faults = Array(allCases.dropFirst())
    static let honestFaults = faults.filter { $0 != .stale && $0 != .echoed }
  }

  private struct Unreachable: Error {}

  let market: SimulatedMarket
  let process: SimulatedProcess
  let name: String
  var mutant: Simulation.Mutant?
  var vendorID: Int? { 7 }
  private var scheduler: SeededScheduler { market.scheduler }

  init(_ market: SimulatedMarket, _ process: SimulatedProcess, _ name: String, mutant: Simulation.Mutant?) {
    (self.market, self.process, self.name, self.mutant) = (market, process, name, mutant)
  }

  func send(
    _ change: Change, operation: String, leaving: @escaping @Sendable () async throws -> Void
  ) async -> SendResult {
    let isCreate = change.action == .create
    let delivery = drawDelivery()
    await travel()
    func result(_ outcome: SendOutcome) -> SendResult {
      let subject = "\(change.action) \(change.product.map { String($0.id) } ?? change.name ?? "")"
      scheduler.record("\(name) sends \(operation.suffix(4)), \(subject): \(delivery), \(outcome.summary)")
      return SendResult(outcome)
    }
    if delivery == .notSent { return result(.unsent(.text("connection refused"))) }
    if delivery == .cut, isCreate { return result(.aborted(.text("cut before the last byte"))) }
    if isCreate, mutant != .leavesUnwritten {
      do { try await leaving() } catch { return result(.aborted(.text("not written down"))) }
    }
    guard process.isAlive else { return SendResult(.aborted(.text("killed"))) }
    let outcome = await deliver(change, operation, delivery)
    if isCreate, mutant == .leavesUnwritten { try? await leaving() }
    guard process.isAlive else { return SendResult(.unknown(.text("killed"))) }
    return result(outcome)
  }

  private func drawDelivery() -> Delivery {
    let faults = market.faults
    guard scheduler.happens(faults.sends) else { return .normal }
    let possible = faults.isLying ? Delivery.faults : Delivery.honestFaults
    let delivery = possible[scheduler.draw(0...possible.count - 1)]
    // A write is looked for after 429, once, and a read that lags doesn't find it.
    return delivery == .appliedTooMany && faults.lag > .zero ? .tooMany : delivery
  }

  private func travel() async {
    let isSlow = scheduler.happens(5)
    await scheduler.sleep(.milliseconds(scheduler.draw(1...(isSlow ? 1_500 : 30))))
  }

  /// The request has left whole: what becomes of it does not depend on the shell any more.
  private func deliver(_ change: Change, _ operation: String, _ delivery: Delivery) async -> SendOutcome {
    let isTwice = mutant == .sendsTwice && scheduler.happens(20)
    let before = change.product.flatMap { market.product($0.id) }
    let journey = Duration.milliseconds(scheduler.draw(1...40))
    switch delivery {
    case .lost, .cut:
      await scheduler.sleep(.milliseconds(scheduler.draw(1...9_000)))
      return .unknown(.text("timeout"))
    case .tooMany:
      await scheduler.sleep(journey)
      return .rateLimited(retryAfter: scheduler.happens(50) ? .seconds(2) : nil)
    case .late:
      // Later than the confirmation window only for a create; see `Simulation`.
      let latest = change.action == .create ? 200_000 : 4_500 - Int(market.faults.lag.milliseconds)
      scheduler.after(.milliseconds(scheduler.draw(1...max(100, latest)))) { [market, scheduler] in
        market.apply(change, operation)
        scheduler.record("\(operation.suffix(4)) arrives late")
      }
      await scheduler.sleep(.milliseconds(scheduler.draw(1...50)))
      return .unknown(.text("timeout"))
    case .echoed:
      await scheduler.sleep(journey)
      market.confirmFalsely(change)
      var product = before
      if case .edit(_, _, let to) = change { product?.apply(to) }
      return change.action == .create ? .unknown(.text("HTTP 503")) : .succeeded(product)
    case .normal, .notSent, .responseLost, .serverError, .stale, .appliedTooMany:
      await withCheckedContinuation { continuation in
        scheduler.after(journey) { [market, scheduler] in
          market.apply(change, operation)
          if isTwice { market.apply(change, operation) }
          scheduler.record("\(operation.suffix(4)) arrives")
          continuation.resume()
        }
      }
      await travel()
      switch delivery {
      case .responseLost: return .unknown(.text("reset by peer"))
      case .serverError: return .unknown(.text("HTTP 500"))
      case .appliedTooMany:
        market.appliedDespite429.insert(operation)
        return .rateLimited(retryAfter: scheduler.happens(50) ? .seconds(2) : nil)
      case .stale: return change.action == .create ? .succeeded(nil) : .succeeded(before)
      default: return .succeeded(response(to: change, operation))
      }
    }
  }

  /// The product as the market has it just after the change was applied.
  private func response(to change: Change, _ operation: String) -> Product? {
    let effect = market.effects.last { $0.operation == operation }
    return change.action == .delete ? change.product : effect.flatMap { market.product($0.product) } ?? change.product
  }

  func read(_ id: Product.ID) async throws -> Product? { try await read()[id] }

  func newestProducts(_ count: Int) async throws -> [Product] {
    try await read().values.sorted { $0.id > $1.id }.prefix(count).map { $0 }
  }

  private func read() async throws -> [Product.ID: Product] {
    await travel()
    guard process.isAlive, !scheduler.happens(market.faults.reads) else { throw Unreachable() }
    return market.read()
  }

  func picture(at address: String) async throws -> PictureFile { throw Unreachable() }
}

extension SendOutcome {
  fileprivate var summary: String {
    switch self {
    case .succeeded(let product): "answered \(product.map { "\($0.id)" } ?? "nothing")"
    case .refused(let refusal): "HTTP \(refusal.status)"
    case .drifted(let fields): "drifted \(fields.count)"
    case .unsent: "not sent"
    case .aborted: "cut"
    case .rateLimited: "HTTP 429"
    case .accepted(let reason), .unknown(let reason, _): "\(reason)"
    }
  }
}
