import Catalog
import Text

/// Rows of named columns, for everything that is not a product: settings, history, outcomes.
package struct Table: Hashable, Sendable {
  /// One column: the key that programs see and the title that people see.
  package struct Column: Hashable, Sendable {
    /// The key in data formats.
    package var key: String
    /// The heading for people.
    package var title: LocalizedText
    package var isNumber: Bool
    package init(_ key: String, _ title: LocalizedText, isNumber: Bool = false) {
      self.key = key
      self.title = title
      self.isNumber = isNumber
    }
  }

  /// One cell: data for programs, words for people.
  package enum Cell: Hashable, Sendable {
    case none
    case text(String)
    case number(Int)
    case amount(Amount)
    case flag(Bool)
    case wording(LocalizedText)
    case moment(Timestamp)
    /// Named values, such as the fields a change concerned: an object in JSON, `price 12000, stock 2` for people.
    case record([Entry])
    case list([Cell])
  }

  /// One named value of a record.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var cell: Cell
    package init(_ key: String, _ cell: Cell) {
      self.key = key
      self.cell = cell
    }
  }

  package var columns: [Column]
  package var rows: [[Cell]]
  /// A table of exactly one thing prints as one JSON object.
  package var isSingle: Bool

  package init(_ columns: [Column], rows: [[Cell]], isSingle: Bool = false) {
    self.columns = columns
    self.rows = rows
    self.isSingle = isSingle
  }
}
