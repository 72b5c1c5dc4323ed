import Catalog
import Synchronization
import Testing

@testable import WriteJournal

/// The rows of a plan keep what belongs to them, whatever is left out before them.
@Suite struct PlanTests {
  /// Five rows: product 1 has the wanted values, product 3 was changed by others, and the others are sent.
  private static let plan = {
    var plan = Plan()
    for id in 1...5 {
      let product = Product(id: id, name: "p\(id)", price: Amount(10))
      let isSame = id == 1
      plan.append(
        product, from: isSame ? ProductValues() : ProductValues(price: Amount(10)),
        to: isSame ? ProductValues() : ProductValues(price: Amount(10 + id)), computedBy: ["price+=\(id)"])
      plan.rows[id - 1].place = .line(id)
      if id == 3 { plan.rows[2].skip(as: .drifted([.price])) }
    }
    return plan
  }()

  /// A user counts the changes that are shown: 2, 4 and 5.
  @Test(
    arguments: [
      ([], [1, 2, 3, 4, 5]), ([0], [1, 3, 4, 5]), ([1], [1, 2, 3, 5]), ([0, 2], [1, 3, 4]), ([0, 1, 2], [1, 3]),
      ([3], [1, 2, 3, 4, 5]),
    ] as [(Set<Int>, [Int])])
  func changesAreLeftOutByTheirNumber(_ positions: Set<Int>, _ left: [Int]) {
    var rest = Self.plan
    let removed = rest.removeChanges(at: positions)
    #expect(Set(removed.compactMap { $0.planned.product?.id }).union(left) == Set(1...5))
    #expect(rest.rows.map { $0.planned.product?.id } == left)
    #expect(rest.rows.allSatisfy { row in row.planned.product.map { row.place == .line($0.id) } ?? false })
    #expect(
      rest.rows.allSatisfy { row in row.planned.product.map { row.origin.formulas == ["price+=\($0.id)"] } ?? false })
    #expect(rest.changes.count == left.count { [2, 4, 5].contains($0) })
  }

  /// Each outcome is in the row of its product, and the entry of the log is that of the product.
  @Test func outcomesAreInTheirRows() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let products = Self.plan.rows.compactMap(\.planned.product)
    // The market refuses the second request, which is that of product 4.
    let market = bench.market(products, [.fine, .refused(400, .invalid), .fine])
    let made = await bench.runner(journal, market).run(Self.plan, pace: BatchOptions(concurrency: 1))
    #expect(made.rows.map(\.result.label) == ["unchanged", "done", "drifted", "refused", "done"])
    #expect(made.rows.map { $0.entry == nil } == [true, false, true, false, false])
    for row in made.rows {
      guard let entry = row.entry else { continue }
      #expect(try journal.entry(entry)?.product == row.planned.product?.id)
    }
    #expect(made.rows.map(\.place) == Self.plan.rows.map(\.place))
  }

  /// The rows that are reported while a batch runs are those of the plan, each with its outcome.
  @Test func rowsAreReportedWhenTheyEnd() async throws {
    let bench = Bench()
    let market = bench.market(Self.plan.rows.compactMap(\.planned.product))
    let reported = Reported()
    let made = await bench.runner(try bench.journal(), market).run(
      Self.plan, pace: BatchOptions(concurrency: 1), reporting: { reported.add($0) < 2 })
    #expect(reported.rows.map { $0.planned.product?.id } == [2, 4, 5])
    #expect(reported.rows.map(\.result.label) == ["done", "done", "skipped"])
    #expect(reported.rows.allSatisfy { $0.entry != nil })
    #expect(made.rows.map(\.result.label) == ["unchanged", "done", "drifted", "done", "skipped"])
  }

  @Test func equalRowsOfASourceAreNumbered() {
    var plan = Plan([.create(Bench.draft), Bench.price(10, 12), .create(Bench.draft), .create(Bench.draft)])
    plan.rows[2].digest = "d"
    plan.rows[1].skip(as: .unchanged(Bench.product))
    plan.setSource("import /a.csv", isAnother: true)
    let content = Change.create(Bench.draft).subject
    #expect(plan.rows.map { $0.origin.source?.part } == [content + "#0", nil, "d#0", content + "#1"])
    #expect(plan.rows.map(\.origin.isAnother) == [true, false, true, true])
  }

  /// A row has something to send, is left for others' values, or has its values already.
  @Test(
    arguments: [
      (ProductValues(price: Amount(12)), [], "skipped"), (ProductValues(price: Amount(12)), [.stock], "skipped"),
      (ProductValues(), [.stock], "drifted"), (ProductValues(), [], "unchanged"),
    ] as [(ProductValues, [ProductField], String)])
  func reconciledProductIsARow(_ to: ProductValues, _ left: [ProductField], _ label: String) {
    let row = Plan.Row(Bench.product, from: ProductValues(of: Bench.product, like: to), to: to, leaving: left)
    #expect(row.result.label == label)
    #expect((row.change != nil) == !to.isEmpty)
    #expect(row.skippedFields == (to.isEmpty ? [] : left))
    #expect(row.isDrifted == !left.isEmpty)
  }

  /// A change that was applied without some of its fields isn't done.
  @Test func skippedFieldsAreInTheResult() {
    var row = Plan.Row(Bench.price(10, 12))
    row.skippedFields = [.stock]
    #expect(row.isDrifted && row.result == .notStarted)
    row.outcome = .done(Bench.product, differences: [])
    #expect(row.result == .drifted([.stock]))
    row.outcome = .notSent(.noResponse)
    #expect(row.result == .notSent(.noResponse))
  }
}

/// The rows that were reported, in their order.
private final class Reported: Sendable {
  private let all = Mutex<[Plan.Row]>([])

  var rows: [Plan.Row] { all.withLock { $0 } }

  /// Adds a row, and returns the number of rows.
  func add(_ row: Plan.Row) -> Int {
    all.withLock { rows in
      rows.append(row)
      return rows.count
    }
  }
}
