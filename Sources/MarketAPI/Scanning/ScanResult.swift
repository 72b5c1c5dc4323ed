import Catalog

/// The result of a scan: the counts, and whether everything was read.
package struct ScanResult: Sendable {
  /// The number of pages that had rows, without those read again for verification.
  package var pagesRead = 0
  /// The number of products, each counted once.
  package var productsRead = 0
  /// A Boolean value that indicates whether every product that existed during the whole scan was read.
  ///
  /// It is false if a row couldn't be decoded, if pages overlapped or repeated, or if the scan ended early.
  package var isComplete = false
  /// A Boolean value that indicates that products appeared on several pages although the list didn't change.
  ///
  /// Other products may then be missing from all pages.
  package var hasDuplicatePages = false
  /// The number of rows that couldn't be decoded, including those beyond the limit of `broken`.
  package var brokenCount = 0
  /// A Boolean value that indicates whether the list changed during the scan.
  package var changedDuringScan = false
  /// The number of products according to the server, or `nil` if the edition doesn't send it.
  package var total: Int?
  /// The first hundred rows that couldn't be decoded, with their position in the whole list.
  package var broken: [UndecodableRow] = []
  package var stopReason = ScanEnd.endOfList
  /// A Boolean value that indicates descending ids, so that products found late can be inserted at their position.
  package var isNewestFirst = false
  /// The number of products found only when doubtful positions were read again.
  package var foundOnVerification = 0

  package init() {}
}

extension ScanResult {
  /// Moves products that were found late to their position in the list, if its order is known.
  package func order(_ products: inout [Product]) {
    if foundOnVerification > 0, isNewestFirst { products.sort { $0.id > $1.id } }
  }

  /// Throws if the scan ended early, for callers that need the complete list.
  ///
  /// - Throws: The error of a page, `PageLimitExceededError`, or `CancellationError` after Ctrl-C.
  package func throwIfCutShort() throws {
    switch stopReason {
    case .endOfList, .repeatedPages, .consumerStopped: return
    case .pageLimit(let limit): throw PageLimitExceededError(limit: limit)
    case .interrupted: throw CancellationError()
    case .failed(let error): throw error
    }
  }
}
