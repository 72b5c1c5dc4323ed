import Catalog
import Journal
import Text

/// The products that were deleted and came back under a new id because the delete was undone.
///
/// A plan in a file names products by the id of the day it was made; it follows them to the new one.
package struct ReturnedProducts {
  private var ids: [Product.ID: Product.ID] = [:]

  /// - Parameter baseURL: the market of the products, as the journal names it.
  /// - Throws: `JournalFailure` where the journal cannot be read.
  package init(_ journal: Journal, at baseURL: String) throws {
    var deleted: [Int: Product.ID] = [:]
    var created: [(undoOf: Int, id: Product.ID)] = []
    _ = try journal.entries(limit: 1) { entry in
      guard entry.baseURL == baseURL, let id = entry.product else { return false }
      if entry.action == .delete { deleted[entry.n] = id }
      if entry.action == .create, let origin = entry.undoOf { created.append((origin, id)) }
      return false
    }
    for (origin, id) in created {
      guard let old = deleted[origin], old != id else { continue }
      ids[old] = max(ids[old] ?? 0, id)
    }
  }

  /// Returns the plan with each product that came back under the id it has now, and these ids by those of the plan.
  package func following(_ plan: Plan) -> (plan: Plan, moved: [(old: Product.ID, new: Product.ID)]) {
    var plan = plan
    var moved: [(Product.ID, Product.ID)] = []
    for (index, change) in plan.changes.enumerated() {
      guard var product = change.product, let id = newest(product.id) else { continue }
      moved.append((product.id, id))
      product.id = id
      switch change {
      case .create: continue
      case .edit(_, let from, let to): plan.changes[index] = .edit(product, from: from, to: to)
      case .delete: plan.changes[index] = .delete(product)
      }
    }
    return (plan, moved)
  }

  /// An id that came later is always greater, so that the search ends.
  private func newest(_ id: Product.ID) -> Product.ID? {
    guard var newest = ids[id], newest > id else { return nil }
    while let next = ids[newest], next > newest { newest = next }
    return newest
  }
}
