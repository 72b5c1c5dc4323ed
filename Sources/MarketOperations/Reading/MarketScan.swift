import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// A scan of all pages of a market with a progress line.
package struct MarketScan {
  /// The scan, which calls the progress line after every page.
  let scan: ProductScan
  let progress: ProgressLine
  private let scope: CommandScope

  /// Creates a scan.
  ///
  /// - Parameters:
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
    let progress = ProgressLine(LocalizedText("Reading", ko: "읽는 중"), scope)
    scan = ProductScan(market, search: search, wanted: wanted, wantedInLongList: wantedInLongList, pages: pages) {
      if !isSilent { progress.show($0.productsRead, of: $0.total) }
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
