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
/// The log has the writes of this home; saved versions have the changes by others and the stock over time; one read of the
/// complete list has the current values. Each part says which of them it is from, and of when.
struct MarketReport {
  /// A sale that began or ended in the span.
  struct Sale: Hashable, Sendable {
    /// The state of a sale in the files of this home.
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

  /// A product with the results of its readings.
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
  }

  /// The reason why it isn't known what others changed.
  enum Incomparable: Hashable, Sendable {
    /// No version is read while exchanges are replayed.
    case replaying
    case noVersion
    /// There is a version, but no later one up to the end of the span.
    case noLaterVersion
    /// The read of the market may have missed products.
    case incompleteRead
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
  /// The time at which the log begins, if earlier writes were removed from it.
  var logBegins: Timestamp?
  /// The differences between a version and the end of the span that no entry of the log explains.
  var differences: [ProductDifference] = []
  /// The number of writes of this home in that time whose effect isn't known, and may be the reason of differences.
  var unknownWrites = 0
  /// The times between which the differences were seen, or `nil` if no two states could be compared.
  var compared: (from: Timestamp, to: Timestamp)?
  /// The reason why `compared` is `nil`.
  var incomparable = Incomparable.noVersion
  var sales: [Sale] = []
  /// The number of files of sales that can't be read.
  var unreadableSales = 0
  var soldOut: [Stock] = []
  /// The products that sold something and aren't sold out, ordered by the time at which they will be sold out.
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
  /// The fields in which states are compared. The stock is a part of its own.
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
    report.incomparable = stored == nil ? .replaying : .noVersion
    let early = stored.flatMap(earliest)
    let log = try log(from: early.map(\.capturedAt), in: scope)
    report.logBegins = log.begins
    report.writes = log.entries.filter { $0.mayHaveEnded(since: span.start, through: span.end) }
    takeSales(&report, in: scope)
    if let stored {
      if let early { try compare(&report, early, with: stored, all: all, log.entries, isChosen: isChosen) }
      try readStock(&report, from: stored, log.entries)
    }
    return report
  }

  /// Returns the writes at this market from the first time of interest until now, the oldest first, and the time at which the
  /// log begins if earlier writes were removed.
  ///
  /// - Parameter version: The time of the version with which the end of the span is compared.
  private func log(
    from version: Int64?, in scope: CommandScope
  ) throws -> (entries: [JournalEntry], begins: Timestamp?) {
    guard Journal.exists(in: scope.context.stores.home.journalFolder) else { return ([], nil) }
    let base = scope.session.marketLogin.baseURL
    let first = min(firstReading(scope.context.clock.seconds), version ?? .max)
    let start = Timestamp(seconds: max(0, first), isUTC: true)
    let journal = try scope.context.stores.journal()
    return (try journal.entries(since: start, at: base).reversed(), try journal.beginning())
  }

  private func firstReading(_ now: Int64) -> Int64 {
    min(span.start, now - MarketReportReader.readingDays * MarketReportReader.day)
  }

  // MARK: Differences

  /// Returns the last complete version up to the beginning of the span, or else the first one in it.
  private func earliest(in stored: SavedVersions) -> MarketSnapshot? {
    let versions = stored.inOrderOfTime
    return versions.last { $0.capturedAt <= span.start && $0.isComplete }
      ?? versions.first { span.contains(Timestamp(seconds: $0.capturedAt, isUTC: true)) && $0.isComplete }
  }

  /// Compares a version with the end of the span.
  private func compare(
    _ report: inout MarketReport, _ early: MarketSnapshot, with stored: SavedVersions, all: [Product],
    _ entries: [JournalEntry], isChosen: (Product) -> Bool
  ) throws {
    let before = try stored.products(in: early)
    var totals = ProductTotals()
    for product in before where isChosen(product) { totals.add(product) }
    let from = Timestamp(seconds: early.capturedAt, isUTC: true)
    report.earlier = MarketReport.Earlier(totals: totals, time: from)
    var after = all
    var to = report.readAt
    if let end = span.end {
      guard let late = stored.inOrderOfTime.last(where: { $0.capturedAt <= end && $0.isComplete }),
        late.number > early.number
      else {
        report.incomparable = .noLaterVersion
        return
      }
      after = try stored.products(in: late)
      to = Timestamp(seconds: late.capturedAt, isUTC: true)
    } else if !report.isComplete {
      report.incomparable = .incompleteRead
      return
    }
    report.compared = (from, to)
    let end = span.end == nil ? nil : to.seconds
    let later = entries.filter { $0.mayHaveEnded(since: from.seconds, through: end) }
    report.unknownWrites = later.count { entry in
      entry.status == .unknown || entry.status == .done && (entry.change == nil || !entry.contested.isEmpty)
    }
    let own = OwnChanges(later) { $0.hasEnded(since: from.seconds, through: end) }
    report.differences = own.others(from: before, to: after, isChosen: isChosen)
  }

  /// The writes of this home to products, and the values that they left.
  private struct OwnChanges {
    private var deleted: Set<Product.ID> = []
    /// The names of the products that were created.
    private var created: [Product.ID: String] = [:]
    /// The products that may have been created between the states.
    private var mayBeCreated: Set<Product.ID> = []
    /// The value of each field that was written last, after those of writes that may not be between the states.
    private var values: [Product.ID: [ProductField: [FieldValue]]] = [:]

    /// - Parameters:
    ///   - entries: The writes that are or may be between the states, in their order.
    ///   - isBetween: Returns whether a write certainly is.
    init(_ entries: [JournalEntry], isBetween: (JournalEntry) -> Bool) {
      for entry in entries where entry.status == .done || entry.status == .undone {
        guard let id = entry.product else { continue }
        let isCertain = isBetween(entry)
        switch entry.action {
        case .create:
          created[id] = entry.productName ?? ""
          // The market may have other defaults for what a create leaves out.
          take([.name, .price], of: id, from: entry.after, isCertain: isCertain)
          if !isCertain { mayBeCreated.insert(id) }
        case .delete: deleted.insert(id)
        case .patch: take(entry.after?.assignedFields ?? [], of: id, from: entry.after, isCertain: isCertain)
        case .raw: break
        }
      }
    }

    /// Adds the values that a write left, which replace those before only if it certainly was between the states.
    private mutating func take(
      _ fields: [ProductField], of id: Product.ID, from after: ProductValues?, isCertain: Bool
    ) {
      for field in fields {
        if isCertain { values[id, default: [:]][field] = nil }
        if let value = after?[field] { values[id, default: [:]][field, default: []].append(value) }
      }
    }

    /// Returns the differences between two states that the writes don't leave: those of fields that weren't written, or that have
    /// another value than the one that was written last, and of products that weren't created or deleted.
    func others(from before: [Product], to after: [Product], isChosen: (Product) -> Bool) -> [ProductDifference] {
      let old = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
      let new = Dictionary(after.map { ($0.id, $0) }) { first, _ in first }
      return Set(old.keys).union(new.keys).union(created.keys).sorted().flatMap { id -> [ProductDifference] in
        guard [old[id], new[id]].compactMap(\.self).allSatisfy(isChosen) else { return [] }
        return differences(of: id, old[id], new[id])
      }
    }

    private func differences(of id: Product.ID, _ old: Product?, _ new: Product?) -> [ProductDifference] {
      let found = ProductDifference.of(old, new, in: MarketReportReader.compared)
      switch (old, new) {
      case (nil, nil):
        if deleted.contains(id) || mayBeCreated.contains(id) { return [] }
        var product = Product(id: id)
        product.name = created[id]
        return ProductDifference.of(product, nil, in: [])
      case (nil, let product?):
        guard created[id] != nil else { return found }
        let written = values[id] ?? [:]
        return MarketReportReader.compared.compactMap { field in
          guard let all = written[field], let value = all.last, let now = product[field],
            !all.contains(where: { $0.isSame(as: now) })
          else { return nil }
          return ProductDifference(field, from: (product, value), to: (product, now))
        }
      case (_?, nil): return deleted.contains(id) ? [] : found
      case (_?, _?):
        return found.filter { one in
          guard let field = one.field, let written = values[id]?[field], let now = one.valueAfter else { return true }
          return !written.contains { $0.isSame(as: now) }
        }
      }
    }
  }

  // MARK: Stock

  private func readStock(
    _ report: inout MarketReport, from stored: SavedVersions, _ entries: [JournalEntry]
  ) throws {
    let start = firstReading(report.readAt.seconds)
    let versions = stored.inOrderOfTime.filter {
      $0.isComplete && $0.capturedAt >= start && $0.capturedAt <= report.readAt.seconds
    }
    report.versions = versions.count
    report.firstVersion = versions.first.map { Timestamp(seconds: $0.capturedAt, isUTC: true) }
    guard !versions.isEmpty, report.isComplete else {
      (report.versions, report.firstVersion) = (0, nil)
      report.soldOut = report.products.filter { $0.stock == 0 }.map { MarketReport.Stock(product: $0) }
      return
    }
    let writes = Dictionary(grouping: entries.filter { $0.product != nil }) { $0.product ?? 0 }
    for product in report.products {
      guard let stock = product.stock else { continue }
      let states = try stored.states(of: product.id)
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
    _ states: [(versions: Range<Int>, product: Product)], _ versions: [MarketSnapshot], _ entries: [JournalEntry],
    now: StockForecast.Reading
  ) -> [StockForecast.Reading] {
    var readings = versions.compactMap { version -> StockForecast.Reading? in
      let state = states.first { $0.versions.contains(version.number) }
      return state?.product.stock.map { StockForecast.Reading(time: version.capturedAt, stock: $0) }
    }
    for entry in entries where entry.status == .done || entry.status == .undone {
      guard case .edit(let product, _, _)? = entry.change, let stock = entry.after?.stock,
        !entry.contested.contains(.stock)
      else { continue }
      let uncertain = entry.uncertainTime?.lowerBound
      if let before = entry.snapshot?.stock ?? entry.before?.stock ?? product.stock {
        readings.append(StockForecast.Reading(time: (uncertain ?? entry.time).seconds, stock: before))
      }
      readings.append(
        StockForecast.Reading(time: (uncertain ?? entry.end).seconds, stock: stock, isOwn: true))
    }
    let sorted = readings.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
    return sorted.map(\.element).filter { $0.time <= now.time } + [now]
  }

  // MARK: Sales

  /// Reads the sales of this market that begin or end in the span, or are running.
  private func takeSales(_ report: inout MarketReport, in scope: CommandScope) {
    let store = ScheduledPlanStore(scope.context.stores.home)
    let now = scope.context.clock.timestamp
    let market = scope.session.market
    func isHere(_ sale: ScheduledSale) -> Bool { sale.destination?.market.isSame(as: market) == true }
    func isInSpan(_ sale: ScheduledSale) -> Bool {
      [sale.begins, sale.ends].contains { $0.map(span.contains) ?? false }
    }
    let (readable, unreadable) = store.sales(scope.session.limits)
    report.unreadableSales = unreadable.count
    let open = readable.filter { isHere($0) && (isInSpan($0) || $0.hasBegun) }
    let former = store.formerSales(scope.session.limits).filter { isHere($0) && isInSpan($0) }
    func row(_ sale: ScheduledSale, _ state: MarketReport.Sale.State) -> MarketReport.Sale {
      let percent: Amount? = if case .rule(_, let rule, _) = sale.form { rule.percent } else { nil }
      return MarketReport.Sale(
        number: sale.number, percent: percent, products: sale.products.count, begins: sale.begins, ends: sale.ends,
        state: state)
    }
    report.sales =
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
