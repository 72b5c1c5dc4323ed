import Catalog
import GRDB
import Synchronization

@testable import WriteJournal

/// The verdicts, compared with what was applied.
extension Simulation {
  func judge(_ journal: Journal, hasLag: Bool) {
    guard let entries = try? journal.entries(limit: 10_000, profile: binding.profile),
      let unfinished = try? journal.resumableEntries(binding), let last = try? lastPrices(in: journal)
    else { return blame("the journal cannot be read") }
    let counts = Dictionary(market.effects.map { ($0.operation, 1) }, uniquingKeysWith: +)
    let known = Set((entries + unfinished).map(\.operation))
    for operation in counts.keys.sorted() where !known.contains(operation) {
      blame("\(operation.suffix(4)) is not in the journal")
    }
    let prices = entries.filter { counts[$0.operation] != nil }.compactMap(Price.init)
    for entry in entries.sorted(by: { $0.id < $1.id }) {
      let isSet = Price(entry).map(prices.contains) ?? false
      judge(entry, counts[entry.operation, default: 0], isSet: isSet, hasLag: hasLag)
    }
    judgeNames(entries)
    judgePrices(last)
  }

  /// A price that a patch sets. A line that was killed and runs again may find it set by what it had left open: both are one
  /// wish.
  private struct Price: Hashable {
    var product: Product.ID
    var price: Amount

    init?(_ entry: JournalEntry) {
      guard case .edit(let product, _, let to) = entry.change, let price = to.price else { return nil }
      (self.product, self.price) = (product.id, price)
    }
  }

  /// - Parameter isSet: a write of this home has set what the entry sets.
  private func judge(_ entry: JournalEntry, _ count: Int, isSet: Bool, hasLag: Bool) {
    let product = entry.product.map { " of \($0)" } ?? ""
    let line = "\(entry.operation.suffix(4)) \(entry.action)\(product) is \(entry.state) and was applied \(count) times"
    // The look before a send may see the price that another shell has replaced, and the send may set it back.
    let isOverwritten = hasLag && entry.product == Simulation.shared
    let isForeign = isOverwritten || (entry.product.map(market.foreignEdits.contains) ?? market.hasForeignCreates)
    let isUndetectable = entry.product.map(market.undetectable.contains) ?? false
    switch (entry.state, entry.action) {
    case (.done, .create) where count != 1: blame("wrong: \(line)")
    case (.done, .patch) where count == 0 && !isSet && !isForeign && !isUndetectable: blame("wrong: \(line)")
    case (.done, .delete) where count > 1 || entry.product.map { market.product($0) != nil } ?? false:
      blame("wrong: \(line)")
    case (.done, _): break
    case (.needsDecision, .create) where entry.mayHaveLeft && count == 0: break
    // A patch that the server confirmed to a shell that was killed may have been applied and set back since.
    case (.needsDecision, .patch) where entry.detail?.parts.contains(.reportedSuccess(nil)) == true: break
    case (.needsDecision, _): if !isForeign { blame("asked without need: \(line)") }
    case (.sending, _), (.sendingFinalBytes, _), (.unknown, _), (.acknowledged, _): blame("without a verdict: \(line)")
    // Another writer or shell has replaced the price before the next look, and the response said that nothing was applied.
    case (.drifted, .patch) where market.appliedDespite429.contains(entry.operation): break
    default: if count != 0 && !isOverwritten { blame("denied: \(line)") }
    }
  }

  /// One product for each create that was wished for, or an open question.
  private func judgeNames(_ entries: [JournalEntry]) {
    let created = Dictionary(
      market.effects.compactMap { effect in effect.name.map { ($0, 1) } }, uniquingKeysWith: +)
    let questions = Set(entries.filter { $0.state == .needsDecision }.compactMap(Simulation.name))
    let (lines, again) = state.withLock { ($0.lines, $0.again) }
    let wishes = lines.flatMap { $0 }.flatMap(\.wishes)
    for case .create(let name) in wishes {
      let count = created[name, default: 0] - again.count { $0 == name }
      if count > 1 { blame("\(name) was created \(count) times") }
      if count == 0, !questions.contains(name) { blame("\(name) is lost") }
    }
  }

  /// The price that was set last is the price.
  private func judgePrices(_ last: [Product.ID: Amount]) {
    let exempt = market.foreignEdits.union(market.undetectable)
    for (id, price) in last.sorted(by: { $0.key < $1.key }) where !exempt.contains(id) {
      guard let now = market.product(id)?.price, now != price else { continue }
      blame("product \(id) costs \(now), and \(price) was set last")
    }
  }

  /// Of each product, the price of the patch that was done last.
  private func lastPrices(in journal: Journal) throws -> [Product.ID: Amount] {
    let numbers = try journal.read { database in
      try Int.fetchAll(
        database,
        sql: """
          SELECT o.n FROM op o JOIN event e ON e.op = o.n AND e.state = 'done'
            WHERE o.base_url = ? AND o.kind = 'patch' AND o.state = 'done' ORDER BY e.rowid
          """, arguments: [binding.baseURL])
    }
    var last: [Product.ID: Amount] = [:]
    for number in numbers {
      guard case .edit(let product, _, let to) = try journal.entry(number)?.change, let price = to.price else {
        continue
      }
      last[product.id] = price
    }
    return last
  }
}
