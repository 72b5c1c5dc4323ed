import Catalog
import Text

/// The changes of a plan as a table of one row per product, like the table of results after the write.
///
/// Values that a row cannot show completely (a description, a picture, truncated text) can be shown below it, field by
/// field.
struct PlanRows {
  private let changes: [Change]
  /// The indices of the changes in the order they are shown.
  private let order: [Int]
  private let isNumbered: Bool
  private let options: RenderOptions
  private var words: ChangeSummary
  private var minimumNameWidth = PlanRows.comfortableNameWidth
  /// A Boolean value that indicates that details repeat a discount that a sale price shows.
  var showsEverything = false

  /// Creates the rows.
  ///
  /// `isNumbered` shows the number of each change, by which the answer to the prompt can refer to it.
  init(_ changes: [Change], order: [Int], isNumbered: Bool, _ options: RenderOptions) {
    self.changes = changes
    self.order = order
    self.isNumbered = isNumbered
    self.options = options
    words = ChangeSummary(options, isPlan: true)
  }

  /// Returns the lines of the first `count` changes.
  ///
  /// `showsDetails` adds the missing values below each row that is not complete.
  ///
  /// If the changes don't fit next to readable names, first the discounts are left out, which the sale prices show, and then
  /// the names are shortened.
  func lines(_ count: Int, showsDetails: Bool) -> [String] {
    let shown = Array(order.prefix(count))
    guard fits(shown) else {
      var narrower = self
      if !words.isBrief {
        narrower.words.isBrief = true
      } else {
        narrower.minimumNameWidth = PlanRows.smallestNameWidth
      }
      return narrower.lines(count, showsDetails: showsDetails)
    }
    var table = TerminalTable(columns(shown), rows: shown.map(cells))
    guard let widths = table.fittedWidths(options) else { return table.lines(options) }
    let body = table.body(widths, options)
    var lines = table.head(widths, options)
    for (position, index) in shown.enumerated() {
      lines.append(body[position])
      if showsDetails, !isWhole(index, widths[widths.count - 1]) { lines += details(index) }
    }
    return lines
  }

  private func columns(_ shown: [Int]) -> [TerminalTable.Column] {
    var columns: [TerminalTable.Column] = []
    if isNumbered { columns.append(.init(title: title(LocalizedText("row", ko: "행")), isNumber: true)) }
    if hasIDs { columns.append(.init(title: title(ProductField.id.title), isNumber: true)) }
    columns.append(.init(title: title(ProductField.name.title), minimumWidth: minimumNameWidth))
    // Numbers must not be truncated as long as the name can be shortened.
    columns.append(
      .init(
        title: title(LocalizedText("change", ko: "변경 내용")), minimumWidth: max(8, min(widest(shown), available(shown)))))
    return columns
  }

  private static let comfortableNameWidth = 16
  private static let smallestNameWidth = 8

  /// Returns whether the changes fit next to names of the minimum width, or nothing more can be done.
  private func fits(_ shown: [Int]) -> Bool {
    minimumNameWidth == PlanRows.smallestNameWidth || widest(shown) <= available(shown)
  }

  /// Returns the width of the widest change.
  private func widest(_ shown: [Int]) -> Int { shown.reduce(0) { max($0, options.cells.of(words(of: $1))) } }

  /// Returns the width that is left for the changes after names of the minimum width.
  private func available(_ shown: [Int]) -> Int {
    let widestName = shown.reduce(0) { max($0, options.cells.of(CellText.words(changes[$1].name))) }
    let name = max(options.cells.of(title(ProductField.name.title)), min(minimumNameWidth, widestName))
    var others = 0
    if isNumbered {
      others += 3 + max(options.cells.of(title(LocalizedText("row", ko: "행"))), String(changes.count).count)
    }
    if hasIDs {
      let digits = shown.reduce(1) { max($0, changes[$1].product.map { String($0.id).count } ?? 1) }
      others += 3 + max(options.cells.of(title(ProductField.id.title)), digits)
    }
    return (options.lineWidth ?? .max) - others - name - 3
  }

  /// Indicates whether any product has an id; new products have none.
  private var hasIDs: Bool { changes.contains { $0.product != nil } }

  private func title(_ text: LocalizedText) -> String { text[options.language].plain }

  private func cells(_ index: Int) -> [String] {
    let change = changes[index]
    var cells: [String] = isNumbered ? [String(index + 1)] : []
    if hasIDs { cells.append(change.product.map { String($0.id) } ?? "-") }
    return cells + [CellText.words(change.name), words(of: index)]
  }

  private func words(of index: Int) -> String { words.of(changes[index], nil).joined(separator: ", ") }

  /// Returns true if the row shows everything that is written.
  private func isWhole(_ index: Int, _ width: Int) -> Bool {
    guard options.cells.of(words(of: index)) <= width else { return false }
    guard case .edit(_, let from, let to) = changes[index] else {
      if case .delete = changes[index] { return true } else { return false }
    }
    if showsEverything, words.isBrief, to.discount != nil { return false }
    return to.pictures == nil && to.assignedFields.allSatisfy { isShown($0, from: from, to: to) }
  }

  /// Returns true if a row shows all of the value that an update sets.
  private func isShown(_ field: ProductField, from: ProductValues, to: ProductValues) -> Bool {
    switch field {
    case .name:
      guard let before = from.name, let after = to.name else { return true }
      return InvisibleDifference(before, after) == nil
    case .description, .thumbnail, .images: return false
    case .price, .discount, .currency, .stock: return true
    case .id, .sale, .vendor, .vendorID, .created, .modified: return true
    }
  }

  private func details(_ index: Int) -> [String] {
    ChangeLines.lines(changes[index], options).dropFirst().flatMap {
      Styling.lines(StyledText("  ") + $0, width: options.lineWidth, options)
    }
  }
}
