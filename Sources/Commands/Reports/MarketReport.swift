import Catalog
import History
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A report of the changes in a market during a span, and of its offer now.
///
/// The log knows what this home wrote; saved versions, what others changed and how the stock moved; one read of the whole
/// list, what is so now. Each part says which of them it is from, and of when.
struct MarketReport {
  /// A sale that began or ended in the span.
  struct Sale: Hashable, Sendable {
    /// A sale as far as it is known.
    enum State: Hashable, Sendable {
      case planned, running, overdue, ended, canceled
    }

    var number: Int
    var percent: Amount?
    var products: Int
    var begins: Timestamp?
    var ends: Timestamp?
    var state: State
  }

  /// A product with what its readings say.
  struct Stock: Sendable {
    var product: Product
    /// The last reading with something in stock, of a product that is sold out.
    var lastInStock: StockForecast.Reading?
    /// The forecast from the readings, or `nil` if there are fewer than two.
    var forecast: StockForecast?
  }

  /// The values of an earlier version.
  struct Earlier: Sendable {
    var totals: ProductTotals
    var time: Timestamp
    var isComplete: Bool
  }

  /// The name of a saved report.
  var name: String?
  var span: ReportSpan
  var profile: String
  /// A Boolean value that indicates that the report is about the vendor's own products alone.
  var isMine: Bool
  /// The columns of the table of products, or `nil` for a report without one.
  var columns: [ProductField]?
  /// The time of the read of the market.
  var readAt: Timestamp
  /// A Boolean value that is false if the read may have missed products.
  var isComplete: Bool
  var products: [Product] = []
  /// The writes of this home in the span, the oldest first.
  var writes: [JournalEntry] = []
  /// The differences between a version and the end of the span that no entry of the log explains.
  var differences: [ProductDifference] = []
  /// The number of writes of this home in that time whose effect isn't known, and may be the reason of differences.
  var unknownWrites = 0
  /// The times between which the differences were seen, or `nil` without a version.
  var compared: (from: Timestamp, to: Timestamp)?
  var sales: [Sale] = []
  var soldOut: [Stock] = []
  /// The products that sold something and aren't sold out, first those that will be gone first.
  var sold: [Stock] = []
  /// The number of saved versions from which the stock is known.
  var versions = 0
  /// The time of the first of them.
  var firstVersion: Timestamp?
  var totals = ProductTotals()
  var earlier: Earlier?
}

/// Reads what a report is about.
struct MarketReportReader {
  /// The minimum time before now from which readings of the stock are used.
  private static let readingDays: Int64 = 28
  private static let day: Int64 = 86_400
  /// The fields whose changes by others are told. Their stock is a part of its own.
  private static let compared: [ProductField] = [.name, .price, .discount, .currency, .description]

  let name: String?
  let span: ReportSpan
  let columns: [ProductField]?
  let isOfAll: Bool

  /// Reads the market, the log and the saved versions.
  ///
  /// - Throws: The error that ended the read of the market early; `JournalError`; `CommandError` if versions can't be read.
  func read(in scope: inout CommandScope) async throws -> MarketReport {
    let market = try await scope.marketClient()
    // Before this read is saved as a version of its own.
    let stored = scope.context.stores.recording.snapshots == nil ? nil : try await SavedVersions(in: &scope)
    let me = scope.session.credentials.vendorID
    let isMine = !isOfAll && me != nil && scope.session.server.hasVendorAccounts
    func isChosen(_ product: Product) -> Bool { !isMine || product.vendorID == me }
    var all: [Product] = []
    let result = try await MarketScan(market, scope).forEachBatchToEnd { all += $0 }
    if result.isComplete, all.count <= SnapshotRecorder.maxProducts { scope.recordSnapshot(all) }
    var report = MarketReport(
      name: name, span: span, profile: scope.session.server.name, isMine: isMine, columns: columns,
      readAt: Timestamp(seconds: scope.context.clock.seconds, isUTC: true), isComplete: result.isComplete)
    report.products = all.filter(isChosen)
    for product in report.products { report.totals.add(product) }
    let entries = try entries(in: scope)
    report.writes = entries.filter { span.contains($0.ended ?? $0.time) }
    report.sales = sales(in: scope)
    if let stored {
      try compare(&report, with: stored, all: all, entries, isChosen: isChosen)
      try readStock(&report, from: stored, entries)
    }
    return report
  }

  /// Returns the writes at this market from the first time of interest until now, the oldest first.
  private func entries(in scope: CommandScope) throws -> [JournalEntry] {
    guard Journal.exists(in: scope.context.stores.home.journalFolder), let base = scope.session.destination?.baseURL
    else {
      return []
    }
    let start = Timestamp(seconds: max(0, firstReading(scope.context.clock.seconds)), isUTC: true)
    return try scope.context.stores.journal().entries(since: start, at: base).reversed()
  }

  private func firstReading(_ now: Int64) -> Int64 {
    min(span.start, now - MarketReportReader.readingDays * MarketReportReader.day)
  }

  // MARK: Differences

  /// Compares the last version up to the beginning of the span, or else the first one in it, with the end of the span.
  private func compare(
    _ report: inout MarketReport, with stored: SavedVersions, all: [Product], _ entries: [JournalEntry],
    isChosen: (Product) -> Bool
  ) throws {
    guard
      let early = stored.all.last(where: { $0.capturedAt <= span.start && $0.isComplete })
        ?? stored.all.first(where: { span.contains(Timestamp(seconds: $0.capturedAt, isUTC: true)) && $0.isComplete })
    else { return }
    let before = try stored.products(in: early).filter(isChosen)
    var totals = ProductTotals()
    for product in before { totals.add(product) }
    let from = Timestamp(seconds: early.capturedAt, isUTC: true)
    report.earlier = MarketReport.Earlier(totals: totals, time: from, isComplete: early.isComplete)
    var after = report.products
    var to = report.readAt
    if let end = span.end {
      guard let late = stored.all.last(where: { $0.capturedAt <= end && $0.isComplete }), late.number > early.number
      else { return }
      after = try stored.products(in: late).filter(isChosen)
      to = Timestamp(seconds: late.capturedAt, isUTC: true)
    } else if !report.isComplete {
      return
    }
    report.compared = (from, to)
    let later = entries.filter { entry in
      let time = entry.ended ?? entry.time
      return time >= from && (span.end == nil || time <= to)
    }
    report.unknownWrites = later.count { entry in
      entry.status == .unknown || entry.status == .done && (entry.change == nil || !entry.contested.isEmpty)
    }
    let own = OwnChanges(later)
    let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
    let new = Dictionary(after.map { ($0.id, $0) }) { first, _ in first }
    report.differences = Set(old.keys).union(new.keys).sorted().flatMap { id in
      ProductDifference.of(old[id], new[id], in: MarketReportReader.compared).filter { !own.explain($0, of: id) }
    }
  }

  /// The writes of this home to products.
  private struct OwnChanges {
    private var created: Set<Product.ID> = []
    private var deleted: Set<Product.ID> = []
    private var fields: [Product.ID: Set<ProductField>] = [:]

    init(_ entries: [JournalEntry]) {
      for entry in entries where entry.status == .done || entry.status == .undone {
        guard let id = entry.product else { continue }
        switch entry.action {
        case .create: created.insert(id)
        case .delete: deleted.insert(id)
        case .patch: fields[id, default: []].formUnion(entry.after?.assignedFields ?? [])
        case .raw: break
        }
      }
    }

    /// Returns whether a write of this home is the reason for a difference, as far as the log tells.
    func explain(_ difference: ProductDifference, of id: Product.ID) -> Bool {
      switch difference.kind {
      case .added: created.contains(id)
      case .removed: deleted.contains(id)
      case .changed(let field): fields[id]?.contains(field) ?? false
      }
    }
  }

  // MARK: Stock

  private func readStock(
    _ report: inout MarketReport, from stored: SavedVersions, _ entries: [JournalEntry]
  ) throws {
    let start = firstReading(report.readAt.seconds)
    let versions = stored.all.filter {
      $0.isComplete && $0.capturedAt >= start && $0.capturedAt <= report.readAt.seconds
    }
    report.versions = versions.count
    report.firstVersion = versions.first.map { Timestamp(seconds: $0.capturedAt, isUTC: true) }
    guard let first = versions.first, report.isComplete else {
      report.soldOut = report.products.filter { $0.stock == 0 }.map { MarketReport.Stock(product: $0) }
      return
    }
    let writes = Dictionary(grouping: entries.filter { $0.product != nil }) { $0.product ?? 0 }
    for product in report.products {
      guard let stock = product.stock else { continue }
      let states = try stored.history(of: product.id, since: first.capturedAt)
      let now = StockForecast.Reading(time: report.readAt.seconds, stock: stock)
      let readings = MarketReportReader.readings(states, versions, writes[product.id] ?? [], now: now)
      let forecast = StockForecast(readings)
      if stock == 0 {
        let last = readings.last { !$0.isOwn && $0.stock > 0 }
        report.soldOut.append(MarketReport.Stock(product: product, lastInStock: last, forecast: forecast))
      } else if let forecast, forecast.sold > 0 {
        report.sold.append(MarketReport.Stock(product: product, forecast: forecast))
      }
    }
    report.sold.sort {
      ($0.forecast?.gone ?? .max, $0.product.id) < ($1.forecast?.gone ?? .max, $1.product.id)
    }
  }

  /// Returns the readings of a product: one for each version in which it was, those that the log has from before and after
  /// its writes, and the one of now.
  static func readings(
    _ states: [(taken: Int64, product: Product?)], _ versions: [MarketSnapshot], _ entries: [JournalEntry],
    now: StockForecast.Reading
  ) -> [StockForecast.Reading] {
    var readings = versions.compactMap { version -> StockForecast.Reading? in
      let state = states.last { $0.taken <= version.capturedAt }
      return state?.product?.stock.map { StockForecast.Reading(time: version.capturedAt, stock: $0) }
    }
    for entry in entries where entry.status == .done || entry.status == .undone {
      guard case .edit(let product, _, _)? = entry.change, let stock = entry.after?.stock,
        !entry.contested.contains(.stock)
      else { continue }
      if let before = entry.snapshot?.stock ?? entry.before?.stock ?? product.stock {
        readings.append(StockForecast.Reading(time: entry.time.seconds, stock: before))
      }
      readings.append(
        StockForecast.Reading(time: (entry.ended ?? entry.time).seconds, stock: stock, isOwn: true))
    }
    let sorted = readings.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    return sorted.map(\.element).filter { $0.time <= now.time } + [now]
  }

  // MARK: Sales

  /// Returns the sales of this market that begin or end in the span, or are running.
  private func sales(in scope: CommandScope) -> [MarketReport.Sale] {
    let store = ScheduledPlanStore(scope.context.stores.home)
    let now = scope.context.clock.timestamp
    let market = scope.session.market
    func isHere(_ sale: ScheduledSale) -> Bool { sale.destination?.market.isSame(as: market) == true }
    func isInSpan(_ sale: ScheduledSale) -> Bool {
      [sale.begins, sale.ends].contains { $0.map(span.contains) ?? false }
    }
    let open = store.sales(scope.session.limits).sales.filter { isHere($0) && (isInSpan($0) || $0.hasBegun) }
    let former = store.formerSales(scope.session.limits).filter { isHere($0) && isInSpan($0) }
    func row(_ sale: ScheduledSale, _ state: MarketReport.Sale.State) -> MarketReport.Sale {
      let percent: Amount? = if case .rule(_, let rule, _) = sale.form { rule.percent } else { nil }
      return MarketReport.Sale(
        number: sale.number, percent: percent, products: sale.products.count, begins: sale.begins, ends: sale.ends,
        state: state)
    }
    return
      (open.map { sale in
        let state: MarketReport.Sale.State =
          switch sale.state(now) {
          case .planned: .planned
          case .due, .over: .overdue
          case .running: .running
          }
        return row(sale, state)
      }
      + former.map { row($0, $0.wasBegun ? .ended : .canceled) }).sorted { $0.number < $1.number }
  }
}
