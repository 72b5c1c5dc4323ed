import Catalog
import Journal
import Marketplace
import Networking

/// Makes the requests of a plan and sends none: who is not logged in, or asks what the edition cannot, hears so before any
/// question and before the journal takes note.
package struct Rehearsal {
  private let market: Market

  package init(_ market: Market) { self.market = market }

  /// - Throws: `MarketError` of the first change that could never leave.
  package func check(_ plan: Plan) throws {
    for change in plan.changes {
      switch change {
      case .create(let draft): _ = try CreateProduct(draft, boundary: "-").request(to: market)
      case .edit(let product, _, let to):
        _ = try EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: "-").request(to: market)
      case .delete(let product):
        if market.edition.deletesInTwoCalls {
          _ = try RequestDeletion(product.id).request(to: market)
        } else {
          _ = try DeleteProduct(product.id).request(to: market)
        }
      }
    }
  }
}
