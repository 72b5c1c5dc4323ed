import Catalog
import Foundation
import Testing

@testable import WriteJournal

/// Foreign writes between reading a product and sending a change.
struct ForeignWriteTests {
  let bench = Bench()

  private func plan(_ from: Int, _ to: Int, isRelative: Bool) -> Plan {
    var plan = Plan([.edit(Bench.product, from: ProductValues(stock: from), to: ProductValues(stock: to))])
    plan.dependsOnObservedState = isRelative
    return plan
  }

  /// `stock+=1` twice from the same 3: the second isn't skipped because the first already made it 4.
  @Test(arguments: [(true, "drifted"), (false, "unchanged")])
  func equalResultOfAnotherWriteIsNotSkipped(_ isRelative: Bool, _ word: String) async throws {
    let market = bench.market()
    let runner = bench.runner(try bench.journal(), market)
    #expect(await runner.outcomes(of: plan(3, 4, isRelative: isRelative)).map(\.label) == ["done"])
    #expect(await runner.outcomes(of: plan(3, 4, isRelative: isRelative)).map(\.label) == [word])
    #expect(market.sends == 1)
  }

  /// One computed and one set field: if the computed one has changed, neither is written.
  @Test func changedComputedFieldStopsTheWrite() async throws {
    let market = bench.market()
    market.edit { $0.products[1]?.stock = 4 }
    var plan = Plan([
      .edit(
        Bench.product, from: ProductValues(price: Amount(10), stock: 3), to: ProductValues(price: Amount(12), stock: 4))
    ])
    plan.dependsOnObservedState = true
    #expect(await bench.runner(try bench.journal(), market).outcomes(of: plan) == [.drifted([.stock])])
    #expect(market.sends == 0)
  }

  /// A computed change is still one after a crash: `resume` neither takes it for done nor drops it.
  @Test func resumedComputedChangeStaysComputed() async throws {
    let market = bench.market([Bench.product], [.refused(401, .wrongSecret)])
    do {
      let first = bench.runner(try bench.journal(), market)
      var both = Plan([
        Bench.price(10, 12), .edit(Bench.product, from: ProductValues(stock: 3), to: ProductValues(stock: 4)),
      ])
      both.dependsOnObservedState = true
      #expect(await first.outcomes(of: both).map(\.label) == ["refused", "skipped"])
    }
    market.edit { $0.products[1]?.stock = 4 }
    let values = Evidence.values(.stock, before: "3", wanted: "4", now: "4")
    #expect(
      try await bench.runner(try bench.journal(), market).resume().map(\.outcome)
        == [.needsDecision(.all([.mayBeMadeElsewhere, values]))])
    #expect(market.product(1)?.stock == 4)
  }

  /// Two reads show no effect, so it is to be sent again, but the product has changed by then.
  @Test func productIsReadBeforeAResend() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.lost])
    let meddler = Meddler(market: market) { facts in
      let sends = (try? journal.events(of: 1))?.count { $0.state == "sending" }
      if sends == 2 { facts.products[1]?.price = Amount(77) }
    }
    #expect(await bench.runner(journal, meddler).outcomes(of: Plan([Bench.price(10, 12)])) == [.drifted([.price])])
    #expect(market.sends == 1)
    #expect(market.product(1)?.price == Amount(77))
  }

  /// The own delete arrives before it is sent again.
  @Test func ownLateDeleteIsNotForeign() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.lost])
    let meddler = Meddler(market: market) { facts in
      let sends = (try? journal.events(of: 1))?.count { $0.state == "sending" }
      if sends == 2 { facts.products[1] = nil }
    }
    #expect(await bench.runner(journal, meddler).outcomes(of: Plan([.delete(Bench.product)])).map(\.label) == ["done"])
    #expect(market.sends == 1)
  }

  /// The request certainly wasn't processed: the current values come from another writer.
  @Test func unsentRequestIsNoCauseOfAChange() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.unsent])
    let meddler = Meddler(market: market) { facts in
      if facts.sends == 1 { facts.products[1]?.stock = 4 }
    }
    #expect(await bench.runner(journal, meddler).outcomes(of: plan(3, 4, isRelative: true)) == [.drifted([.stock])])
    #expect(market.sends == 1)
  }

  /// A computed edit that was answered with 429: whether a proxy passed it on, or another client wrote, only a person can
  /// tell. It is neither sent again nor called not applied, in this process and in `resume`.
  @Test(arguments: [1, 61], [4, 5, nil])
  func computedEditAfter429IsAskedAbout(wait: Int, stock: Int?) async throws {
    let journal = try bench.journal()
    let fault: ScriptedMarket.Fault = stock == nil ? .appliedTooMany(.seconds(wait)) : .tooMany(.seconds(wait))
    let market = bench.market([Bench.product], [fault])
    let meddler = Meddler(market: market) { facts in
      if let stock, facts.sends == 1 { facts.products[1]?.stock = stock }
    }
    let outcomes = await bench.runner(journal, meddler).outcomes(of: plan(3, 4, isRelative: true))
    let evidence = Evidence.all([
      .mayBePassedOn, .values(.stock, before: "3", wanted: "4", now: String(stock ?? 4)),
    ])
    #expect(outcomes == [.needsDecision(evidence)])
    #expect(try journal.entry(1)?.detail == evidence)
    #expect(try journal.undecidedEntries(Bench.binding).map(\.id) == [1])
    #expect(try await bench.runner(journal, market).resume().isEmpty)
    #expect(market.sends == 1)
  }

  /// The product is as before: it is sent again, by this process after a short wait, and else by `resume`.
  @Test(arguments: [(1, "done"), (61, "refused")])
  func computedEditAfter429IsSentAgainIfNothingChanged(wait: Int, word: String) async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.tooMany(.seconds(wait))])
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: plan(3, 4, isRelative: true)).map(\.label) == [word])
    if word == "refused" { #expect(try await runner.resume().map(\.outcome.label) == ["done"]) }
    #expect(market.sends == 2)
    #expect(market.product(1)?.stock == 4)
  }

  /// It changed between the answer and `resume`.
  @Test func computedEditThatWasDeferredIsAskedAboutLater() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.tooMany(.seconds(61))])
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: plan(3, 4, isRelative: true)).map(\.label) == ["refused"])
    market.edit { $0.products[1]?.stock = 4 }
    let evidence = Evidence.all([.mayBePassedOn, .values(.stock, before: "3", wanted: "4", now: "4")])
    #expect(try await runner.resume().map(\.outcome) == [.needsDecision(evidence)])
    #expect(market.sends == 1)
  }

  @Test func productDeletedByOthersIsForeign() async throws {
    let journal = try bench.journal()
    let market = bench.market([Bench.product], [.unsent, .unsent, .unsent])
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([.delete(Bench.product)])).map(\.label) == ["not-sent"])
    market.edit { $0.products[1] = nil }
    #expect(try await runner.resume().map(\.outcome.label) == ["refused"])
    await #expect(throws: UndoError.nothingToUndo) { try await runner.undoPlan(.last) }
  }

  /// A create that wasn't found is there when it is to be sent again, but altered: it stays undecided and isn't sent.
  @Test func alteredLateCreateIsUndecided() async throws {
    let journal = try bench.journal()
    let market = bench.market([], [.lost, .lost, .lost])
    market.edit { $0.keepsMarker = false }
    let runner = bench.runner(journal, market)
    #expect(await runner.outcomes(of: Plan([.create(Bench.draft)])).map(\.label) == ["unknown"])
    market.edit {
      var late = Bench.product
      (late.id, late.name) = (100, "Mug")
      $0.products[100] = late
    }
    #expect(try await runner.resend(1)?.outcome == .needsDecision(.candidates([100])))
    #expect(market.sends == 1)
    // The user says that it is the one: the log has the product and what was sent, and an undo deletes it.
    #expect(try journal.recordDecision(1, wasApplied: true))
    let entry = try #require(try journal.entry(1))
    #expect(entry.status == .done && entry.product == 100 && entry.after?.price == Bench.draft.price)
    await #expect(throws: UndoError.self) { try await runner.undoPlan(.last) }
    market.edit {
      $0.products[100]?.name = Bench.draft.name
      $0.products[100]?.description = Bench.draft.description
      $0.products[100]?.price = Bench.draft.price
      $0.products[100]?.stock = Bench.draft.stock
    }
    let undo = try await runner.undoPlan(.last)
    guard case .delete(let product)? = undo.plan.changes.first else { return #expect(Bool(false)) }
    #expect(product.id == 100)
  }

  /// Some editions compute the sale price from the current price and discount, not from those that were read before.
  @Test func dependentFieldUsesTheCurrentValue() async throws {
    let market = bench.market()
    market.edit { $0.products[1]?.discount = Amount(4) }
    let journal = try bench.journal()
    #expect(await bench.runner(journal, market).outcomes(of: Plan([Bench.price(10, 20)])).map(\.label) == ["done"])
    guard case .edit(let product, _, _)? = try journal.entry(1)?.change else { return #expect(Bool(false)) }
    #expect(product.discount == Amount(4))
  }
}
