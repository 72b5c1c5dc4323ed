import Catalog
import Journal
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// The watch for creates that arrive after they were given up: whatever lists products shows them to it.
///
/// It costs a look at one file where no create was given up of late, and is silent where the journal cannot be read.
package struct LateWatch {
  private let market: Market
  private let context: Context

  package init(_ market: Market, _ context: Context) {
    self.market = market
    self.context = context
  }

  /// Says which of the products may be such a create; each once in a session.
  package func look(at products: [Product], _ session: inout Session) {
    guard !products.isEmpty, Journal.mayAwaitArrivals(in: context.home.journalFolder) else { return }
    let found = (try? arrivals(among: products, session)) ?? []
    for late in found where session.arrivals.insert(late).inserted { tell(late, session) }
  }

  /// Says it of all of them, for who asks; throws `JournalFailure`.
  package func tellAll(of products: [Product], _ session: Session) throws {
    for late in try arrivals(among: products, session) { tell(late, session) }
  }

  private func arrivals(among products: [Product], _ session: Session) throws -> [LateArrival] {
    try context.journal().lateArrivals(
      in: products, session.binding(at: market.baseURL), vendorID: session.credentials.vendorID)
  }

  private func tell(_ late: LateArrival, _ session: Session) { context.say(LateWatch.words(for: late), session) }

  private static func words(for late: LateArrival) -> Message {
    let log = LocalizedText(
      "\(.command("log show \(late.entry)")) tells more.", ko: "\(.command("log show \(late.entry)"))에서 볼 수 있습니다.")
    switch late.standing {
    case .givenUp:
      return .warning(
        "Product \(late.product) equals the create of entry \(late.entry), which was given up.",
        ko: "\(late.product)번 상품은 포기한 기록 \(late.entry)번의 상품과 같습니다."
      ).next(log)
    case .madeLater:
      return .warning(
        "Product \(late.product) equals the create of entry \(late.entry), which was sent again and made another.",
        ko: "\(late.product)번 상품은 다시 보내 다른 상품이 된 기록 \(late.entry)번의 상품과 같습니다."
      ).next(log)
    case .open:
      return .warning(
        "Product \(late.product) equals the create of entry \(late.entry), whose outcome is not known.",
        ko: "\(late.product)번 상품은 결과를 모르는 기록 \(late.entry)번의 상품과 같습니다."
      ).next("\(.command("resume")) settles it.", ko: "\(.command("resume"))으로 확인합니다.")
    }
  }
}
