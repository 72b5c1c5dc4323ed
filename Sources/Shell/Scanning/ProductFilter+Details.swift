import Catalog
import Marketplace
import Networking
import Presentation
import Text

/// A condition may ask for what the rows of an edition's list do not tell.
extension ProductFilter {
  /// Products read at once for it.
  private static let width = 8

  /// The wanted ones among the rows of a page, in their order; read one by one where a row does not tell enough.
  func chosen(_ rows: [Product], of market: Client<Market>) async throws -> [Product] {
    guard !askedOfDetails.isEmpty else { return rows.filter(holds) }
    var whole: [Product.ID: Product] = [:]
    try await withThrowingTaskGroup(of: Product?.self) { group in
      var rest = rows.map(\.id)[...]
      for _ in 0..<ProductFilter.width {
        guard let id = rest.popFirst() else { break }
        group.addTask { try await MarketReader(market).product(id) }
      }
      while let product = try await group.next() {
        if let product { whole[product.id] = product }
        if let id = rest.popFirst() { group.addTask { try await MarketReader(market).product(id) } }
      }
    }
    // What went away since the list was read is not among them any more.
    return rows.compactMap { whole[$0.id] }.filter(holds)
  }

  /// Says what the condition costs here, and what the edition has no word for.
  func say(in context: Context, _ session: Session) {
    if searchesHere {
      context.say(
        .note("This edition's server does not search; filtered here.", ko: "이 판의 서버는 찾아 주지 않아 여기서 골랐습니다."), session)
    }
    if !askedOfDetails.isEmpty {
      let fields = askedOfDetails.map(\.rawValue).joined(separator: ", ")
      context.say(
        .note(
          "This edition's lists have no \(.field(fields)); each product is read.",
          ko: "이 판의 목록에는 \(.field(fields), .subject) 없어 상품을 하나씩 읽습니다."), session)
    }
    guard !untold.isEmpty else { return }
    let fields = untold.map(\.rawValue).joined(separator: ", ")
    context.say(
      .note(
        "This edition tells no \(.field(fields)); it is empty in every product.",
        ko: "이 판은 \(.field(fields), .object) 알려 주지 않아 모든 상품에서 비어 있습니다."), session)
  }
}
