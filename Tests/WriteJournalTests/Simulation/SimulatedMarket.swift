import Catalog
import Synchronization

@testable import WriteJournal

/// A market that keeps every effect, so that verdicts can be compared with what was applied.
final class SimulatedMarket: Sendable {
  /// How much goes wrong.
  struct Faults: Sendable {
    /// Of a hundred sends.
    var sends = 0
    /// Of a hundred reads.
    var reads = 0
    /// Reads may show the market as it was so long ago.
    var lag = Duration.zero
    /// Servers may answer with an old product, and with a change that they do not apply.
    var isLying = false
  }

  struct Effect: Sendable {
    var operation: String
    /// Of a created product.
    var name: String?
    var product: Product.ID
  }

  private struct State {
    var products: [Product.ID: Product] = [:]
    /// The products as they were until each instant, oldest first.
    var past: [(end: Duration, products: [Product.ID: Product])] = []
    var nextID = 100
    var effects: [Effect] = []
    var faults = Faults()
    var foreignEdits: Set<Product.ID> = []
    var hasForeignCreates = false
    var undetectable: Set<Product.ID> = []
    var appliedDespite429: Set<String> = []
  }

  private let state: Mutex<State>
  let scheduler: SeededScheduler

  init(_ products: [Product], _ scheduler: SeededScheduler) {
    self.scheduler = scheduler
    var state = State()
    for product in products { state.products[product.id] = product }
    self.state = Mutex(state)
  }

  var effects: [Effect] { state.withLock { $0.effects } }
  /// Products of which another writer has changed a field that shells change too.
  var foreignEdits: Set<Product.ID> { state.withLock { $0.foreignEdits } }
  var hasForeignCreates: Bool { state.withLock { $0.hasForeignCreates } }
  /// Products of which a patch was confirmed and not applied while a read could still show its price, from before another
  /// write: no program can tell that it was not applied.
  var undetectable: Set<Product.ID> { state.withLock { $0.undetectable } }
  /// The operations that were applied and answered with 429.
  var appliedDespite429: Set<String> {
    get { state.withLock { $0.appliedDespite429 } }
    set { state.withLock { $0.appliedDespite429 = newValue } }
  }
  var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  func product(_ id: Product.ID) -> Product? { state.withLock { $0.products[id] } }

  /// Returns the products as one read finds them: now, or as they were within the lag.
  func read() -> [Product.ID: Product] {
    let lag = Int(faults.lag.milliseconds)
    let instant = scheduler.now - (lag > 0 && scheduler.happens(50) ? .milliseconds(scheduler.draw(0...lag)) : .zero)
    return state.withLock { state in state.past.first { $0.end > instant }?.products ?? state.products }
  }

  /// Another writer changes a product, or creates one.
  func writeForeign() {
    let id = scheduler.draw(1...4)
    let choice = scheduler.draw(0...3)
    let value = scheduler.draw(900...999)
    change { state in
      switch choice {
      case 0:
        state.hasForeignCreates = true
        state.products[state.nextID] = Product(
          id: state.nextID, name: "foreign \(state.nextID)", price: Amount(value), vendorID: 8, images: [])
        state.nextID += 1
      case 1:
        state.foreignEdits.insert(id)
        state.products[id]?.price = Amount(value)
      default: state.products[id]?.stock = value
      }
    }
    scheduler.record("another writer: \(["creates", "price of", "stock of", "stock of"][choice]) \(id), \(value)")
  }

  /// Applies a change once.
  ///
  /// - Returns: the response of the server.
  @discardableResult
  func apply(_ change: Change, _ operation: String) -> SendOutcome {
    let missing = SendOutcome.refused(Rejection(status: 404, message: nil, kind: .notFound))
    return self.change { state in
      switch change {
      case .create(let draft):
        let id = state.nextID
        state.nextID += 1
        let images = draft.pictures.map { _ in
          Picture(id: id, url: "http://m/\(operation.lowercased()).jpg", thumbnailURL: "http://m/t.jpg")
        }
        let product = Product(
          id: id, name: draft.name, description: draft.description, price: draft.price, discount: draft.discount,
          sale: draft.price - draft.discount, currency: draft.currency, stock: draft.stock, vendorID: 7,
          thumbnailURL: nil, images: images)
        state.products[id] = product
        state.effects.append(Effect(operation: operation, name: draft.name, product: id))
        return .succeeded(product)
      case .edit(let product, _, let to):
        guard state.products[product.id] != nil else { return missing }
        state.products[product.id]?.apply(to)
        state.effects.append(Effect(operation: operation, product: product.id))
        return .succeeded(state.products[product.id])
      case .delete(let product):
        guard let deleted = state.products.removeValue(forKey: product.id) else { return missing }
        state.effects.append(Effect(operation: operation, product: product.id))
        return .succeeded(deleted)
      }
    }
  }

  /// Notes a change that is confirmed and not applied.
  func confirmFalsely(_ change: Change) {
    guard case .edit(let product, _, let to) = change, let price = to.price else { return }
    let oldest = scheduler.now - faults.lag
    state.withLock { state in
      let isShown = state.past.contains { $0.end > oldest && $0.products[product.id]?.price == price }
      if isShown, state.products[product.id]?.price != price { state.undetectable.insert(product.id) }
    }
  }

  private func change<Value>(_ body: (inout State) -> Value) -> Value {
    let now = scheduler.now
    return state.withLock { state in
      state.past.append((now, state.products))
      state.past.removeAll { $0.end < now - .seconds(10) }
      return body(&state)
    }
  }
}
