import Catalog
import FoundationEssentials
import Images
import Text

/// The result of a command, independent of its format.
///
/// Renderers convert it to text.
package enum Report: Hashable, Sendable {
  case listing(Listing)
  /// A product with all fields, or only with the given ones in order.
  case product(Product, fields: [ProductField]?)
  case rows(Table)
  case drawing(Figure)
  case message(Message)
  /// Plain text: a curl line, a help page.
  case text(LocalizedText)
  /// The result of a write.
  indirect case receipt(WriteReceipt)
  case group([Report])
  case empty
}

/// The products of one page and the server's counts for the complete list.
package struct Listing: Hashable, Sendable {
  /// The layout of a list of products on a terminal.
  package enum Layout: Hashable, Sendable { case table, grid }

  /// The counts of a listing that read all pages.
  package struct Scan: Hashable, Sendable {
    package var pagesRead: Int
    /// The number of products read before filtering with `where`.
    package var productsRead: Int
    package var isComplete: Bool
    /// Indicates whether the list changed during the scan.
    package var changedDuringScan: Bool
    /// Indicates whether the scan stopped because it had enough products.
    package var reachedLimit = false

    package init(pagesRead: Int, productsRead: Int, isComplete: Bool, changedDuringScan: Bool = false) {
      self.pagesRead = pagesRead
      self.productsRead = productsRead
      self.isComplete = isComplete
      self.changedDuringScan = changedDuringScan
    }
  }

  package var page: Page
  package var columns: [ProductField]?
  package var layout: Layout
  /// The search text of the listing, for the caption.
  package var search: String?
  /// The pictures for the cards of a grid, rendered as text; empty if no pictures are shown.
  package var pictures: [Product.ID: TerminalPicture] = [:]
  /// The size of a picture in a card, in cells.
  package static let pictureBox = (columns: 24, rows: 7)
  /// The counts of the scan, or `nil` for one page as returned by the server.
  package var scan: Scan?

  package init(
    _ page: Page, columns: [ProductField]? = nil, layout: Layout = .table, search: String? = nil, scan: Scan? = nil
  ) {
    self.page = page
    self.columns = columns
    self.layout = layout
    self.search = search
    self.scan = scan
  }
}

/// Converts a report to the text of one format.
///
/// A renderer is deterministic: equal reports and options give equal texts.
package protocol Renderer: Sendable {
  /// Returns the text, which ends with exactly one newline or is empty if there is nothing to show.
  func render(_ report: Report, _ options: RenderOptions) -> String
}

/// Preformatted lines for terminals together with the table and JSON that they represent, which data formats use.
package struct Figure: Hashable, Sendable {
  /// The style of a run.
  package enum Style: Hashable, Sendable {
    case plain
    case dim
    case bold
    case warning
    case accent
    /// A color of xterm's palette of 256.
    case palette(UInt8)
  }

  /// A run of sanitized text in one style.
  package struct Run: Hashable, Sendable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  package var lines: [[Run]]
  /// The picture above the lines, shown on a terminal with colors.
  package var picture: TerminalPicture?
  /// The table for row formats.
  package var table: Table
  private var value: Value
  /// The bytes to write to a program or file instead of the lines: a body exactly as it was received.
  package var exactBytes: Data?
  /// The tables of a workbook or a web page, or `nil` for the table alone.
  package var document: Document? {
    get { documents.first }
    set { documents = newValue.map { [$0] } ?? [] }
  }
  private var documents: [Document] = []

  /// The complete data; a format renders a part of it.
  private enum Value: Hashable {
    case table
    case cell(Table.Cell)
    /// One JSON value on one line.
    case json(String)
  }

  /// Creates a figure whose data is a JSON value on one line.
  package init(_ lines: [[Run]], table: Table, json: String) {
    self.lines = lines
    self.table = table
    value = .json(json)
  }

  /// Creates a figure whose data is `value`, or the table if it is `nil`.
  package init(_ lines: [[Run]], table: Table, value: Table.Cell? = nil, picture: TerminalPicture? = nil) {
    self.lines = lines
    self.table = table
    self.value = value.map(Value.cell) ?? .table
    self.picture = picture
  }

  /// The complete data as one JSON value on one line.
  package var json: String {
    get {
      switch value {
      case .table: JSONWriter.data { $0.write(table) }
      case .cell(let cell): JSONWriter.data { $0.write(cell) }
      case .json(let text): text
      }
    }
    set { value = .json(newValue) }
  }

  /// Returns a text wrapped at spaces into sanitized lines of at most `width` cells.
  package static func paragraph(_ text: StyledText, width: Int, _ options: RenderOptions) -> [[Run]] {
    Styling.runs(text, width: width, options)
  }

  /// Returns the lines with styles, or plain without colors.
  ///
  /// No line ends in spaces.
  func text(_ options: RenderOptions) -> [String] {
    (options.isTerminal && options.colors ? picture?.lines ?? [] : [])
      + lines.map { painted($0, options) }
  }

  private func painted(_ line: [Run], _ options: RenderOptions) -> String {
    var line = line
    while let last = line.last, last.text.allSatisfy({ $0 == " " }) { line.removeLast() }
    return line.map { Styling.paint($0.text, as: $0.style, options) }.joined()
  }
}

/// A line of a figure under construction: runs and their total width in cells.
struct FigureLine: Sendable {
  let cells: WidthMeasurer
  private(set) var runs: [Figure.Run] = []
  private(set) var width = 0

  init(_ cells: WidthMeasurer, _ text: String = "", style: Figure.Style = .plain) {
    self.cells = cells
    add(text, style)
  }

  mutating func add(_ text: String, _ style: Figure.Style = .plain) {
    guard !text.isEmpty else { return }
    width += cells.of(text)
    if let last = runs.last, last.style == style {
      runs[runs.count - 1].text += text
    } else {
      runs.append(Figure.Run(text, style))
    }
  }

  mutating func add(_ line: FigureLine) {
    for run in line.runs { add(run.text, run.style) }
  }

  /// Appends spaces up to a column.
  mutating func pad(to column: Int) { add(String(repeating: " ", count: max(0, column - width))) }

  /// Appends text aligned to the right within `columns` cells.
  mutating func appendTrailing(_ text: String, in columns: Int, _ style: Figure.Style = .plain) {
    add(String(repeating: " ", count: max(0, columns - cells.of(text))))
    add(text, style)
  }

  mutating func appendLeading(_ text: String, in columns: Int, _ style: Figure.Style = .plain) {
    let end = width + columns
    add(text, style)
    pad(to: end)
  }

  /// Returns the line without trailing spaces, truncated with an ellipsis if it is too wide.
  func truncated(to limit: Int, ellipsis: String) -> FigureLine {
    if width <= limit { return trimmed }
    var short = FigureLine(cells)
    let dots = cells.of(ellipsis) <= limit ? ellipsis : ""
    let room = limit - cells.of(dots)
    for run in runs {
      for character in run.text {
        guard short.width + cells.of(String(character)) <= room else {
          short.add(dots, .dim)
          return short
        }
        short.add(String(character), run.style)
      }
    }
    return short.trimmed
  }

  private var trimmed: FigureLine {
    var left = runs
    while var last = left.popLast() {
      while last.text.hasSuffix(" ") { last.text.removeLast() }
      guard last.text.isEmpty else {
        left.append(last)
        break
      }
    }
    var line = FigureLine(cells)
    for run in left { line.add(run.text, run.style) }
    return line
  }
}

extension FigureLine {
  /// Arranges pieces in lines of at most `limit` cells without breaking any.
  static func wrap(_ pieces: [FigureLine], gap: Int, within limit: Int) -> [FigureLine] {
    var lines: [FigureLine] = []
    for piece in pieces {
      if var last = lines.last, last.width + gap + piece.width <= limit {
        last.pad(to: last.width + gap)
        last.add(piece)
        lines[lines.count - 1] = last
      } else {
        lines.append(piece)
      }
    }
    return lines
  }
}

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
    /// An amount, with thousands separators for users; with a currency, an amount of money with its sign: `₩12,000`.
    case amount(Amount, Currency? = nil)
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
  ///
  /// - Parameter currency: The currency of an amount, if known.
  package init(_ value: FieldValue?, in currency: Currency? = nil) {
    switch value {
    case .number(let number): self = .number(number)
    case .amount(let amount): self = .amount(amount, currency)
    case .text, .timestamp, .pictures: self = .text(value?.description ?? "")
    case .references(let references): self = .list(references.map { .text($0) })
    case nil: self = .none
    }
  }
}
