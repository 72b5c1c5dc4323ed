import Catalog
import Testing

/// The decisions of a three-way comparison, which every form of rows has in common.
@Suite struct ReconciliationTests {
  typealias Decision = Reconciliation.Decision

  struct FieldCase: CustomTestStringConvertible, Sendable {
    var base: Int?
    var mine: Int?
    var market: Int?
    var decision: Decision
    var planned: Decision?

    init(_ base: Int?, _ mine: Int?, _ market: Int?, _ decision: Decision, planned: Decision? = nil) {
      (self.base, self.mine, self.market, self.decision) = (base, mine, market, decision)
      self.planned = planned
    }

    var testDescription: String { "\([base, mine, market].map { $0.map { String($0) } ?? "-" })" }
  }

  private static func value(_ number: Int?) -> FieldValue? { number.map { .number($0) } }

  /// Base, mine, market: an empty one isn't stated. A plan writes only to what it saw.
  @Test(arguments: [
    FieldCase(1, 1, 1, .unchanged), FieldCase(1, 2, 2, .unchanged), FieldCase(1, 2, 1, .write),
    FieldCase(1, 1, 2, .outdated), FieldCase(1, 2, 3, .conflict), FieldCase(nil, 2, 2, .unchanged),
    FieldCase(nil, 2, 3, .conflict), FieldCase(nil, 2, nil, .write), FieldCase(nil, nil, 2, .outdated),
    FieldCase(1, nil, 1, .unchanged), FieldCase(1, nil, 2, .outdated), FieldCase(nil, nil, nil, .unchanged),
    FieldCase(1, 1, nil, .unchanged, planned: .conflict), FieldCase(1, 2, nil, .write, planned: .conflict),
  ])
  func fieldIsDecided(_ row: FieldCase) {
    let (base, mine, market) = (Self.value(row.base), Self.value(row.mine), Self.value(row.market))
    #expect(Decision(base: base, mine: mine, market: market) == row.decision)
    #expect(Decision(planned: mine, from: base, current: market) == row.planned ?? row.decision)
  }

  /// Where the market was written from the rows since the base, either value may be the one that mine comes from.
  @Test(
    arguments: [
      ([1, 2], 1, 1, .unchanged), ([1, 2], 1, 2, .write), ([1, 2], 2, 1, .write), ([1, 2], 2, 3, .conflict),
      ([1, 2], 3, 2, .write), ([2, 2], 2, 3, .outdated),
    ] as [([Int], Int, Int, Reconciliation.Decision)])
  func valueOfSeveralBasesIsDecided(_ bases: [Int], _ mine: Int, _ market: Int, _ decision: Reconciliation.Decision) {
    #expect(Decision(bases: bases.map { .number($0) }, mine: .number(mine), market: .number(market)) == decision)
  }

  struct ProductCase: CustomTestStringConvertible, Sendable {
    var base: Int?
    var mine: Int?
    var market: Int?
    /// The decisions without a winner, if mine wins, and if the market wins.
    var decisions: [Decision]

    init(_ base: Int?, _ mine: Int?, _ market: Int?, _ decisions: Decision...) {
      (self.base, self.mine, self.market) = (base, mine, market)
      self.decisions = decisions.count == 1 ? Array(repeating: decisions[0], count: 3) : decisions
    }

    var testDescription: String { "\([base, mine, market].map { $0.map { String($0) } ?? "-" })" }
  }

  /// The stock of a product: an empty one is a product that isn't there.
  @Test(arguments: [
    ProductCase(nil, 1, nil, .created), ProductCase(1, 1, nil, .gone),
    ProductCase(1, 2, nil, .conflict, .created, .gone), ProductCase(1, nil, nil, .unchanged),
    ProductCase(nil, nil, 1, .outdated), ProductCase(1, nil, 1, .write),
    ProductCase(1, nil, 2, .conflict, .write, .outdated), ProductCase(1, 1, 1, .unchanged),
    ProductCase(1, 2, 1, .write), ProductCase(1, 1, 2, .outdated),
    ProductCase(1, 2, 3, .conflict, .write, .outdated), ProductCase(nil, 1, 1, .unchanged),
    ProductCase(nil, 1, 2, .conflict, .write, .outdated),
  ])
  func productIsDecided(_ row: ProductCase) {
    func values(_ number: Int?) -> Reconciliation.Values? { Self.value(number).map { [.stock: $0] } }
    let winners = [nil, ConflictResolution.file, .server]
    let decisions = winners.map { winner in
      Reconciliation(
        base: values(row.base), mine: values(row.mine), market: values(row.market), in: [.stock], winner: winner
      ).product
    }
    #expect(decisions == row.decisions)
  }

  /// Each field goes its own way, and the new base has what both sides agree on then.
  @Test(
    arguments: [
      (nil, [.name: 2], [.price: 3], [.name: 1, .price: 3, .stock: 1, .discount: 5], [.stock]),
      (.file, [.name: 2, .stock: 2], [.price: 3], [.name: 1, .price: 3, .stock: 3, .discount: 5], []),
      (.server, [.name: 2], [.price: 3, .stock: 3], [.name: 1, .price: 3, .stock: 3, .discount: 5], []),
    ] as [(ConflictResolution?, [ProductField: Int], [ProductField: Int], [ProductField: Int], [ProductField])])
  func fieldsOfAProductAreDecidedEach(
    _ winner: ConflictResolution?, _ writes: [ProductField: Int], _ taken: [ProductField: Int],
    _ base: [ProductField: Int], _ open: [ProductField]
  ) {
    func values(_ numbers: [ProductField: Int]) -> Reconciliation.Values { numbers.mapValues { .number($0) } }
    let merge = Reconciliation(
      base: values([.name: 1, .price: 1, .stock: 1, .discount: 1]),
      mine: values([.name: 2, .price: 1, .stock: 2, .discount: 5]),
      market: values([.name: 1, .price: 3, .stock: 3, .discount: 5]), in: [.name, .price, .stock, .discount],
      winner: winner)
    #expect(merge.writes == values(writes))
    #expect(merge.taken == values(taken))
    #expect(merge.base == values(base))
    #expect(merge.open == open)
    #expect(merge.conflicts == [.stock])
    #expect(merge.decisions.map(\.field) == [.name, .price, .stock])
  }
}
