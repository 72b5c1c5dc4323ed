import Catalog
import Text

/// Renders the format `table` for users: laid out to the width of a terminal, and as plain aligned columns elsewhere.
package struct TerminalRenderer: Renderer {
  package init() {}

  package func render(_ report: Report, _ options: RenderOptions) -> String {
    switch report {
    case .listing(let listing): return Self.joined(ListingText.lines(listing, options))
    case .product(let product, let fields): return Self.joined(ProductCard.lines(product, fields: fields, options))
    case .rows(let table): return Self.joined(lines(of: table, options))
    case .drawing(let drawing): return Self.joined(drawing.text(options))
    case .message(let message): return MessageRenderer().render(message, options)
    case .text(let wording): return Self.joined(Styling.lines(wording[options.language], width: nil, options))
    case .receipt(let receipt): return render(receipt.whole, options)
    case .group(let reports):
      return reports.map { render($0, options) }.filter { !$0.isEmpty }.joined(separator: "\n")
    case .empty: return ""
    }
  }

  private func lines(of table: Table, _ options: RenderOptions) -> [String] {
    let table = options.isTerminal ? table.onTerminal : table
    // A heading without rows says nothing to a user.
    if table.rows.isEmpty { return [] }
    if table.isSingle, table.rows.count == 1 {
      return DefinitionList.lines(
        zip(table.columns, table.rows[0]).map { column, cell in
          .init(Sanitizer.sanitized(column.title[options.language].plain), [CellText.text(cell, options)])
        }, options)
    }
    // On a terminal, where space is limited, a column without values is omitted.
    let columnIndices = table.columns.indices.filter { index in
      !options.isTerminal || table.rows.contains { $0[index] != .none }
    }
    let shortTimes = ShortTimes(table, columns: columnIndices, options)
    let columns = columnIndices.map { index in
      let column = table.columns[index]
      return TerminalTable.Column(
        title: Sanitizer.sanitized(column.title[options.language].plain) + (shortTimes?.mark(of: index) ?? ""),
        isNumber: column.isNumber,
        minimumWidth: column.isNumber || table.rows.contains { $0[index].isTime } ? nil : column.minimumWidth ?? 8,
        dropOrder: column.dropOrder)
    }
    var people = TerminalTable(
      columns,
      rows: table.rows.map { row in
        columnIndices.map { shortTimes?.text(row[$0]) ?? CellText.text(row[$0], options) }
      })
    return people.lines(options)
  }

  /// Returns the lines without trailing spaces, each ended.
  static func joined(_ lines: [String]) -> String {
    lines.reduce(into: "") { text, line in
      var end = line.unicodeScalars.endIndex
      while end > line.unicodeScalars.startIndex {
        let before = line.unicodeScalars.index(before: end)
        guard line.unicodeScalars[before] == " " else { break }
        end = before
      }
      text += String(line[..<end])
      text += "\n"
    }
  }
}

extension Table.Cell {
  /// Indicates a time, which is useless if it is truncated.
  fileprivate var isTime: Bool { moment != nil }

  fileprivate var moment: Timestamp? { if case .timestamp(let moment) = self { moment } else { nil } }
}

/// The times of a table that doesn't fit its window: without seconds, with the time zone in the heading, and without the
/// year if all are of one year.
private struct ShortTimes {
  private let columns: Set<Int>
  private let zone: String
  private let hasYear: Bool

  /// Returns `nil` for a table that fits, and for one without times or with times of several zones.
  init?(_ table: Table, columns columnIndices: [Int], _ options: RenderOptions) {
    guard options.isTerminal, let width = options.lineWidth else { return nil }
    let moments = columnIndices.flatMap { index in table.rows.compactMap { $0[index].moment } }
    guard !moments.isEmpty, moments.allSatisfy(\.isUTC) else { return nil }
    let widths = columnIndices.map { index in
      table.rows.reduce(options.cells.of(table.columns[index].title[options.language].plain)) {
        max($0, options.cells.of(CellText.text($1[index], options)))
      }
    }
    guard widths.reduce(0, +) + 3 * (widths.count - 1) > width else { return nil }
    let zones = Set(moments.map { LocalTimeZone(at: $0.seconds)?.name ?? "UTC" })
    guard zones.count == 1, let zone = zones.first else { return nil }
    self.zone = zone
    hasYear = Set(moments.map { $0.local.displayDescription.prefix(4) }).count > 1
    columns = Set(columnIndices.filter { index in table.rows.contains { $0[index].moment != nil } })
  }

  /// Returns the time zone after the heading of a column of times, or an empty text for another column.
  func mark(of column: Int) -> String { columns.contains(column) ? " (\(zone))" : "" }

  /// Returns a time, or `nil` for another cell.
  func text(_ cell: Table.Cell) -> String? {
    cell.moment.map { String($0.local.displayDescription.dropFirst(hasYear ? 0 : 5).prefix(hasYear ? 16 : 11)) }
  }
}

/// Titles followed by their values, long values wrapped in their column; on a narrow screen the values are below
/// the titles.
enum DefinitionList {
  /// A title and its sanitized values, each beginning on a line of its own.
  struct Entry {
    var title: String
    var values: [String]
    /// The hyperlink targets of the values, if the terminal supports links; `nil` for none.
    var addresses: [String?]

    init(_ title: String, _ values: [String], addresses: [String?] = []) {
      self.title = title
      self.values = values
      self.addresses = addresses
    }
  }

  /// The minimum width of a column of values; below it, lines of the full width are more readable.
  private static let minimumRoom = 8

  /// Returns the width available for a value with these titles, or `nil` for no limit.
  static func room(beside titles: [String], _ options: RenderOptions) -> Int? {
    guard let width = options.isTerminal ? options.lineWidth : nil else { return nil }
    let column = column(titles, options)
    return width - column >= minimumRoom ? width - column : width
  }

  private static func column(_ titles: [String], _ options: RenderOptions) -> Int {
    (titles.map { options.cells.of($0) }.max() ?? 0) + 2
  }

  static func lines(_ entries: [Entry], _ options: RenderOptions) -> [String] {
    let column = column(entries.map(\.title), options)
    guard let width = options.isTerminal ? options.lineWidth : nil else {
      return beside(entries, column: column, width: nil, options: options)
    }
    guard width - column >= minimumRoom else { return below(entries, width: width, options: options) }
    return beside(entries, column: column, width: width - column, options: options)
  }

  private static func beside(
    _ entries: [Entry], column: Int, width room: Int?, options: RenderOptions
  ) -> [String] {
    entries.flatMap { entry in
      let title = Styling.paint(options.cells.aligned(entry.title, to: column), .dim, options: options)
      let filling = String(repeating: " ", count: column)
      return wrapped(entry, width: room, options: options).enumerated().map { ($0 == 0 ? title : filling) + $1 }
    }
  }

  private static func below(_ entries: [Entry], width: Int, options: RenderOptions) -> [String] {
    entries.flatMap { entry in
      let title = options.cells.truncated(entry.title, to: width, ellipsis: options.ellipsis)
      return [Styling.paint(title, .dim, options: options)] + wrapped(entry, width: width, options: options)
    }
  }

  private static func wrapped(_ entry: Entry, width room: Int?, options: RenderOptions) -> [String] {
    entry.values.enumerated().flatMap { index, value in
      let lines = Styling.lines(StyledText(value), width: room, options)
      let address = index < entry.addresses.count ? entry.addresses[index] : nil
      return lines.map { Styling.link($0, to: address, options) }
    }
  }
}

/// A listing for users: the table or the cards, and on a terminal a caption with the position in the list.
enum ListingText {
  static func lines(_ listing: Listing, _ options: RenderOptions) -> [String] {
    guard options.isTerminal else { return table(listing, options).lines }
    switch listing.layout {
    case .grid:
      return CardGrid.lines(listing, options) + caption(listing, dropped: [], options)
    case .table:
      let body = table(listing, options)
      return (listing.page.products.isEmpty ? [] : body.lines) + caption(listing, dropped: body.dropped, options)
    }
  }

  private static func table(_ listing: Listing, _ options: RenderOptions) -> (lines: [String], dropped: [String]) {
    let products = listing.page.products
    var table = ProductListColumns(of: products, asked: listing.columns, options).table(of: products)
    let lines = table.lines(options)
    return (lines, table.dropped)
  }

  /// Returns the caption.
  ///
  /// `rows` is the number of drawn rows if the listing does not contain them all, and `cut` the number of truncated
  /// numbers.
  static func caption(
    _ listing: Listing, rows: Int? = nil, dropped: [String], cut: Int = 0, _ options: RenderOptions
  ) -> [String] {
    var parts = positionParts(listing, rows: rows, options)
    if cut > 0 {
      parts.append(
        options.language == .english
          ? "\(pluralized(cut, "number")) shortened; see all digits with as csv"
          : "폭이 좁아 줄여 표시한 숫자 \(NumberFormatting.grouped(cut))개, 모든 자리: as csv")
    }
    if !dropped.isEmpty {
      parts.append((options.language == .english ? "hidden columns: " : "숨긴 열: ") + dropped.joined(separator: ", "))
    }
    var lines = Styling.lines(
      StyledText(runs: [.init(parts.joined(separator: options.separator), .dim)]), width: options.lineWidth, options)
    for row in listing.page.broken.prefix(Page.maximumNamedBrokenRows) {
      let parts = [row.id.map { "id \($0)" }, row.field].compactMap { $0 }
      let name = parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
      let wording = LocalizedText(
        "cannot read row \(row.position)\(.foreign(name)): \(.foreign(row.reason))",
        ko: "\(row.position)번째 행을 읽을 수 없습니다\(.foreign(name)): \(.foreign(row.reason))")
      lines += Styling.lines(wording[options.language], width: options.lineWidth, options)
    }
    if let rest = LocalizedText.unreadableRows(listing.page.broken.count - Page.maximumNamedBrokenRows) {
      lines += Styling.lines(rest[options.language], width: options.lineWidth, options)
    }
    return lines
  }

  private static func positionParts(_ listing: Listing, rows: Int?, _ options: RenderOptions) -> [String] {
    let page = listing.page
    let isEnglish = options.language == .english
    var parts: [String] = []
    if let scan = listing.scan {
      let (found, pages, read) = (
        page.isFiltered ? page.total ?? 0 : rows ?? page.products.count, scan.pagesRead, scan.productsRead
      )
      if page.isFiltered, let last = page.last, last > 1 || page.number > 1 { parts.append(number(page, options)) }
      parts.append(isEnglish ? pluralized(found, "product") : "상품 \(NumberFormatting.grouped(found))개")
      parts.append(
        isEnglish
          ? "read \(pluralized(read, "product")) on \(pluralized(pages, "page"))"
          : "\(NumberFormatting.grouped(pages))페이지에서 \(NumberFormatting.grouped(read))개 읽음")
      if scan.reachedLimit {
        parts.append(isEnglish ? "stopped at the limit" : "개수 제한에서 멈춤")
      } else if !scan.isComplete {
        parts.append(isEnglish ? "incomplete" : "끝까지 읽지 못함")
      }
      if scan.changedDuringScan { parts.append(isEnglish ? "the list changed while it was read" : "읽는 동안 목록이 바뀜") }
    } else if page.products.isEmpty, page.total == 0 {
      parts.append(isEnglish ? "no products" : "상품 없음")
    } else {
      parts.append(number(page, options))
      // The rows of a later page depend on it, and it follows the height of the window.
      if page.number > 1, let size = page.size { parts.append(isEnglish ? "\(size) a page" : "페이지당 \(size)개") }
      let total = page.total ?? page.products.count
      let shown = isEnglish ? pluralized(total, "product") : "상품 \(NumberFormatting.grouped(total))개"
      parts.append(page.total == nil ? (isEnglish ? shown + " on this page" : "이 페이지에 " + shown) : shown)
      if page.total == nil { parts.append(isEnglish ? "total unknown" : "전체 수를 알 수 없음") }
    }
    if let search = listing.search {
      parts.append((isEnglish ? "search " : "검색어 ") + quoted(Sanitizer.sanitized(search, limit: 200), options))
    }
    return parts
  }

  private static func number(_ page: Page, _ options: RenderOptions) -> String {
    let (number, last) = (NumberFormatting.grouped(page.number), page.last.map { NumberFormatting.grouped($0) })
    guard options.language == .english else { return (last.map { "\($0)페이지 중 " } ?? "") + "\(number)페이지" }
    return "page \(number)" + (last.map { " of \($0)" } ?? "")
  }

  private static func quoted(_ text: String, _ options: RenderOptions) -> String {
    options.usesASCII ? "\"" + text + "\"" : "“" + text + "”"
  }

  private static func pluralized(_ number: Int, _ word: String) -> String {
    NumberFormatting.grouped(number) + " " + word + (number == 1 ? "" : "s")
  }
}

extension Page {
  /// The number of rows that couldn't be decoded and are named; the rest is counted.
  package static let maximumNamedBrokenRows = 100
}

extension LocalizedText {
  /// Returns the number of rows that couldn't be decoded and aren't named, or `nil` if all are.
  package static func unreadableRows(_ count: Int) -> LocalizedText? {
    guard count > 0 else { return nil }
    let number = NumberFormatting.grouped(count)
    return LocalizedText(
      "\(number) more \(count == 1 ? StyledText("row") : "rows") could not be read.",
      ko: "그 밖에 읽지 못한 행이 \(number)개 더 있습니다.")
  }
}
