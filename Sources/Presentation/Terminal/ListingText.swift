import Catalog
import Text

/// A listing for people: the table or the cards, and on a terminal a caption that says where one is.
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
    let fields = listing.columns ?? usual(products, options)
    var columns = fields.map { field in
      PeopleTable.Column(
        title: field.title[options.tongue].plain, isNumber: field.isNumber, least: least(field),
        comfortable: listing.columns == nil && field == .name ? 20 : nil,
        isSpare: listing.columns == nil && isSpare(field), isSilent: field == .created,
        dropOrder: listing.columns == nil ? dropOrder(field, among: fields) : nil,
        loud: field == .stock ? Set(products.indices.filter { products[$0].stock == 0 }) : [])
    }
    let daysOnly = fields.filter { isDaysOnly($0, products, options) }
    var rows = products.map { product in
      fields.map { daysOnly.contains($0) ? day(product, $0) : cell(product, $0, options) }
    }
    // What `@13` means is read, not counted; a program counts better.
    if options.isTerminal {
      columns.insert(PeopleTable.Column(title: "#", isNumber: true, isSilent: true, dropOrder: 1), at: 0)
      for row in rows.indices { rows[row].insert(String(row + 1), at: 0) }
    }
    var table = PeopleTable(columns, rows: rows)
    let lines = table.lines(options)
    return (lines, table.dropped)
  }

  /// The columns that tell something of these products; on a screen the discount and the sale price only where a
  /// discount is given.
  private static func usual(_ products: [Product], _ options: RenderOptions) -> [Field] {
    let isPlain = options.isTerminal && products.allSatisfy { $0.discount ?? .zero == .zero && $0.sale == $0.price }
    return usual.filter { field in
      if isPlain, !products.isEmpty, field == .discount || field == .sale { return false }
      return [.id, .name].contains(field) || products.isEmpty || products.contains { has($0, field) }
    }
  }

  /// On a screen nothing taken off is an empty cell: a column of ₩0 hides the discounts there are.
  private static func cell(_ product: Product, _ field: Field, _ options: RenderOptions) -> String {
    if options.isTerminal, field == .discount, product.discount == .zero { return "" }
    return PeopleCell.text(product, field, options)
  }

  /// True where every time of a column is midnight: then only the day is shown, for people.
  private static func isDaysOnly(_ field: Field, _ products: [Product], _ options: RenderOptions) -> Bool {
    guard options.isTerminal, field == .created || field == .modified else { return false }
    return products.allSatisfy { moment($0, field)?.isMidnight ?? true }
  }

  private static func day(_ product: Product, _ field: Field) -> String { PeopleCell.day(moment(product, field)) }

  private static func moment(_ product: Product, _ field: Field) -> Timestamp? {
    field == .created ? product.created : product.modified
  }

  private static let usual: [Field] = [.id, .name, .price, .discount, .sale, .stock, .vendor, .created]

  private static func has(_ product: Product, _ field: Field) -> Bool {
    if case .null = JSONText(product, field) { false } else { true }
  }

  private static func least(_ field: Field) -> Int? {
    switch field {
    case .name: 14
    case .description: 12
    case .vendor: 6
    case .thumbnail: 10
    case .id, .price, .discount, .sale, .currency, .stock, .vendorID, .created, .modified, .images: nil
    }
  }

  /// What the other columns tell as well, or what matters least.
  private static func isSpare(_ field: Field) -> Bool { field == .created || field == .discount }

  private static func dropOrder(_ field: Field, among fields: [Field]) -> Int? {
    switch field {
    // A list without prices is none: where they have no room, rows stand below each other.
    case .id, .name, .sale: nil
    case .price: fields.contains(.sale) ? 3 : nil
    case .stock: 2
    case .vendor: 4
    case .discount: 5
    case .created: 6
    case .description, .currency, .vendorID, .modified, .thumbnail, .images: 7
    }
  }

  private static func caption(_ listing: Listing, dropped: [String], _ options: RenderOptions) -> [String] {
    var parts = place(listing, options)
    if !dropped.isEmpty {
      parts.append((options.tongue == .english ? "no room for: " : "폭이 부족해 뺀 열: ") + dropped.joined(separator: ", "))
    }
    var lines = Styling.lines(
      StyledText(runs: [.init(parts.joined(separator: options.dot), .dim)]), width: options.lineWidth, options)
    for row in listing.page.broken {
      let name = [row.id.map { "(id \($0))" }, row.field].compactMap { $0 }.joined(separator: " ")
      let wording = LocalizedText(
        "row \(row.position) could not be read \(.foreign(name)): \(.foreign(row.reason))",
        ko: "\(row.position)번째 줄을 읽지 못했습니다 \(.foreign(name)): \(.foreign(row.reason))")
      lines += Styling.lines(wording[options.tongue], width: options.lineWidth, options)
    }
    return lines
  }

  private static func place(_ listing: Listing, _ options: RenderOptions) -> [String] {
    let page = listing.page
    let isEnglish = options.tongue == .english
    var parts: [String] = []
    if let scan = listing.scan {
      let (found, pages, read) = (
        page.isOfMatches ? page.total ?? 0 : page.products.count, scan.pagesRead, scan.productsRead
      )
      if page.isOfMatches, let last = page.last, last > 1 || page.number > 1 { parts.append(number(page, options)) }
      parts.append(isEnglish ? count(found, "product") : "상품 \(HumanNumber.grouped(found))개")
      parts.append(
        isEnglish
          ? "read \(count(read, "product")) on \(count(pages, "page"))"
          : "\(HumanNumber.grouped(pages))페이지에서 \(HumanNumber.grouped(read))개 읽음")
      if scan.stoppedAtLimit {
        parts.append(isEnglish ? "stopped at the limit" : "정한 개수에서 멈춤")
      } else if !scan.complete {
        parts.append(isEnglish ? "not complete" : "끝까지 읽지 못함")
      }
      if scan.moved { parts.append(isEnglish ? "the list moved meanwhile" : "읽는 동안 목록이 바뀜") }
    } else if page.products.isEmpty, page.total == 0 {
      parts.append(isEnglish ? "no products" : "상품 없음")
    } else {
      parts.append(number(page, options))
      let total = page.total ?? page.products.count
      let shown = isEnglish ? count(total, "product") : "상품 \(HumanNumber.grouped(total))개"
      parts.append(page.total == nil ? (isEnglish ? shown + " here" : "이 페이지에 " + shown) : shown)
      if page.total == nil { parts.append(isEnglish ? "the server tells no total" : "서버가 전체 수를 알려 주지 않음") }
    }
    if let search = listing.search {
      parts.append((isEnglish ? "search " : "검색어 ") + quoted(Sanitizer.clean(search, limit: 200), options))
    }
    return parts
  }

  private static func number(_ page: Page, _ options: RenderOptions) -> String {
    let (number, last) = (HumanNumber.grouped(page.number), page.last.map { HumanNumber.grouped($0) })
    guard options.tongue == .english else { return (last.map { "\($0)페이지 중 " } ?? "") + "\(number)페이지" }
    return "page \(number)" + (last.map { " of \($0)" } ?? "")
  }

  private static func quoted(_ text: String, _ options: RenderOptions) -> String {
    options.ascii ? "\"" + text + "\"" : "“" + text + "”"
  }

  private static func count(_ number: Int, _ word: String) -> String {
    HumanNumber.grouped(number) + " " + word + (number == 1 ? "" : "s")
  }
}
