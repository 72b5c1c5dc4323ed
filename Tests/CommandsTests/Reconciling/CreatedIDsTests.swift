import Catalog
import Platform
import Synchronization
import Testing
import WriteJournal

@testable import Commands

/// The ids of new products are written back to their form, and an error of that ends the creates.
@Suite struct CreatedIDsTests {
  private static func row(_ change: Change, _ outcome: Outcome?) -> Plan.Row {
    var row = Plan.Row(change)
    row.outcome = outcome
    return row
  }

  private static let cup = Product(id: 7, name: "cup")
  private static let create = Change.create(
    ProductDraft(name: "cup", description: "a cup", price: Amount(9), currency: .krw, pictures: []))

  /// Only a create that has its product is written back, also one that an earlier run made.
  @Test(
    arguments: [
      (row(create, .done(cup, differences: [])), [7]), (row(create, .unchanged(cup)), [7]),
      (row(create, .notSent(.noResponse)), []), (row(create, nil), []),
      (row(.delete(cup), .done(nil, differences: [])), []),
    ] as [(Plan.Row, [Product.ID])])
  func createdProductIsWrittenBack(_ row: Plan.Row, _ expected: [Product.ID]) {
    let saved = Mutex<[Product.ID]>([])
    let ids = CreatedIDs { _, product throws(FileError) in saved.withLock { $0.append(product.id) } }
    #expect(ids.write(row))
    #expect(saved.withLock { $0 } == expected)
    #expect(ids.error == nil)
  }

  @Test func errorEndsTheCreates() {
    let ids = CreatedIDs { _, _ throws(FileError) in throw .cannotWrite(path: "/ids", errno: 28) }
    #expect(!ids.write(Self.row(Self.create, .done(Self.cup, differences: []))))
    #expect(ids.write(Self.row(.delete(Self.cup), .done(nil, differences: []))))
    guard case .cannotWrite? = ids.error else {
      Issue.record("\(String(describing: ids.error))")
      return
    }
  }
}
