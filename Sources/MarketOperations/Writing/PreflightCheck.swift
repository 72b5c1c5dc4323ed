import Catalog
import MarketAPI

/// Builds every request of a plan without sending it, so that missing credentials and unsupported operations are
/// reported before the confirmation and before the journal is written.
package struct PreflightCheck {
  private let market: MarketService

  package init(_ market: MarketService) { self.market = market }

  /// Checks all changes.
  ///
  /// - Throws: `MarketError` of the first change whose request can't be built.
  package func check(_ plan: Plan) throws {
    for change in plan.changes {
      switch change {
      case .create(let draft): _ = try CreateProduct(draft, boundary: "-").makeRequest(to: market)
      case .edit(let product, _, let to):
        _ = try EditProduct(product.id, to, pictures: to.pictures, current: product, boundary: "-").makeRequest(
          to: market)
      case .delete(let product):
        if market.edition.deletionNeedsToken {
          _ = try RequestDeletion(product.id).makeRequest(to: market)
        } else {
          _ = try DeleteProduct(product.id).makeRequest(to: market)
        }
      }
    }
  }
}
