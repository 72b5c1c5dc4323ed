import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The writes that an interrupted start or end of a sale left pending.
///
/// The sale plans them again from what it reads, and decides whether they are still wanted: after its dismissal, its end or its
/// cancellation none is sent.
struct PendingSaleWrites {
  /// The beginning of the sources of the writes of sales; see `CreateSource.name`.
  private static let prefix = "sale "

  /// The source of the writes in the log.
  let source: String

  init(of plan: ScheduledPlanStore.ScheduledPlan) { source = PendingSaleWrites.prefix + plan.contents.id }

  /// Resolves by reading those with an unknown outcome, and discards those that weren't sent.
  ///
  /// - Returns: The products of writes whose outcome is still unknown.
  /// - Throws: `JournalError`.
  @discardableResult
  func resolve(at market: Client<MarketService>, in scope: CommandScope) async throws -> Set<Product.ID> {
    guard scope.mode == .write, Journal.exists(in: scope.context.stores.home.journalFolder) else { return [] }
    scope.say(resolved: try await scope.planRunner(for: market).resolve(source: source))
    let journal = try scope.context.stores.journal()
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    try journal.discardUnsent(ofSource: source, binding)
    return Set(try journal.undecidedEntries(binding).compactMap(\.product))
  }

  /// Returns those of the entries that belong to a sale that doesn't want them any more.
  ///
  /// - Throws: `JournalError` if the log can't be read.
  static func outdated(_ entries: [JournalEntry], in scope: CommandScope) throws -> [JournalEntry] {
    let sources = try scope.context.stores.journal().sources(of: entries.map(\.id)).filter {
      $0.value.hasPrefix(prefix)
    }
    guard !sources.isEmpty else { return [] }
    let sales = ScheduledPlanStore(scope.context.stores.home).sales(scope.session.limits).sales
    let now = scope.context.clock.timestamp
    return entries.filter { entry in
      guard let source = sources[entry.id] else { return false }
      let sale = sales.first { sale in sale.plans.contains { prefix + $0.contents.id == source } }
      return sale.map { !wants(entry, of: $0, at: now) } ?? true
    }
  }

  /// Returns whether a sale still wants a write of its start or its end.
  private static func wants(_ entry: JournalEntry, of sale: ScheduledSale, at now: Timestamp) -> Bool {
    guard case .rule(_, _, let progress) = sale.form, case .edit(let product, let from, let to)? = entry.change,
      let before = from.discount, let after = to.discount, let known = progress[product.id]
    else { return false }
    return after > before ? known.state == .starting && sale.state(now) != .over : known.mayBeLowered
  }
}
