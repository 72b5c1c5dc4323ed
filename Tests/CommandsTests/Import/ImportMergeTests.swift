import Catalog
import CommandLanguage
import Testing
import Text

@testable import Commands

/// The cells of a file are parsed once, and those that differ from the product are written.
@Suite struct ImportMergeTests {
  typealias Cell = ImportRow.Cell

  @Test(
    arguments: [
      (Cell(.price, "19000.00"), .amount(Amount(19_000)), nil), (Cell(.stock, "3"), .number(3), nil),
      (Cell(.currency, "usd"), .text("USD"), nil), (Cell(.name, "-"), .text("-"), nil),
      (Cell(.price, "cheap"), nil, "Invalid value for price: cheap."), (Cell(.vendor, "15"), nil, nil),
      (Cell(clearing: .discount), .amount(.zero), nil), (Cell(clearing: .stock), .number(0), nil),
      (Cell(clearing: .description), .text(""), "description cannot be empty"),
      (Cell(clearing: .name), nil, "name cannot be empty"), (Cell(clearing: .images), nil, nil),
    ] as [(ImportRow.Cell, FieldValue?, String?)])
  func valueIsParsed(_ cell: ImportRow.Cell, _ value: FieldValue?, _ error: String?) {
    #expect(cell.value == value)
    do throws(ParseError) {
      try cell.check(.documented)
      #expect(error == nil)
    } catch let found {
      #expect(found.message[.english].plain == error)
    }
  }

  @Test func descriptionIsClearedWhereTheServerAllowsIt() throws {
    try Cell(clearing: .description).check(.server)
  }

  /// Without an export, the cells that differ from the product are written; numbers are equal as numbers.
  @Test(
    arguments: [
      ([Cell(.price, "10.00"), Cell(.stock, "1")], [:]), ([Cell(.price, "12"), Cell(.stock, "1")], [.price: "12"]),
      ([Cell(.name, "cup"), Cell(.name, "mug")], [.name: "mug"]), ([Cell(clearing: .stock)], [.stock: "0"]),
      ([Cell(.description, "a mug")], [.description: "a mug"]),
      ([Cell(.vendor, "15"), Cell(.sale, "9")], [.sale: "9"]),
    ] as [([ImportRow.Cell], [ProductField: String])])
  func differingCellsAreWritten(_ cells: [ImportRow.Cell], _ expected: [ProductField: String]) {
    let product = Product(id: 1, name: "cup", price: Amount(10), discount: .zero, sale: Amount(10), stock: 1)
    let row = ImportRow(line: 2, id: 1, cells: cells)
    let (writes, left) = ImportMerge(nil, winner: nil).reconciled(row, with: product)
    #expect(writes.mapValues(\.description) == expected)
    #expect(left == ImportMerge.LeftCells())
  }
}
