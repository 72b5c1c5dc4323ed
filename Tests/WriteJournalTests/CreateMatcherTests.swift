import Catalog
import Testing

@testable import WriteJournal

/// The verdict whether a new product belongs to a create without a response.
struct CreateMatcherTests {
  private static func product(_ id: Product.ID, _ name: String, _ price: Int, vendor: Int? = 7) -> Product {
    Product(
      id: id, name: name, description: "a mug for coffee", price: Amount(price), discount: .zero, currency: .krw,
      stock: 1, vendorID: vendor)
  }

  @Test(
    arguments: [
      ([product(100, "mug", 5)], nil, .found(100)),
      ([product(100, " mug ", 5)], nil, .found(100)),
      // A server that rounds, truncates or normalizes values leaves the question undecided, so nothing is sent again.
      ([product(100, "mug", 6)], nil, .ambiguous([100])),
      ([product(100, "MUG\u{A0}", 6)], nil, .ambiguous([100])),
      ([product(100, "mug", 6), product(101, "mug", 7)], false, .ambiguous([100, 101])),
      ([product(100, "mu", 6)], nil, .ambiguous([100])),
      ([product(100, "cup", 5)], nil, .notFound),
      ([product(100, "mug", 6, vendor: 8)], nil, .notFound),
      ([product(1, "mug", 5), product(2, "mug", 6)], nil, .notFound),
      // If the server stores the marker, the marker decides.
      ([product(100, "mug", 6)], true, .notFound),
      ([product(100, "mug", 5), product(101, "mug", 5)], nil, .ambiguous([100, 101])),
      ([], nil, .notFound),
    ] as [([Product], Bool?, CreateMatcher.Verdict)])
  func newProductMatchesTheCreateOrNot(_ newest: [Product], _ keepsMarker: Bool?, _ verdict: CreateMatcher.Verdict) {
    let evidence = CreateMatcher(
      draft: Bench.draft, operation: "OP", known: [1], knownProductIDs: [2], vendorID: 7, keepsMarker: keepsMarker)
    #expect(evidence.verdict(from: newest) == verdict)
  }

  /// In a market that uses ids again, an id lower than those before the create can be that of its product; the mark decides.
  @Test(
    arguments: [
      (true, nil, .notFound), (false, nil, .found(3)), (false, "op", .found(3)), (false, "OTHER", .notFound),
    ] as [(Bool, String?, CreateMatcher.Verdict)])
  func reusedIDMatchesByItsMark(_ idsGrow: Bool, _ mark: String?, _ verdict: CreateMatcher.Verdict) {
    var product = Self.product(3, "mug", 5)
    product.mark = mark
    let evidence = CreateMatcher(
      draft: Bench.draft, operation: "OP", known: [5, 6], knownProductIDs: [], vendorID: 7, idsGrow: idsGrow,
      keepsMarker: mark == nil ? nil : true)
    #expect(evidence.verdict(from: [product]) == verdict)
  }
}
