import Catalog
import Language
import Marketplace
import Networking
import Presentation
import Text

/// Targets that are found by going through the whole market: `mine` and `where EXPR`.
struct MarketTargets {
  private let context: Context

  init(_ context: Context) { self.context = context }

  func matching(_ expression: Expression, _ session: inout Session) async throws -> [Product] {
    let market = try await context.market(&session)
    let filter = try ProductFilter(expression, me: session.credentials.vendorID, market.service.edition)
    filter.say(in: context, session)
    return try await everywhere(&session, wanted: filter.rows) { try await filter.chosen($0, of: market) }
  }

  /// Those of the vendor who is logged in.
  func mine(_ session: inout Session) async throws -> [Product] {
    // The edition may have to be found out first.
    let market = try await context.market(&session)
    if market.service.edition.supports(.askOwnership) {
      let all = try await everywhere(&session) { $0 }
      let mine = Set(try await OwnItems(context).among(all, &session))
      if mine.isEmpty, !all.isEmpty {
        context.say(
          .note("None of the \(all.count) products takes your secret.", ko: "상품 \(all.count)개 가운데 이 비밀 값이 맞는 것이 없습니다."),
          session)
      }
      return all.filter { mine.contains($0.id) }
    }
    guard let vendor = session.credentials.vendorID else { throw Failure.unknownVendor }
    return try await everywhere(&session) { $0.filter { $0.vendorID == vendor } }
  }

  /// - Throws: `Failure` where the list could not be read whole: half of a target is another target.
  private func everywhere(
    _ session: inout Session, wanted: RowFilter? = nil, chosen: ([Product]) async throws -> [Product]
  ) async throws -> [Product] {
    let progress = ScanProgress(session, context)
    defer { progress.clear() }
    var found: [Product] = []
    let result = try await Scan(context.market(&session), wanted: wanted) { progress.tell($0) }.each { products in
      found += try await chosen(products)
      return true
    }
    try result.throwIfCutShort()
    guard result.complete else {
      throw Failure(
        .heldBack,
        .failure(
          "The list could not be read whole, so which products are meant is not sure; nothing was sent.",
          ko: "목록을 끝까지 읽지 못해 어느 상품인지 확실하지 않습니다. 아무것도 보내지 않았습니다."
        )
        .next("Try again, or name the products.", ko: "다시 해 보거나 상품을 번호로 고르세요."))
    }
    if found.isEmpty { context.say(.note("No product matches.", ko: "맞는 상품이 없습니다."), session) }
    if result.foundLate > 0, result.isNewestFirst { found.sort { $0.id > $1.id } }
    return found
  }
}
