import Catalog

/// A patch that the network may still deliver a second time: an attempt was given up, or confirmed by the server and
/// not stored, and an intermediary may deliver it at any time.
///
/// Applying the same patch twice has no further effect, until another write changes the same fields in between; then
/// the late duplicate reverts that write. It can't be prevented, only detected by comparing products with the last
/// values written.
struct DuplicateDelivery: Hashable, Sendable {
  /// The values of a write, by its number in the log.
  struct Written: Hashable, Sendable {
    var entry: Int
    var fields: ProductValues
  }

  /// The values that the duplicate sets.
  var sent: ProductValues
  /// The values before the patch.
  var before: ProductValues
  /// A Boolean value that indicates that the patch counts as applied, or that its values were found.
  var isDone: Bool
  /// The values that later writes set on the same product, oldest first.
  var later: [Written]

  /// Returns the values that the duplicate overwrote, grouped by the write that set them last, with `nil` for those
  /// from before the patch.
  ///
  /// The list is empty if the product doesn't show that a duplicate was delivered.
  func overwrittenValues(on product: Product) -> [(entry: Int?, fields: ProductValues)] {
    let now = ProductValues(of: product, like: sent)
    var found: [(entry: Int?, fields: ProductValues)] = []
    for field in sent.assignedFields {
      guard let wanted = sent[field], now[field].map(wanted.isSame) == true else { continue }
      let last = later.last { $0.fields[field] != nil }
      guard let value = last?.fields[field] ?? (isDone ? nil : before[field]), !value.isSame(as: wanted) else {
        continue
      }
      let place = found.firstIndex { $0.entry == last?.entry } ?? found.count
      if place == found.count { found.append((last?.entry, ProductValues())) }
      found[place].fields[field] = value
    }
    return found
  }
}
