import Catalog
import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A listing of all pages of the market instead of one: read, filtered, sorted and limited.
struct FullScanQuery {
  let market: Client<MarketService>
  let query: ListQuery
  let scan: ScanQuery

  /// The maximum number of rows that `@3` and `patch @all` can refer to.
  ///
  /// A longer streamed list isn't stored.
  private static let maximumRemembered = 20_000

  /// Returns the products, even if the scan ended early.
  ///
  /// The reason is then reported, and determines the exit status.
  ///
  /// - Parameters:
  ///   - sink: Receives the rows of a long list as they arrive. The listing then contains those that are stored.
  ///   - scope: The scope of the command.
  /// - Returns: The listing, and how the scan ended.
  /// - Throws: The errors of the client and of `sink`.
  func read(into sink: StreamingRowWriter?, in scope: CommandScope) async throws -> (Listing, ScanEnding) {
    let filter = try ProductFilter(
      scan.condition?.resolved(at: scope.context.clock.seconds), search: query.search, order: scan.order,
      me: scope.session.credentials.vendorID, market.service.dialect)
    filter.say(in: scope)
    var best = scan.order.flatMap { order in scan.limit.map { TopProducts($0, by: order) } }
    let isStored = scan.condition == nil && query.search == nil
    // All rows are decoded if the list is short enough to be stored, or if its matches are counted.
    let candidates = isStored ? best?.rows(of: filter).map { (SnapshotRecorder.maxProducts + 1, $0) } : nil
    let source = MarketScan(
      market, search: filter.serverSearch, wanted: filter.rows, wantedInLongList: candidates, pages: scan.pages,
      scope)
    // Without an order, reading stops as soon as there are enough products.
    let enough = scan.order == nil ? scan.limit : nil
    // A late delivery is searched for in every row.
    let remembered =
      Journal.hasMarker(in: scope.context.stores.home.journalFolder) ? .max : FullScanQuery.maximumRemembered
    let details = ListedDetails(for: query.columns, from: market)
    var found: [Product] = []
    var count = 0
    var ending = ScanEnding()
    do {
      let result = try await source.forEachBatch { products in
        var chosen = try await filter.filter(products, of: market)
        if let enough { chosen = Array(chosen.prefix(enough - count)) }
        count += chosen.count
        best?.add(chosen)
        if best == nil || isStored { found += chosen }
        if best != nil, count > SnapshotRecorder.maxProducts { found = [] }
        var goesOn = enough.map { count < $0 } ?? true
        if let sink, count > StreamingRowWriter.gathered {
          if sink.isSeen { source.progress.stop() }
          var rows = sink.isOpen ? chosen : found
          if let details { rows = try await details.completed(rows, in: scope) }
          goesOn = try await sink.put(rows) && goesOn
          if count > remembered { found = [] }
        }
        return goesOn
      }
      if count == 0 { try result.throwIfCutShort() }
      // After Ctrl-C, thousands of rows are neither sorted nor printed.
      if case .interrupted = result.stopReason, best == nil, found.count > StreamingRowWriter.gathered,
        sink?.isOpen != true,
        !query.showsPaged, scope.context.program.console.outputIsTerminal
      {
        throw CancellationError()
      }
      // Messages would interrupt the pager, so they are printed after it.
      let isShown = sink?.isSeen == true && sink?.isOpen == true
      if !isShown { ending = reportEnd(of: result, in: scope) }
      result.order(&found)
      let isWhole = result.isComplete && isStored && found.count == result.productsRead
      if isWhole, found.count <= SnapshotRecorder.maxProducts { scope.recordSnapshot(found) }
      if let best { found = best.products } else if let order = scan.order { found = order.sorted(found) }
      // Rows that couldn't be among the first were skipped without being counted.
      let whole = listing(found, of: best != nil && isStored ? result.productsRead : count, result, isWhole: isStored)
      if let sink, sink.isOpen {
        if sink.takesParts || !ending.isCutShort {
          try await sink.finish(whole)
        } else {
          await sink.abandon()
        }
      }
      if isShown { ending = reportEnd(of: result, in: scope) }
      return (whole, ending)
    } catch {
      await sink?.abandon()
      for message in ending.closingMessages { scope.say(message) }
      throw error
    }
  }

  /// Reports why a scan is incomplete.
  ///
  /// The products read so far are shown nevertheless, on a terminal before the reason.
  private func reportEnd(of result: ScanResult, in scope: CommandScope) -> ScanEnding {
    var ending = ScanEnding()
    func report(_ message: Message) {
      if scope.context.program.console.outputIsTerminal {
        ending.closingMessages.append(message)
      } else {
        scope.say(message)
      }
    }
    if let overlap = result.overlap { report(overlap) }
    switch result.stopReason {
    // Rows that can't be read and pages that repeat are missing from the data, which doesn't say so itself.
    case .endOfList, .repeatedPages: if !result.isComplete { ending.status = .partialFailure }
    case .consumerStopped: return ending
    case .pageLimit(let limit):
      ending.status = .partialFailure
      report(CommandError(PageLimitExceededError(limit: limit)).described)
    case .interrupted:
      ending.status = .interrupted
      report(.note("Interrupted. Showing what was read so far.", ko: "중단했습니다. 지금까지 읽은 결과입니다."))
    case .failed(let error):
      let failure = CommandError(describing: error)
      ending.status = failure.exitStatus
      report(failure.described)
      report(
        .warning("The rest could not be read. Showing what was read so far.", ko: "나머지를 읽지 못했습니다. 그 전까지 읽은 결과입니다."))
    }
    switch result.stopReason {
    case .endOfList, .repeatedPages, .consumerStopped: break
    case .pageLimit, .interrupted, .failed: ending.isCutShort = true
    }
    return ending
  }

  /// The exit status of a scan, and the messages that follow its rows on a terminal.
  struct ScanEnding {
    var status = ExitStatus.success
    /// A Boolean value that indicates that reading stopped before the end of the list.
    var isCutShort = false
    var closingMessages: [Message] = []
  }

  /// - Parameter isWhole: Whether every product of the market matches.
  private func listing(_ products: [Product], of found: Int, _ result: ScanResult, isWhole: Bool) -> Listing {
    // If reading stopped because there were enough products, only the server knows the total, and that of all products alone.
    var total: Int? = found
    if case .consumerStopped = result.stopReason { total = isWhole ? result.total : nil }
    let page = Page(all: products, total: total, broken: result.broken)
    var scan = result.listingScan
    // A closed pager stops the scan too, before the limit.
    if found < self.scan.limit ?? .max { scan.reachedLimit = false }
    return Listing(page, columns: query.columns, layout: query.layout, search: query.search, scan: scan)
  }
}
