import Catalog
import CommandLanguage
import MarketAPI
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Detects writes that were given up but took effect later, in every list that is read.
///
/// It costs one file check if nothing was given up recently, and does nothing if the journal can't be read.
package struct LateArrivalDetector {
  private let market: MarketService
  private let stores: Stores

  package init(_ market: MarketService, _ stores: Stores) {
    self.market = market
    self.stores = stores
  }

  /// Returns warnings of the products that show the values of a write that was given up, for each write once per session.
  package func newWarnings(of products: [Product], _ session: inout Session) -> [Message] {
    guard !products.isEmpty, Journal.hasMarker(in: stores.home.journalFolder) else { return [] }
    let found = (try? arrivals(among: products, session)) ?? []
    return found.filter { session.reportedLateArrivals.insert($0).inserted }.map(LateArrivalDetector.words)
  }

  /// Returns warnings of all products that show the values of a write that was given up, on request.
  ///
  /// - Throws: `JournalError`.
  package func warnings(of products: [Product], _ session: Session) throws -> [Message] {
    try arrivals(among: products, session).map(LateArrivalDetector.words)
  }

  private func arrivals(among products: [Product], _ session: Session) throws -> [LateDelivery] {
    try stores.journal().lateArrivals(
      in: products, session.marketLogin(at: market.baseURL), mapping: market.dialect.marketDescription?.mapping,
      vendorID: session.credentials.vendorID)
  }

  private static func words(for late: LateDelivery) -> Message {
    let log = LocalizedText(
      "Run \(.command("log show \(late.entry)")) for details.", ko: "\(.command("log show \(late.entry)"))에서 볼 수 있습니다.")
    switch late.standing {
    case .abandoned:
      return .warning(
        "Product \(late.product) matches log entry \(late.entry), a create that you discarded.",
        ko: "\(late.product)번 상품은 버린 등록(로그 \(late.entry)번)의 상품과 같습니다."
      ).next(log)
    case .recreated:
      return .warning(
        "Product \(late.product) matches log entry \(late.entry), a create that was sent again and created another product.",
        ko: "\(late.product)번 상품은, 다시 보내 다른 상품이 된 등록(로그 \(late.entry)번)의 상품과 같습니다."
      ).next(log)
    case .undecided:
      return .warning(
        "Product \(late.product) matches log entry \(late.entry), a create whose outcome is unknown.",
        ko: "\(late.product)번 상품은 결과 미확인인 등록(로그 \(late.entry)번)의 상품과 같습니다."
      ).next("Run \(.command("resume")) to check it.", ko: "확인하려면 \(.command("resume"), .object) 실행하세요.")
    case .reverted(let later?, let fields):
      return .warning(
        "Product \(late.product) has the values of log entry \(late.entry) again. Log entry \(later) had since set \(.value(values(fields))).",
        ko: "\(late.product)번 상품의 값이 다시 로그 \(late.entry)번의 값입니다. 로그 \(later)번이 바꾼 값: \(.value(values(fields)))."
      ).because(copy(late)).next(
        "Run \(.command(patch(late, fields))) to restore the newer values, or \(.command("log show \(late.entry)")) for details.",
        ko: "\(.command(patch(late, fields)), .toward) 새 값을 되살립니다. \(.command("log show \(late.entry)"))에서 볼 수 있습니다.")
    case .reverted(nil, let fields):
      return .warning(
        "Product \(late.product) has the values of log entry \(late.entry), which was considered not applied.",
        ko: "\(late.product)번 상품이, 적용되지 않은 것으로 보았던 로그 \(late.entry)번의 값과 같습니다."
      ).because(copy(late)).next(
        "Run \(.command(patch(late, fields))) to restore the earlier values, or \(.command("log show \(late.entry)")) for details.",
        ko:
          "\(.command(patch(late, fields)), .toward) 이전 값을 되살립니다. \(.command("log show \(late.entry)"))에서 볼 수 있습니다.")
    }
  }

  private static func copy(_ late: LateDelivery) -> LocalizedText {
    LocalizedText(
      "A delayed copy of the request of log entry \(late.entry) may have reached the server.",
      ko: "로그 \(late.entry)번의 요청이 늦게 도착했을 수 있습니다.")
  }

  private static func values(_ fields: ProductValues) -> String {
    fields.assignedFields.map { "\($0.rawValue) \(fields[$0]?.description ?? "")" }.joined(separator: ", ")
  }

  /// Returns the line that writes these values.
  private static func patch(_ late: LateDelivery, _ fields: ProductValues) -> String {
    let words = fields.assignedFields.map { "\($0.rawValue)=\(Quoting.quote(fields[$0]?.description ?? ""))" }
    return (["patch", String(late.product)] + words).joined(separator: " ")
  }
}
