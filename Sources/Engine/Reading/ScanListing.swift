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

/// A listing of the whole market instead of one page: read, chosen, sorted, cut.
struct ScanListing {
  let market: Client<Market>
  let query: ListQuery
  let scan: ScanQuery

  /// Rows that are gathered before they are handed on one page at a time: a list that is no longer is shown as one piece.
  private static let gathered = 1_000
  /// Rows that `@3` and `patch @all` can mean; of a longer list that was handed on none is remembered.
  private static let mostRemembered = 20_000

  /// What came, also when it was cut short; the reason is then said beside it and kept as how the command ends.
  ///
  /// - Parameter sink: takes the rows of a long list as they come; the listing then holds those that are remembered.
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
      market, search: filter.serverSearch, size: size, wanted: filter.rows,
      narrowed: best?.narrowed(filter).map { (above: VersionKeeper.most, wanted: $0) }, pages: scan.pages
    ) { progress.tell($0) }
    // Without an order to wait for, enough is enough.
    let enough = scan.order == nil ? scan.limit : nil
    let isKept = scan.condition == nil && query.search == nil
    // A write that may still arrive is looked for in every row.
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
        if let sink, count > ScanListing.gathered {
          if sink.isSeen { progress.end() }
          goesOn = try await sink.put(sink.isOpen ? chosen : found) && goesOn
          if count > remembered { found = [] }
        }
        return goesOn
      }
      progress.clear()
      if count == 0 { try result.throwIfCutShort() }
      // Words would stand in the middle of what a pager shows; they come behind it.
      let isShown = sink?.isSeen == true && sink?.isOpen == true
      if !isShown { settle(result, session, &execution, context) }
      result.order(&found)
      let isWhole = result.complete && isKept && found.count == result.productsRead
      if isWhole, found.count <= VersionKeeper.most { context.keepVersion(found, session) }
      if let best { found = best.products } else if let order = scan.order { found = order.sorted(found) }
      // Rows that could not be among the first were passed over uncounted.
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

  /// Says why a scan is not whole; the products that came are shown all the same.
  private func settle(_ result: ScanResult, _ session: Session, _ execution: inout Execution, _ context: Context) {
    if let overlap = result.overlap { context.say(overlap, session) }
    switch result.end {
    case .reached, .repeated, .enough: break
    case .unending(let limit):
      execution.ending = .refused
      context.say(Failure(UnendingList(limit: limit)).message, session)
    case .interrupted:
      execution.ending = .interrupted
      context.say(.note("Interrupted; this is what came until then.", ko: "중단했습니다. 그때까지 읽은 결과입니다."), session)
    case .failed(let error):
      let failure = Failure(describing: error)
      execution.ending = failure.code
      context.say(failure.message, session)
      context.say(
        .warning("The rest could not be read; this is what came before.", ko: "나머지를 읽지 못했습니다. 그 전까지 읽은 결과입니다."), session
      )
    }
  }

  private func listing(_ products: [Product], of found: Int, _ result: ScanResult) -> Listing {
    // Where reading stopped because there were enough, nobody knows how many there are.
    var total: Int? = found
    if case .enough = result.end { total = nil }
    let page = Page(
      number: 1, total: total, last: 1, hasNext: false, hasPrevious: false, products: products, broken: result.broken)
    return Listing(page, columns: query.columns, layout: query.layout, search: query.search, scan: result.listed)
  }
}

/// Finds many products by their ids in the pages of the list, where that asks the server for less than reading each would.
struct ListedProducts {
  /// Fewer than these are read one by one without a thought.
  private static let many = 100
  /// About how many products can be read in the time one page of the list takes.
  private static let readsAPage = 4

  private let market: Client<Market>
  private let context: Context

  init(_ market: Client<Market>, _ context: Context) {
    self.market = market
    self.context = context
  }

  /// Those whose rows tell all of `fields`, by id; the others must be read. None where the list is too long to pay.
  ///
  /// A row is what the server said of the product at one instant, as good as an answer of its own: a list that moves
  /// meanwhile can only leave products out.
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
