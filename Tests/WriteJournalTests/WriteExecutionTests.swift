import Catalog
import Foundation
import GRDB
import TestSupport
import Testing

@testable import WriteJournal

/// Random combinations of effect, response, read lag and foreign writes: no verdict is wrong in either direction, and
/// no undo overwrites a foreign value.
///
/// A run tests 300 seeds, or 10,000 with `OPENMARKET_LONG_TESTS=1`; `OPENMARKET_MIXTURES_FROM=10001` begins with that one. A
/// failure names its seed, and `Mixture` with that seed reproduces it.
@Suite(.timeLimit(Trial.limit)) struct WriteExecutionTests {
  private static let cup = Product(
    id: 1, name: "cup", description: "a cup for tea", price: Amount(10), discount: .zero, currency: .krw, stock: 3,
    vendorID: 7, modified: nil)
  private static let draft = ProductDraft(
    name: "mug", description: "a mug for coffee", price: Amount(5), currency: .krw, stock: 1, pictures: [])

  @Test func everyOutcomeIsTrue() async throws {
    let first = UInt64(Trial.count(1, long: 1, variable: "OPENMARKET_MIXTURES_FROM"))
    let count = UInt64(Trial.count(300, long: 10_000, variable: "OPENMARKET_MIXTURES"))
    var wrong: [String] = []
    try await withThrowingTaskGroup(of: [String].self) { group in
      for lane in UInt64(0)..<4 {
        group.addTask { try await Self.live(Array(stride(from: first + lane, to: first + count, by: 4))) }
      }
      for try await some in group { wrong += some }
    }
    #expect(wrong.prefix(5) == [], "\(wrong.count) of \(count)")
    Trial.printInLongRun("mixtures \(first)..<\(first + count): \(wrong.count) wrong")
  }

  /// Somebody else writes just before a patch that is sent again, and a replica shows it only afterwards: the value before
  /// the patch is not the one that was read, so an undo leaves the field alone.
  @Test(arguments: [1271, 2145, 3535, 8560, 9965] as [UInt64])
  func undoLeavesAFieldThatChangedBeforeTheResend(seed: UInt64) async throws {
    #expect(try await Self.live([seed]) == [])
    let bench = Bench()
    let journal = try bench.journal()
    bench.clock.advance(by: .seconds(100))
    var random = SplitMix64(seed)
    let mixture = Mixture(&random)
    let market = LaggingMarket(mixture, [Self.cup], clock: bench.clock)
    let runner = bench.runner(journal, market)
    var plan = Plan([Self.change(mixture.wish, of: Self.cup)])
    plan.dependsOnObservedState = mixture.wish == .oneMore
    let outcomes = await runner.outcomes(of: plan)
    var differences: [FieldDifference] = []
    if case .done(_, let some) = outcomes[0] { differences = some }
    let field: ProductField = mixture.foreign == .sale ? .stock : .price
    #expect(differences.contains { $0.field == field && [.changed, .concurrent].contains($0.kind) }, "\(outcomes)")
    market.clock.advance(by: .seconds(10))
    #expect(market.truth[1].map { ProductValues(of: $0)[field] } == plan.changes[0].fields[field])
    #expect(try journal.entry(1)?.after?[field] == plan.changes[0].fields[field])
    let (undo, conflicts) = await Self.undo(of: 1, by: runner)
    #expect(conflicts.map(\.field) == [field])
    #expect(undo.allSatisfy { $0.fields[field] == nil })
  }

  /// An earlier rule, by which one read after a response decided, fails.
  @Test func formerReadRuleFails() async throws {
    #expect(try await Self.live(Array(1...30), judgesByOneRead: true).count > 1)
  }

  /// Runs the seeds in one journal, each with a market of its own, and returns the violations.
  private static func live(_ seeds: [UInt64], judgesByOneRead: Bool = false) async throws -> [String] {
    let bench = Bench(isShortLived: true)
    let journal = try bench.journal()
    bench.clock.advance(by: .seconds(100))
    var wrong: [String] = []
    for seed in seeds { wrong += try await live(seed, bench, journal, judgesByOneRead: judgesByOneRead) }
    return wrong
  }

  private static func live(
    _ seed: UInt64, _ bench: Bench, _ journal: Journal, judgesByOneRead: Bool
  ) async throws -> [String] {
    var random = SplitMix64(seed)
    let mixture = Mixture(&random)
    var cup = cup
    if mixture.tellsTime { cup.modified = Timestamp(seconds: 1_700_000_000, isUTC: true) }
    let others = (0..<mixture.count).dropFirst().map { Product(id: 10 + $0, name: "p\($0)", price: Amount(10)) }
    let market = LaggingMarket(mixture, [cup] + others, clock: bench.clock)
    var runner = PlanRunner(
      journal: journal, market: market,
      binding: MarketLogin(profile: "demo", baseURL: "http://127.0.0.1:\(seed)", vendor: "demo"), window: .loopback)
    runner.rules.judgesByOneRead = judgesByOneRead
    var plan = Plan([change(mixture.wish, of: cup)] + others.map { Bench.price(10, 12, of: $0) })
    plan.dependsOnObservedState = mixture.wish == .oneMore && mixture.count == 1
    let outcomes = await runner.outcomes(of: plan)
    let first = try journal.read { database in
      try Int.fetchOne(database, sql: "SELECT min(n) FROM op WHERE base_url = ?", arguments: [runner.binding.baseURL])
    }
    let n = try #require(first)
    let entry = try journal.entry(n)
    let effects = market.effects.count { $0 == entry?.operation }
    var wrong: [String] = []
    func check(_ holds: Bool, _ what: String) {
      if !holds { wrong.append("seed \(seed): \(what): \(outcomes[0]), \(effects) effects: \(mixture)") }
    }
    check(effects <= 1, "doubled")
    let isMeddled = mixture.foreign != .nobody
    switch outcomes[0] {
    case .done(_, let differences):
      check(effects == 1, "said done, was not")
      check(differences.isPartial == (mixture.effect == .partial) || isMeddled, "what is partial")
      let others = differences.filter { $0.kind != .unconfirmed }
      if !isMeddled, mixture.effect == .whole { check(others.isEmpty, "told differences") }
      check(others == differences || plan.dependsOnObservedState, "said that a stated value is unconfirmed")
    case .unchanged, .notStarted, .locked, .journalUnavailable, .unrecorded, .otherProduct, .createdAndGone:
      check(false, "no verdict")
    case .refused, .notSent, .aborted, .notApplied, .notStored, .drifted: check(effects == 0, "said not done, was")
    case .needsDecision, .unknown: check(isMeddled || mixture.wish == .create && effects == 0, "asks without need")
    }
    check(outcomes.dropFirst().allSatisfy { $0.label == "done" }, "another of the batch")
    let isDrifted = outcomes[0].label == "drifted" && entry?.status == .notApplied
    check(
      isDrifted || entry?.status.rawValue == outcomes[0].label, "the log says \(String(describing: entry?.status))")
    try await undo(n, outcomes[0], runner, market, mixture, check)
    return wrong
  }

  /// Checks that an undo after all lags restores the values before the write, and doesn't change foreign values.
  private static func undo(
    _ n: Int, _ outcome: Outcome, _ runner: PlanRunner, _ market: LaggingMarket, _ mixture: Mixture,
    _ check: (Bool, String) -> Void
  ) async throws {
    guard ![.create, .delete].contains(mixture.wish) else { return }
    market.clock.advance(by: .seconds(10))
    let before = market.truth[1]
    let undone = try? await runner.undoPlan(.entry(n))
    guard case .done = outcome else {
      check(undone == nil, "undo of what is not done")
      return
    }
    if let undone { _ = await runner.outcomes(of: undone) }
    let now = market.truth[1]
    guard mixture.foreign != .delete else { return check(now == nil, "undo made it again") }
    switch mixture.foreign {
    // The foreign value equals the one before the write, so they can't be distinguished.
    case .undo: break
    case .price, .sale:
      let field: ProductField = mixture.foreign == .sale ? .stock : .price
      let isAlone = mixture.isOverwritten && before.map { ProductValues(of: $0)[field] } != nil
      if isAlone, let before {
        check(ProductValues(of: now ?? before)[field] == ProductValues(of: before)[field], "overwritten")
      }
    case .nobody, .otherField, .delete:
      let fields: [ProductField] = [.name, .price, .stock]
      let isBack = fields.allSatisfy { field in
        now.map { ProductValues(of: $0)[field] } == ProductValues(of: cup)[field]
      }
      check(isBack, "undo did not bring it back: \(String(describing: now))")
    }
  }

  /// The changes that take an entry back, and the fields that stand in the way.
  private static func undo(of entry: Int, by runner: PlanRunner) async -> ([Change], [UndoConflict]) {
    do {
      let undo = try await runner.undoPlan(.entry(entry))
      return (undo.plan.changes, undo.obstacles)
    } catch {
      if case .moved(_, let conflicts) = error { return ([], conflicts) }
      return ([], [])
    }
  }

  private static func change(_ wish: Mixture.Wish, of cup: Product) -> Change {
    func edit(_ to: ProductValues) -> Change { .edit(cup, from: ProductValues(of: cup, like: to), to: to) }
    return switch wish {
    case .price: edit(ProductValues(price: Amount(12)))
    case .oneMore: edit(ProductValues(stock: 4))
    case .priceAndStock: edit(ProductValues(price: Amount(12), stock: 9))
    case .cutName: edit(ProductValues(name: "teacup\0 of glass"))
    case .fraction: edit(ProductValues(price: Amount(typed: "12.34")))
    case .delete: .delete(cup)
    case .create: .create(draft)
    }
  }
}

extension Change {
  /// What an edit sets.
  fileprivate var fields: ProductValues {
    guard case .edit(_, _, let to) = self else { return ProductValues() }
    return to
  }
}
