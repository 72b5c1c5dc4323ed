import Catalog
import Foundation

/// Whether a create took effect, judged from the newest products: by our marker in a picture's address where the server
/// keeps it, by the id that the server answered with, else by every sent field.
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
  /// The id in an answer that was not believed by itself.
  var answered: Product.ID?
  /// Products that nobody has claimed and that this home has changed or deleted since, as they were before that.
  var earlier: [Product.ID: Product] = [:]
  /// Other creates of ours of which nobody knows yet what they made.
  var rivals: [Draft] = []

  func verdict(from newest: [Product]) -> Verdict {
    let fresh = asTheyCame(newest).filter(couldBe)
    let marked = fresh.filter { CreateEvidence.shows(operation, $0) }
    if let only = marked.first, marked.count == 1 { return .landed(only.id) }
    if marked.count > 1 { return .unclear(marked.map(\.id)) }
    if keepsMarker == true { return .untouched }
    if let named = fresh.first(where: { $0.id == answered }), isAlike(named) || isAkin(named) {
      return .landed(named.id)
    }
    let alike = fresh.filter { isAlike($0) }
    guard let only = alike.first else {
      // Some servers alter what they are sent; that one of ours is not this one nobody can say.
      let akin = fresh.filter(isAkin)
      return akin.isEmpty ? .untouched : .unclear(akin.map(\.id))
    }
    let strange = fresh.filter { product in
      product.id != only.id && !rivals.contains { CreateEvidence.isAlike($0, product) }
    }
    return alike.count == 1 && strange.isEmpty ? .landed(only.id) : .unclear(alike.map(\.id))
  }

  /// Each as it was before this home changed it, with those that it has deleted since.
  private func asTheyCame(_ newest: [Product]) -> [Product] {
    let shown = Set(newest.map(\.id))
    return newest.map { earlier[$0.id] ?? $0 }
      + earlier.values.filter { !shown.contains($0.id) }.sorted { $0.id > $1.id }
  }

  /// It was not there before, nobody else accounts for it, and it is nobody else's.
  func couldBe(_ product: Product) -> Bool {
    isNew(product.id) && !claimed.contains(product.id) && mayBeOurs(product)
  }

  /// Ids grow in every edition: what is below all that were there just before the send is older still.
  func isNew(_ id: Product.ID) -> Bool { !known.contains(id) && id > (known.min() ?? .min) }

  /// Whether the product that a server answered a create with can be what was sent: new, ours, and not otherwise in any
  /// field that it shows.
  func fits(_ product: Product) -> Bool { couldBe(product) && isAlike(product) }

  /// Looks at every address of a product's pictures; upper and lower case are the server's to change.
  static func shows(_ operation: String, _ product: Product) -> Bool {
    let images = product.images ?? []
    let addresses = [product.thumbnail].compactMap(\.self) + images.map(\.url) + images.compactMap(\.thumbnail)
    return addresses.contains { $0.range(of: operation, options: .caseInsensitive) != nil }
  }

  func isAlike(_ product: Product) -> Bool { CreateEvidence.isAlike(draft, product) }

  private static func isAlike(_ draft: Draft, _ product: Product) -> Bool {
    Fields(of: draft).differing(from: Fields(of: product)).isEmpty
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

  private func mayBeOurs(_ product: Product) -> Bool {
    guard let vendorID, let theirs = product.vendorID else { return true }
    return vendorID == theirs
  }
}
