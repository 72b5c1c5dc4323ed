import Catalog
import Text

/// Rows with named columns, for everything other than products: settings, history, outcomes.
package struct Table: Hashable, Sendable {
  /// A column: the key for programs and the title for users.
  package struct Column: Hashable, Sendable {
    /// The key in data formats.
    package var key: String
    /// The heading for users.
    package var title: LocalizedText
    package var isNumber: Bool
    /// The minimum width of text on a terminal, or `nil` for the default.
    package var minimumWidth: Int?
    /// The order in which columns are omitted on a narrow terminal, the highest first; `nil` if it is always shown.
    package var dropOrder: Int?
    package init(
      _ key: String, _ title: LocalizedText, isNumber: Bool = false, minimumWidth: Int? = nil, dropOrder: Int? = nil
    ) {
      self.key = key
      self.title = title
      self.isNumber = isNumber
      self.minimumWidth = minimumWidth
      self.dropOrder = dropOrder
    }
  }

  /// A cell: data for programs, text for users.
  package enum Cell: Hashable, Sendable {
    case none
    case text(String)
    case number(Int)
    /// An amount of money, with thousands separators for users.
    case amount(Amount)
    /// A decimal without separators, so that users can type it.
    case decimal(Amount)
    case bool(Bool)
    case localized(LocalizedText)
    case timestamp(Timestamp)
    /// Named values, such as the fields of a change: an object in JSON, `price 12000, stock 2` for users.
    case record([LabelledValue])
    case list([Cell])
  }

  /// A named value of a record.
  package struct LabelledValue: Hashable, Sendable {
    package var key: String
    package var cell: Cell
    package init(_ key: String, _ cell: Cell) {
      self.key = key
      self.cell = cell
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]
  /// Indicates a table of exactly one thing, which is a single object in JSON.
  package var isSingle: Bool
  private var forTerminal: [Table] = []

  /// The table that is shown on a terminal in place of this one.
  package var onTerminal: Table {
    get { forTerminal.first ?? self }
    set { forTerminal = [newValue] }
  }

  package init(_ columns: [Column], rows: [[Cell]], isSingle: Bool = false) {
    self.columns = columns
    self.rows = rows
    self.isSingle = isSingle
  }
}

extension Table.Cell {
  /// Creates the cell of a product's value, which is empty if the edition doesn't provide it.
  package init(_ value: FieldValue?) {
    switch value {
    case .number(let number): self = .number(number)
    case .amount(let amount): self = .amount(amount)
    case .text, .timestamp, .pictures: self = .text(value?.description ?? "")
    case .references(let references): self = .list(references.map { .text($0) })
    case nil: self = .none
    }
  }
}
