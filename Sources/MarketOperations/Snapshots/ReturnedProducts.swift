import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The deleted products that were restored under a new id by an undo.
///
/// A plan file refers to products by their ids at the time of its creation; they are replaced by the new ones.
package struct ReturnedProducts {
  private var ids: [Product.ID: Product.ID] = [:]

  /// Reads the restored products of the market that the journal calls `baseURL`.
  ///
  /// - Throws: `JournalError` if the journal can't be read.
  package init(_ journal: Journal, at baseURL: String) throws {
    var deleted: [Int: Product.ID] = [:]
    var created: [(undoOf: Int, id: Product.ID)] = []
    _ = try journal.entries(limit: 1) { entry in
      guard entry.baseURL == baseURL, let id = entry.product else { return false }
      if entry.action == .delete { deleted[entry.id] = id }
      if entry.action == .create, let origin = entry.undoOf { created.append((origin, id)) }
      return false
    }
    for (origin, id) in created {
      guard let old = deleted[origin], old != id else { continue }
      ids[old] = max(ids[old] ?? 0, id)
    }
  }

  /// Returns the plan with the current ids of restored products, and the replaced ids.
  package func following(_ plan: Plan) -> (plan: Plan, moved: [(old: Product.ID, new: Product.ID)]) {
    var plan = plan
    var moved: [(Product.ID, Product.ID)] = []
    for (index, row) in plan.rows.enumerated() {
      guard var product = row.change?.product, let id = newest(product.id) else { continue }
      moved.append((product.id, id))
      // The plan has these values of the deleted product.
      product.id = id
      (product.created, product.thumbnailURL, product.images) = (nil, nil, nil)
      switch row.planned {
      case .create: continue
      case .edit(_, let from, let to): plan.rows[index].replace(with: .edit(product, from: from, to: to))
      case .delete: plan.rows[index].replace(with: .delete(product))
      }
    }
    return (plan, moved)
  }

  /// Returns the current id of a product.
  package func current(_ id: Product.ID) -> Product.ID { newest(id) ?? id }

  /// Returns the new id of a restored product.
  ///
  /// A later id is always greater, so the search ends.
  private func newest(_ id: Product.ID) -> Product.ID? {
    guard var newest = ids[id], newest > id else { return nil }
    while let next = ids[newest], next > newest { newest = next }
    return newest
  }
}
