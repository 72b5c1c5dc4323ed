import Catalog
import Foundation
import Presentation
import Testing
import Text

/// The table of a batch for a user at a terminal.
@Suite struct WriteReceiptTests {
  /// Rows that had nothing to change are left out, unless there is a reason to show.
  @Test func unchangedRowsAreOmitted() {
    let changed = Change.edit(
      Product(id: 2, name: "병"), from: ProductValues(stock: 1), to: ProductValues(stock: 3))
    let rows: [WriteReceipt.Row] = [
      .init(id: 1, name: "컵", change: nil, product: nil, outcome: .unchanged),
      .init(id: 2, name: "병", change: changed, product: nil, outcome: .done),
      .init(
        id: 3, name: "솥", change: nil, product: nil, outcome: .unchanged,
        detail: LocalizedText("applied before", ko: "이전에 적용됨")),
      .init(id: 4, name: "칼", change: changed, product: nil, outcome: .refused),
    ]
    let receipt = WriteReceipt(.init(rows.count) { rows[$0] }, isBatch: true) { .empty }
    let options = RenderOptions(width: 80, isTerminal: true)
    let text = TerminalRenderer().render(.rows(receipt.table(options)), options)
    #expect(
      text == """
        id │ name │ change
        ───┼──────┼───────────────
         2 │ 병   │ stock 1 → 3
         3 │ 솥   │ applied before
         4 │ 칼   │ refused

        """, "\(text)")
  }

  /// A blank at an end of a name is visible in the row of each product, as it is in the preview of one.
  @Test(arguments: [
    ("컵 ", "컵", "name \"컵 \" → 컵"), ("컵", " 컵", "name 컵 → \" 컵\""), ("컵", "잔", "name 컵 → 잔"),
  ])
  func blanksAtTheEndsOfANameAreQuoted(_ before: String, _ after: String, _ expected: String) {
    let change = Change.edit(
      Product(id: 2, name: before), from: ProductValues(name: before), to: ProductValues(name: after))
    let receipt = WriteReceipt(
      .init(2) { .init(id: 2 + $0, name: before, change: change, product: nil, outcome: .done) }, isBatch: true
    ) { .empty }
    let options = RenderOptions(width: 80, isTerminal: true)
    let text = TerminalRenderer().render(.rows(receipt.table(options)), options)
    #expect(text.components(separatedBy: expected).count == 3, "\(text)")
  }
}
