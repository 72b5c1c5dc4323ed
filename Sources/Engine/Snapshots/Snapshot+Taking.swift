import Catalog
import Foundation
import Marketplace
import Networking
import Presentation
import Scanning

extension Snapshot {
  /// Reads the whole market, with progress, and says what was read and what is doubtful about it.
  ///
  /// - Throws: what kept it from being read to its end.
  package static func take(_ session: inout Session, pages: Int?, in context: Context) async throws -> Snapshot {
    let market = try await context.market(&session)
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    let (products, result) = try await Scan(market, pages: pages) { progress.tell($0) }.all()
    progress.clear()
    for doubt in result.doubts { context.say(doubt, session) }
    context.say(result.listed.sentence, session)
    let head = Head(
      taken: Timestamp(seconds: Int64(context.now().timeIntervalSince1970), isUTC: true),
      url: session.place.url?.value.absoluteString,
      edition: market.service.edition.rawValue, products: products.count, complete: result.complete)
    return Snapshot(name: nil, head: head, products: products)
  }
}
