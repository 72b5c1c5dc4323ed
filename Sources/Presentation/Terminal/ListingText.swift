import Catalog
import Text

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
    for row in listing.page.broken {
      let parts = [row.id.map { "id \($0)" }, row.field].compactMap { $0 }
      let name = parts.isEmpty ? "" : " (" + parts.joined(separator: ", ") + ")"
      let wording = LocalizedText(
        "cannot read row \(row.position)\(.foreign(name)): \(.foreign(row.reason))",
        ko: "\(row.position)번째 행을 읽을 수 없습니다\(.foreign(name)): \(.foreign(row.reason))")
      lines += Styling.lines(wording[options.language], width: options.lineWidth, options)
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
