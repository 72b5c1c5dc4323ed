import Catalog
import Foundation

/// The search for the product that a create made, in the newest products.
///
/// It is recognized by our marker in a picture's URL if the server preserves it, by the id in the response, or
/// otherwise by all sent fields.
struct CreateMatcher: Sendable {
  enum Verdict: Hashable, Sendable {
    case found(Product.ID)
    case notFound
    /// Several products match, or one matches only by its fields while others write too.
    case ambiguous([Product.ID])
  }

  var draft: ProductDraft
  var operation: String
  /// The ids that existed directly before sending.
  var known: Set<Product.ID>
  /// The ids of products made by our other writes.
  var knownProductIDs: Set<Product.ID>
  var vendorID: Int?
  /// A Boolean value that is false if a new product may have the id of a deleted one.
  var idsGrow = true
  /// A Boolean value that indicates whether this server preserves our file name in the picture's URL, or `nil` if that
  /// isn't known.
  var keepsMarker: Bool?
  /// The id in a response that isn't sufficient on its own.
  var respondedID: Product.ID?
  /// The products changed or deleted by this journal since, in their state before that, without those in `knownProductIDs`.
  var beforeImages: [Product.ID: Product] = [:]
  /// Our other creates with an unknown outcome.
  var competingCreates: [ProductDraft] = []

  func verdict(from newest: [Product]) -> Verdict {
    let fresh = inOriginalState(newest).filter(isCandidate)
    let marked = fresh.filter { CreateMatcher.containsMarker(operation, $0) }
    if let only = marked.first, marked.count == 1 { return .found(only.id) }
    if marked.count > 1 { return .ambiguous(marked.map(\.id)) }
    if keepsMarker == true { return .notFound }
    if let named = fresh.first(where: { $0.id == respondedID }), isAlike(named) || hasSimilarName(named) {
      return .found(named.id)
    }
    let alike = fresh.filter { isAlike($0) }
    guard let only = alike.first else {
      // Some servers alter what they are sent, so it can't be ruled out that one of these is ours.
      let akin = fresh.filter(hasSimilarName)
      return akin.isEmpty ? .notFound : .ambiguous(akin.map(\.id))
    }
    let strange = fresh.filter { product in
      product.id != only.id && !competingCreates.contains { CreateMatcher.isAlike($0, product) }
    }
    return alike.count == 1 && strange.isEmpty ? .found(only.id) : .ambiguous(alike.map(\.id))
  }

  /// Returns the products in their state before this journal changed them, including those that it deleted since.
  private func inOriginalState(_ newest: [Product]) -> [Product] {
    let shown = Set(newest.map(\.id))
    return newest.map { beforeImages[$0.id] ?? $0 }
      + beforeImages.values.filter { !shown.contains($0.id) }.sorted { $0.id > $1.id }
  }

  /// Returns whether the product is new, not made by another write, and possibly ours.
  func isCandidate(_ product: Product) -> Bool {
    isNew(product.id) && !knownProductIDs.contains(product.id) && mayBelongToVendor(product)
  }

  /// Returns whether the id is new.
  ///
  /// In a market whose ids grow, an id lower than all those that were read directly before sending is that of an older product.
  func isNew(_ id: Product.ID) -> Bool { !known.contains(id) && (!idsGrow || id > (known.min() ?? .min)) }

  /// Returns whether the product in a response can be the one that was sent: new, ours, and equal in every field it
  /// shows.
  func matchesResponse(_ product: Product) -> Bool { isCandidate(product) && isAlike(product) }

  /// Returns whether the product has the marker as its mark, or in a URL of its pictures.
  ///
  /// Servers may change its case.
  static func containsMarker(_ operation: String, _ product: Product) -> Bool {
    if let mark = product.mark, mark.caseInsensitiveCompare(operation) == .orderedSame { return true }
    let images = product.images ?? []
    let addresses = [product.thumbnailURL].compactMap(\.self) + images.map(\.url) + images.compactMap(\.thumbnailURL)
    return addresses.contains { $0.range(of: operation, options: .caseInsensitive) != nil }
  }

  func isAlike(_ product: Product) -> Bool { CreateMatcher.isAlike(draft, product) }

  private static func isAlike(_ draft: ProductDraft, _ product: Product) -> Bool {
    ProductValues(of: draft).differing(from: ProductValues(of: product)).isEmpty
  }

  /// Returns whether the product has the sent name or its beginning, though other values may differ.
  private func hasSimilarName(_ product: Product) -> Bool {
    guard let name = product.name else { return false }
    let (theirs, ours) = (CreateMatcher.caseFolded(name), CreateMatcher.caseFolded(draft.name))
    return !theirs.isEmpty && ours.hasPrefix(theirs)
  }

  private static func caseFolded(_ text: String) -> String {
    text.precomposedStringWithCanonicalMapping.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func mayBelongToVendor(_ product: Product) -> Bool {
    guard let vendorID, let theirs = product.vendorID else { return true }
    return vendorID == theirs
  }
}

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
      let index = found.firstIndex { $0.entry == last?.entry } ?? found.count
      if index == found.count { found.append((last?.entry, ProductValues())) }
      found[index].fields[field] = value
    }
    return found
  }
}
