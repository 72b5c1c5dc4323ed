import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// A scan of a whole market with a progress line.
package struct MarketScan {
  /// The scan, which calls the progress line after every page.
  let scan: ProductScan
  let progress: ScanProgress
  private let scope: CommandScope

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - market: The market.
  ///   - search: The text to search for, if the edition supports it.
  ///   - wanted: The rows to decode completely.
  ///   - wantedInLongList: The rows to decode completely in a list of at least that many products.
  ///   - pages: A minimum for the page limit.
  ///   - isSilent: Whether no progress is shown, because few pages are expected.
  ///   - scope: The scope of the command.
  package init(
    _ market: Client<MarketService>, search: String? = nil, wanted: RowFilter? = nil,
    wantedInLongList: (minimumTotal: Int, filter: RowFilter)? = nil, pages: Int? = nil, isSilent: Bool = false,
    _ scope: CommandScope
  ) {
    let progress = ScanProgress(scope)
    scan = ProductScan(market, search: search, wanted: wanted, wantedInLongList: wantedInLongList, pages: pages) {
      if !isSilent { progress.update($0) }
    }
    self.progress = progress
    self.scope = scope
  }

  /// Delivers products as they arrive, each once, until `take` returns false.
  ///
  /// - Parameter take: Receives the products, and returns whether more are wanted.
  /// - Returns: The result, which says how the scan ended.
  /// - Throws: Only errors thrown by `take`.
  package func forEachBatch(_ take: ([Product]) async throws -> Bool) async throws -> ScanResult {
    defer { progress.clear() }
    return try await scan.forEachBatch(take)
  }

  /// Delivers all products, and reports if some may be missing.
  ///
  /// - Parameter take: Receives the products.
  /// - Returns: The result.
  /// - Throws: The error that ended the scan early, and the errors of `take`.
  @discardableResult
  package func forEachBatchToEnd(_ take: ([Product]) async throws -> Void) async throws -> ScanResult {
    let result = try await forEachBatch { products in
      try await take(products)
      return true
    }
    try result.throwIfCutShort()
    if !result.isComplete {
      for message in result.warnings + [result.listingScan.sentence] { scope.say(message) }
    }
    return result
  }
}

/// The transient status line of a scan: products, rate, remaining time.
package final class ScanProgress: Sendable {
  private struct State {
    var start: Date?
    var lastReport: Date?
    var isOver = false
  }

  private let context: CommandContext
  private let language: MessageLanguage
  private let state = Mutex(State())

  /// The minimum interval between updates in seconds.
  private static let pause = 0.1
  /// The time in seconds before a rate is shown, because an earlier one would be inaccurate.
  private static let warmUp = 0.5

  package init(_ scope: CommandScope) {
    self.context = scope.context
    language = scope.session.settings.language
  }

  package func update(_ result: ScanResult) {
    guard context.console.errorIsTerminal else { return }
    let now = context.now()
    let elapsed: TimeInterval? = state.withLock { state in
      if state.isOver { return nil }
      let start = state.start ?? now
      state.start = start
      if let lastReport = state.lastReport, now.timeIntervalSince(lastReport) < ScanProgress.pause { return nil }
      state.lastReport = now
      return now.timeIntervalSince(start)
    }
    guard let elapsed else { return }
    let text = ScanProgress.text(result.productsRead, of: result.total, after: elapsed)[language].plain
    context.console.showTransientStatus(text)
  }

  package func clear() { context.console.showStatus(nil) }

  /// Ends the status line, because the products themselves are being printed.
  package func stop() {
    let wasOver = state.withLock { state in
      defer { state.isOver = true }
      return state.isOver
    }
    if !wasOver { clear() }
  }

  /// Returns a text such as `Reading: 12,300 of 100,000 products, 41,000/s, 3 s left`.
  package static func text(_ count: Int, of total: Int?, after seconds: TimeInterval) -> LocalizedText {
    let read = NumberFormatting.grouped(count)
    var english =
      total.map { "Reading: \(read) of \(NumberFormatting.grouped($0)) products" } ?? "Reading: \(read) products"
    var korean = total.map { "읽는 중: 상품 \(NumberFormatting.grouped($0))개 중 \(read)개" } ?? "읽는 중: 상품 \(read)개"
    guard seconds >= warmUp, count > 0 else { return LocalizedText("\(english)", ko: "\(korean)") }
    let perSecond = max(1, whole(Double(count) / seconds))
    english += ", \(NumberFormatting.grouped(perSecond))/s"
    korean += ", 초당 \(NumberFormatting.grouped(perSecond))개"
    if let total, total > count {
      let left = (total - count - 1) / perSecond + 1
      english += ", \(left) s left"
      korean += ", \(left)초 남음"
    }
    return LocalizedText("\(english)", ko: "\(korean)")
  }

  private static func whole(_ rate: Double) -> Int { Int(exactly: min(rate, 1e12).rounded()) ?? 0 }
}
