import Catalog
import CommandLanguage
import Foundation
import History
import MarketAPI
import MarketOperations
import Presentation
import ShellRuntime
import Text

/// `ls from WHEN`: lists the products of a stored version, filtered and sorted like a live list, without a request.
struct VersionListing {
  private let query: ListQuery
  private let when: String

  init(_ query: ListQuery, from when: String) {
    self.query = query
    self.when = when
  }

  /// - Throws: `CommandError` if the time refers to no version; `CurrentVendorUnknownError` if a condition contains `me` and no vendor
  ///   is known.
  func read(in scope: inout CommandScope) async throws -> Listing {
    let stored = try await MarketHistory(in: &scope)
    let version = try stored.version(when)
    let filter = try ProductFilter(
      query.scan?.condition?.resolved(at: scope.context.seconds), me: scope.session.credentials.vendorID,
      scope.session.server.edition?.value ?? .open)
    var found = try stored.products(in: version).filter(filter.matches)
    if let search = query.search, !search.isEmpty {
      found = found.filter { product in
        [product.name, product.vendor].contains { $0?.range(of: search, options: .caseInsensitive) != nil }
      }
    }
    if let order = query.scan?.order { found = order.sorted(found) }
    let total = found.count
    var page = Page(all: found, total: total)
    if let limit = query.scan?.limit {
      page.products = Array(found.prefix(limit))
    } else if query.scan == nil, let size = query.size {
      let last = max(1, (total + size - 1) / size)
      page = Page(
        number: query.page, total: total, last: last, hasNext: query.page < last, hasPrevious: query.page > 1,
        products: Array(found.dropFirst((query.page - 1) * size).prefix(size)), broken: [])
    }
    let time = Timestamp(seconds: version.capturedAt, isUTC: true).description
    scope.say(
      .note("State as of \(.value(time)).", ko: "\(.value(time))의 상태입니다."))
    let listing = Listing(page, columns: query.columns, layout: query.layout, search: query.search)
    scope.session.remember(listing)
    return listing
  }
}
