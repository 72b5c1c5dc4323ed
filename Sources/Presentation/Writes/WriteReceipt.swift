import Catalog
import Text

/// The result of a write: one line or a table of targets for a user at a terminal, and data for programs.
package struct WriteReceipt: Hashable, Sendable {
  /// A target and its result.
  package struct Row: Hashable, Sendable {
    package var id: Product.ID?
    package var name: String?
    /// The change, or `nil` if there was nothing to change.
    package var change: Change?
    /// The product after the write, if known.
    package var product: Product?
    package var outcome: OutcomeKind
    /// The reason, if there is more to say.
    package var detail: LocalizedText?

    package init(
      id: Product.ID?, name: String?, change: Change?, product: Product?, outcome: OutcomeKind,
      detail: LocalizedText? = nil
    ) {
      self.id = id
      self.name = name
      self.change = change
      self.product = product
      self.outcome = outcome
      self.detail = detail
    }
  }

  /// The rows of the targets in the order of the plan.
  ///
  /// Each is computed on access, so that a hundred thousand targets are not stored twice.
  package struct Rows: RandomAccessCollection, Hashable, Sendable {
    package let startIndex = 0
    package let endIndex: Int
    private let row: @Sendable (Int) -> Row

    /// Creates rows.
    ///
    /// `row` returns the row at an index, and always the same one.
    package init(_ count: Int, _ row: @escaping @Sendable (Int) -> Row) {
      endIndex = count
      self.row = row
    }

    package subscript(index: Int) -> Row { row(index) }

    package static func == (one: Rows, other: Rows) -> Bool { one.elementsEqual(other) }

    package func hash(into hasher: inout Hasher) { for row in self { hasher.combine(row) } }
  }

  package let rows: Rows
  package let isBatch: Bool
  /// The command that undoes the write, or `nil` if there is none.
  package let undoCommand: String?
  /// Additional notes for the user, such as a value that was stored differently.
  package let remarks: [Message]
  /// The result of a batch and the next step, shown below its table.
  package let summary: Message?
  private let makeWhole: @Sendable () -> Report

  /// The complete report: what programs read, and what `after-write full` shows of a single product.
  ///
  /// It is computed on access.
  package var whole: Report { makeWhole() }

  package init(
    _ rows: Rows, isBatch: Bool, undoCommand command: String? = nil, remarks: [Message] = [], summary: Message? = nil,
    whole: @escaping @Sendable () -> Report
  ) {
    self.rows = rows
    self.isBatch = isBatch
    undoCommand = command
    self.remarks = remarks
    self.summary = summary
    makeWhole = whole
  }

  package static func == (one: WriteReceipt, other: WriteReceipt) -> Bool {
    one.rows == other.rows && one.isBatch == other.isBatch && one.undoCommand == other.undoCommand
      && one.remarks == other.remarks && one.summary == other.summary && one.whole == other.whole
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(rows) }

  /// Returns `✓ 138 먹색 요리책  price ₩19,000 → ₩17,100 (undo)` on one row of the screen; empty if nothing was written.
  package func line(_ options: RenderOptions) -> String {
    guard let row = rows.first, row.outcome == .done, let change = row.change else { return "" }
    let words = ChangeSummary(options)
    let mark = options.usesASCIILines ? "+" : "✓"
    let id = (row.id ?? row.product?.id).map { String($0) + " " } ?? ""
    let back = undoCommand.map { " (" + $0 + ")" } ?? ""
    var name = CellText.words(row.product?.name ?? row.name)
    var what = words.of(change, row.product).joined(separator: ", ")
    if let width = options.lineWidth {
      let cells = options.cells
      let room = width - cells.of(mark + " " + id + "  " + back)
      // The name is shortened first, to a length that still distinguishes products.
      let namesRoom = max(min(WriteReceipt.minimumNameWidth, cells.of(name)), room - cells.of(what))
      name = cells.truncated(name, to: min(namesRoom, max(0, room)), ellipsis: options.ellipsis)
      what = cells.truncated(what, to: max(0, room - cells.of(name)), ellipsis: options.ellipsis)
    }
    return Styling.paint(mark, .green, options: options) + " " + Styling.paint(id, .strong, options: options) + name
      + "  " + what
      + Styling.paint(back, .dim, options: options) + "\n"
  }

  private static let minimumNameWidth = 12

  /// Returns a row per target: id, name, and the change or the reason why there was none.
  ///
  /// Targets that had nothing to change are counted in the summary only, because they would hide the others.
  package func table(_ options: RenderOptions) -> Table {
    let words = ChangeSummary(options)
    return Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true), .init("name", LocalizedText("name", ko: "이름")),
        .init("change", LocalizedText("change", ko: "변경 내용")),
      ],
      rows: rows.lazy.filter { $0.outcome != .unchanged || $0.detail != nil }.map { row in
        [
          (row.id ?? row.product?.id).map { .number($0) } ?? .none, .text(row.product?.name ?? row.name ?? "-"),
          .text(words.of(row)),
        ]
      })
  }
}
