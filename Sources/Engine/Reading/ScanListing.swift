import Catalog
import Failures
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Scanning
import Text

/// A listing of the whole market instead of one page: read, filtered, sorted and limited.
struct ScanListing {
  let market: Client<Market>
  let query: ListQuery
  let scan: ScanQuery

  /// The maximum number of rows that `@3` and `patch @all` can refer to.
  ///
  /// A longer streamed list isn't stored.
  private static let mostRemembered = 20_000

  /// Returns the products, even if the scan ended early.
  ///
  /// The reason is then reported, and determines the exit status.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - execution: The state of the command.
  ///   - sink: Receives the rows of a long list as they arrive. The listing then contains those that are stored.
  ///   - context: The dependencies.
  /// - Returns: The listing.
  /// - Throws: The errors of the client and of `sink`.
  func read(
    _ session: Session, _ execution: inout Execution, into sink: RowSink?, in context: Context
  ) async throws -> Listing {
    let filter = try ProductFilter(
      scan.condition?.resolved(at: context.seconds), search: query.search, order: scan.order,
      me: session.credentials.vendorID, market.service.edition)
    filter.say(in: context, session)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    let size = Scan.usualSize
    var best = scan.order.flatMap { order in scan.limit.map { BestProducts($0, by: order) } }
    let source = Scan(
      market, search: filter.serverSearch, size: size, wanted: filter.rows, pages: scan.pages
    ) { progress.tell($0) }
    // Without an order, reading stops as soon as there are enough products.
    let enough = scan.order == nil ? scan.limit : nil
    let isKept = scan.condition == nil && query.search == nil
    // A late delivery is searched for in every row.
    let remembered = Journal.mayAwaitArrivals(in: context.home.journalFolder) ? .max : ScanListing.mostRemembered
    var found: [Product] = []
    var count = 0
    do {
      let result = try await source.each { products in
        var chosen = try await filter.chosen(products, of: market)
        if let enough { chosen = Array(chosen.prefix(enough - count)) }
        count += chosen.count
        best?.add(chosen)
        if best == nil || isKept { found += chosen }
        if best != nil, count > VersionKeeper.most { found = [] }
        var goesOn = enough.map { count < $0 } ?? true
        if let sink, count > RowSink.gathered {
          if sink.isSeen { progress.end() }
          goesOn = try await sink.put(sink.isOpen ? chosen : found) && goesOn
          if count > remembered { found = [] }
        }
        return goesOn
      }
      progress.clear()
      if count == 0 { try result.throwIfCutShort() }
      // After Ctrl-C, thousands of rows are neither sorted nor printed.
      if case .interrupted = result.end, best == nil, found.count > RowSink.gathered, sink?.isOpen != true,
        !query.isPaged, context.console.outputIsTerminal
      {
        throw CancellationError()
      }
      // Messages would interrupt the pager, so they are printed after it.
      let isShown = sink?.isSeen == true && sink?.isOpen == true
      if !isShown { settle(result, session, &execution, context) }
      result.order(&found)
      let isWhole = result.complete && isKept && found.count == result.productsRead
      if isWhole, found.count <= VersionKeeper.most { context.keepVersion(found, session) }
      if let best { found = best.products } else if let order = scan.order { found = order.sorted(found) }
      // Rows that couldn't be among the first were skipped without being counted.
      let whole = listing(found, of: best != nil && isKept ? result.productsRead : count, result)
      if let sink, sink.isOpen {
        if sink.takesParts || execution.ending == .success {
          try await sink.finish(whole)
        } else {
          await sink.abandon()
        }
      }
      if isShown { settle(result, session, &execution, context) }
      return whole
    } catch {
      await sink?.abandon()
      throw error
    }
  }

  /// Reports why a scan is incomplete.
  ///
  /// The products read so far are shown nevertheless, on a terminal before the reason.
  private func settle(_ result: ScanResult, _ session: Session, _ execution: inout Execution, _ context: Context) {
    func tell(_ message: Message) {
      if context.console.outputIsTerminal {
        execution.closingMessages.append(message)
      } else {
        context.say(message, session)
      }
    }
    if let overlap = result.overlap { tell(overlap) }
    switch result.end {
    case .reached, .repeated, .enough: break
    case .unending(let limit):
      execution.ending = .refused
      tell(Failure(UnendingList(limit: limit)).message)
    case .interrupted:
      execution.ending = .interrupted
      tell(.note("Interrupted. Showing what was read so far.", ko: "중단했습니다. 지금까지 읽은 결과입니다."))
    case .failed(let error):
      let failure = Failure(describing: error)
      execution.ending = failure.code
      tell(failure.message)
      tell(.warning("The rest could not be read. Showing what was read so far.", ko: "나머지를 읽지 못했습니다. 그 전까지 읽은 결과입니다."))
    }
  }

  private func listing(_ products: [Product], of found: Int, _ result: ScanResult) -> Listing {
    // If reading stopped because there were enough products, their total isn't known.
    var total: Int? = found
    if case .enough = result.end { total = nil }
    let page = Page(
      number: 1, total: total, last: 1, hasNext: false, hasPrevious: false, products: products, broken: result.broken)
    return Listing(page, columns: query.columns, layout: query.layout, search: query.search, scan: result.listed)
  }
}

/// Finds many products by id in the pages of the list, if that needs fewer requests than reading each one.
struct ListedProducts {
  /// The number of products below which they are read one by one.
  private static let many = 100
  /// The approximate number of products that can be read in the time of one page of the list.
  private static let readsAPage = 4

  private let market: Client<Market>
  private let context: Context

  init(_ market: Client<Market>, _ context: Context) {
    self.market = market
    self.context = context
  }

  /// Returns the products whose rows contain all of `fields`, by id; the others must be read.
  ///
  /// If the list is too long for that, the result is empty.
  ///
  /// A row shows a product at one instant, like a response of its own. If the list changes during the scan, products
  /// can only be missing.
  ///
  /// - Parameters:
  ///   - ids: The ids.
  ///   - fields: The required fields.
  ///   - session: The session.
  /// - Returns: The products by id.
  /// - Throws: The client's errors.
  func find(
    _ ids: [Product.ID], telling fields: Set<Field>, _ session: Session
  ) async throws -> [Product.ID: Product] {
    guard ids.count >= ListedProducts.many else { return [:] }
    guard fields.isDisjoint(with: market.service.edition.traits.notInRows) else { return [:] }
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    let scan = Scan(market) { progress.tell($0) }
    guard let pages = try await scan.page(1).last, pages * ListedProducts.readsAPage < ids.count else { return [:] }
    let wanted = Set(ids)
    var found: [Product.ID: Product] = [:]
    let result = try await scan.each { products in
      for product in products where wanted.contains(product.id) && product.tells(fields) {
        found[product.id] = product
      }
      return found.count < wanted.count
    }
    try result.throwIfCutShort()
    return found
  }
}
