import Catalog
import Foundation

/// Whether a create took effect, judged from the newest products (safety.md 1.6): by our marker in a picture's address
/// where the server keeps it, else by every sent field.
struct CreateEvidence: Sendable {
  enum Verdict: Hashable, Sendable {
    case landed(Product.ID)
    case untouched
    /// More than one could be it, or one only by its fields while someone else writes.
    case unclear([Product.ID])
  }

  var draft: Draft
  var operation: String
  /// Ids that were there just before the send.
  var known: Set<Product.ID>
  /// Ids that other writes of ours account for.
  var claimed: Set<Product.ID>
  var vendorID: Int?
  /// Whether this server keeps our file name in the picture's address; nil until it was seen.
  var keepsMarker: Bool?

  func verdict(from newest: [Product]) -> Verdict {
    let fresh = newest.filter(couldBe)
    let marked = fresh.filter { CreateEvidence.shows(operation, $0) }
    if let only = marked.first, marked.count == 1 { return .landed(only.id) }
    if marked.count > 1 { return .unclear(marked.map(\.id)) }
    if keepsMarker == true { return .untouched }
    let alike = fresh.filter(isAlike)
    guard let only = alike.first else {
      // Some servers alter what they are sent; that one of ours is not this one nobody can say.
      let akin = fresh.filter(isAkin)
      return akin.isEmpty ? .untouched : .unclear(akin.map(\.id))
    }
    return alike.count == 1 && fresh.count == 1 ? .landed(only.id) : .unclear(alike.map(\.id))
  }

  /// It was not there before, nobody else accounts for it, and it is nobody else's.
  func couldBe(_ product: Product) -> Bool {
    !known.contains(product.id) && !claimed.contains(product.id) && mayBeOurs(product)
  }

  /// Looks at every address of a product's pictures; upper and lower case are the server's to change.
  static func shows(_ operation: String, _ product: Product) -> Bool {
    let images = product.images ?? []
    let addresses = [product.thumbnail].compactMap(\.self) + images.map(\.url) + images.compactMap(\.thumbnail)
    return addresses.contains { $0.range(of: operation, options: .caseInsensitive) != nil }
  }

  func isAlike(_ product: Product) -> Bool {
    let now = Fields(of: product)
    let wanted = Fields(of: draft)
    return !wanted.set.contains { field in
      guard let seen = now[field], let sent = wanted[field] else { return false }
      return !CreateEvidence.isSame(seen, sent)
    }
  }

  /// Not the same, but of the same name, or of its beginning.
  private func isAkin(_ product: Product) -> Bool {
    guard let name = product.name else { return false }
    let (theirs, ours) = (CreateEvidence.folded(name), CreateEvidence.folded(draft.name))
    return !theirs.isEmpty && ours.hasPrefix(theirs)
  }

  private static func folded(_ text: String) -> String {
    text.precomposedStringWithCanonicalMapping.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func isSame(_ seen: FieldValue, _ sent: FieldValue) -> Bool {
    guard case .text(let left) = seen, case .text(let right) = sent else { return seen == sent }
    return left.trimmingCharacters(in: .whitespacesAndNewlines) == right.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func mayBeOurs(_ product: Product) -> Bool {
    guard let vendorID, let theirs = product.vendorID else { return true }
    return vendorID == theirs
  }
}
