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

/// A short description of a change for one row of the screen: `price ₩19,000 → ₩17,100`.
package struct ChangeSummary {
  private let options: RenderOptions
  private let arrow: String
  private let isPlan: Bool
  /// A Boolean value that indicates that a discount is left out where the sale price shows it.
  var isBrief = false

  /// Creates the descriptions.
  ///
  /// `isPlan` is for changes that are not written yet, which include relative changes and the sale price.
  package init(_ options: RenderOptions, isPlan: Bool = false) {
    self.options = options
    self.isPlan = isPlan
    arrow = " " + options.arrow + " "
  }

  /// Returns the values of a change without its verb: `price ₩19,000 → ₩17,100`; empty for a delete.
  package func values(of change: Change) -> String {
    let parts = of(change, nil)
    switch change {
    case .create: return parts.dropFirst().joined(separator: ", ")
    case .edit: return parts.joined(separator: ", ")
    case .delete: return ""
    }
  }

  /// Returns the result of a target: the change, or the result and its reason.
  func of(_ row: WriteReceipt.Row) -> String {
    let change = row.change.map { of($0, row.product).joined(separator: ", ") } ?? ""
    if row.outcome == .done {
      let detail = row.detail.map { " (" + $0[options.language].plain + ")" } ?? ""
      return change + detail
    }
    let words = row.outcome.phrase[options.language].plain
    guard let detail = row.detail?[options.language].plain else { return words }
    switch row.outcome {
    // The details of these would repeat the result.
    case .done, .skipped, .notApplied: return words
    case .notSent, .unchanged, .unknown, .drifted: return detail
    case .refused: return words + ": " + detail
    }
  }

  /// Returns one part per field, with values as stored if known.
  func of(_ change: Change, _ now: Product?) -> [String] {
    switch change {
    case .create(let draft):
      let made = (isPlan ? LocalizedText("new", ko: "새 상품") : LocalizedText("created", ko: "등록"))[options.language]
        .plain
      let currency = now?.currency ?? draft.currency
      var parts = [made]
      // A field that is neither sent nor in the response has no value.
      if let price = now?.price ?? (draft.unset.contains(.price) ? nil : draft.price) {
        parts.append(named(.price, money(price, currency)))
      }
      if let stock = now?.stock ?? (draft.unset.contains(.stock) ? nil : draft.stock) {
        parts.append(named(.stock, count(stock)))
      }
      return parts
    case .delete:
      return [(isPlan ? LocalizedText("delete", ko: "삭제") : LocalizedText("deleted", ko: "삭제"))[options.language].plain]
    case .edit(let product, let from, let to): return edited(product, change: change, from: from, to: to, now: now)
    }
  }

  private func edited(
    _ product: Product, change: Change, from: ProductValues, to: ProductValues, now: Product?
  ) -> [String] {
    var parts: [String] = []
    // The product of a plan file may come without its currency.
    let currency = product.currency ?? (to.currency == nil ? now?.currency : nil)
    let newCurrency = now?.currency ?? to.currency ?? currency
    let saleShowsDiscount = isBrief && isPlan && change.sale?.after != nil && change.sale != change.price
    for field in ProductField.allCases {
      switch field {
      case .name:
        if let name = to.name {
          let before = from.name.map(CellText.delimited)
          parts.append(moved(field, before: CellText.words(before), after: CellText.words(CellText.delimited(name))))
        }
      case .description, .thumbnail: if to[field] != nil { parts.append(rewritten(field)) }
      case .price:
        guard let price = to.price else { continue }
        let share = share(from.price, price, of: change.sale == change.price ? nil : change.sale)
        parts.append(
          moved(field, before: money(from.price, currency), after: money(now?.price ?? price, newCurrency)) + share)
      case .discount:
        guard let discount = to.discount, !saleShowsDiscount else { continue }
        parts.append(
          moved(field, before: money(from.discount, currency), after: money(now?.discount ?? discount, newCurrency)))
      case .sale:
        guard isPlan, let sale = change.sale, let after = sale.after, sale != change.price else { continue }
        parts.append(
          moved(field, before: money(sale.before, currency), after: money(after, newCurrency))
            + share(sale.before, after, of: nil))
      case .currency:
        guard let currency = to.currency else { continue }
        parts.append(moved(field, before: CellText.words(from.currency?.code), after: CellText.words(currency.code)))
      case .stock:
        if let stock = to.stock {
          parts.append(moved(field, before: count(from.stock), after: count(now?.stock ?? stock)))
        }
      case .images: if let files = to.pictures { parts.append(named(field, String(files.count))) }
      case .id, .vendor, .vendorID, .created, .modified: break
      }
    }
    return parts
  }

  /// Returns a relative change such as ` (-10 %)`; empty after the write, and if another price includes it.
  private func share(_ before: Amount?, _ after: Amount, of other: Change.PriceChange?) -> String {
    guard isPlan, other == nil else { return "" }
    return before.flatMap { NumberFormatting.percent(from: $0, to: after) }.map { " (" + $0 + ")" } ?? ""
  }

  private func moved(_ field: ProductField, before: String, after: String) -> String {
    named(field, before + arrow + after)
  }

  private func named(_ field: ProductField, _ value: String) -> String {
    field.title[options.language].plain + " " + value
  }

  /// Returns a note for a text that is too long for a row, or an id that says nothing to users.
  private func rewritten(_ field: ProductField) -> String {
    let title = field.title
    return LocalizedText("\(title.english) changed", ko: "\(title.korean) 변경")[options.language].plain
  }

  private func money(_ amount: Amount?, _ currency: Currency?) -> String {
    amount.map { NumberFormatting.money($0, currency, ascii: options.usesASCII) } ?? "-"
  }

  private func count(_ number: Int?) -> String { number.map { NumberFormatting.grouped($0) } ?? "-" }
}
