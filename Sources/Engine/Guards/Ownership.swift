import Catalog
import Marketplace
import Platform
import Presentation
import Text

/// Only the vendor's own products can be written: once we know who we are, another's is refused before anything is sent.
package enum Ownership {
  package static func check(_ plan: Plan, _ session: Session) throws {
    guard let me = session.credentials.vendorID else { return }
    for product in plan.changes.compactMap(\.product) {
      guard let owner = product.vendorID, owner != me else { continue }
      throw Failure(
        .heldBack,
        .failure(
          "Product \(product.id) is not yours; nothing was sent.", ko: "\(product.id)번 상품은 남의 것이라 아무것도 보내지 않았습니다."
        )
        .because(
          "It belongs to vendor \(.foreign(product.vendor ?? "")) (\(owner)); you are vendor \(me).",
          ko: "판매자 \(.foreign(product.vendor ?? ""))(\(owner))의 상품이고, 당신은 \(me)번 판매자입니다."))
    }
  }
}
