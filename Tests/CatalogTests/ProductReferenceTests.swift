import Catalog
import Testing

/// A number in a record names a product only as long as that product has it.
@Suite struct ProductReferenceTests {
  /// What was recorded and what is read, and whether they are different products.
  struct Case: Sendable {
    var meant: Product
    var found: Product
    var isOther: Bool
  }

  private static let day = "2026-11-28T00:00:00"
  private static let time = "2026-11-28T09:30:01"

  private static func product(
    _ name: String, _ created: String?, _ picture: String? = nil, vendor: Int? = 15
  ) -> Product {
    Product(
      id: 1, name: name, vendorID: vendor, created: created.flatMap { Timestamp($0) },
      thumbnailURL: picture.map { "http://127.0.0.1:8080/images/\($0)" })
  }

  static let cases = [
    // The same product, also where a server was moved.
    Case(meant: product("Kettle", day, "a"), found: product("Kettle", day, "a"), isOther: false),
    Case(meant: product("Kettle", time, "a"), found: product("Kettle", "2026-11-29T08:00:00", "a"), isOther: false),
    // A rename alone, by a colleague.
    Case(meant: product("Kettle", day, "a"), found: product("Kettle 2 l", day, "a"), isOther: false),
    Case(meant: product("Kettle", time, "a"), found: product("Kettle 2 l", time, "b"), isOther: false),
    Case(meant: product("Kettle", day), found: product("Kettle 2 l", day, "b"), isOther: false),
    // New pictures alone.
    Case(meant: product("Kettle", day, "a"), found: product("Kettle", day, "b"), isOther: false),
    // White space that a server changed is no rename.
    Case(meant: product("Tea  cup ", day, "a"), found: product("Tea cup", day, "b"), isOther: false),
    // A market that was emptied and filled again.
    Case(meant: product("Alpha", day, "a"), found: product("Beta", day, "b"), isOther: true),
    Case(meant: product("Alpha", day), found: product("Beta", "2026-11-29T00:00:00"), isOther: true),
    Case(meant: product("Alpha", time), found: product("Beta", "2026-11-28T09:30:02"), isOther: true),
    Case(meant: product("Cup", time, "a"), found: product("Cup", "2026-11-28T09:30:02", "b"), isOther: true),
    Case(meant: product("Cup", day, "a", vendor: 15), found: product("Cup", day, "a", vendor: 16), isOther: true),
    // What isn't known decides nothing.
    Case(meant: product("Alpha", nil), found: product("Beta", day, "b"), isOther: false),
    Case(meant: product("Alpha", nil, vendor: nil), found: product("Beta", time, "b"), isOther: false),
    Case(meant: Product(id: 1), found: product("Beta", time, "b"), isOther: false),
  ]

  @Test(arguments: cases) func mismatchIsFound(_ one: Case) {
    #expect((ProductReference(one.meant).mismatch(with: one.found) != nil) == one.isOther)
    #expect((ProductReference(recording: one.meant).mismatch(with: one.found) != nil) == one.isOther)
  }

  /// The market shows a product under another address after a restart, and with all of its pictures.
  @Test func picturesAreComparedWithoutTheServer() {
    let meant = ProductReference(recording: ProductReferenceTests.product("Kettle", ProductReferenceTests.day, "a"))
    var found = ProductReferenceTests.product("Pot", ProductReferenceTests.day, "b")
    found.images = [Picture(url: "http://127.0.0.1:9090/o", thumbnailURL: "http://127.0.0.1:9090/images/a")]
    #expect(meant.mismatch(with: found) == nil)
  }

  @Test func nameThatAChangeOfOursGaveIsKnown() {
    let reference = ProductReference(ProductReferenceTests.product("Kettle", ProductReferenceTests.day, "a"))
    let found = ProductReferenceTests.product("Pot", ProductReferenceTests.day, "b")
    #expect(reference.mismatch(with: found) != nil)
    #expect(reference.named("Pot").mismatch(with: found) == nil)
  }
}
