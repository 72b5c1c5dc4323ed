import Catalog
import TestSupport
import Testing

@testable import Presentation

/// Rows written in parts give the same text as the renderer of the format.
@Suite struct ProductRowEncoderTests {
  private static let texts = [
    "우유병 텀블러", "Ukulele, Sand", "\"quoted\"", "=1+1", "tab\there", "two\nlines", "a|b*c_d", "\u{202E}bidi", "",
    "e\u{301}",
  ]

  private static let products = (1...40).map { id in
    Product(
      id: id, name: texts[id % texts.count], description: id % 3 == 0 ? nil : texts[id * 7 % texts.count],
      price: Amount(units: id * 37, exponent: -(id % 3)), discount: id % 5 == 0 ? nil : 0, currency: .krw, stock: id,
      vendor: texts[id * 3 % texts.count], created: Timestamp("2022-11-26T00:00:00"))
  }

  @Test(
    arguments: [
      (ProductRowEncoder.Format.csv, FlatRenderer(.csv) as any Renderer), (.tsv, FlatRenderer(.tsv)),
      (.markdown, FlatRenderer(.markdown)),
      (.jsonl, JSONLinesRenderer()),
    ], [nil, [ProductField.name, .price, .id]])
  func rowsInPartsEqualTheRendererText(_ format: (ProductRowEncoder.Format, any Renderer), _ columns: [ProductField]?) {
    var writer = ProductRowEncoder(format.0, fields: columns)
    var listing = Listing(Page(number: 1, products: Self.products), columns: columns)
    listing.scan = Listing.Scan(pagesRead: 2, productsRead: 40, isComplete: true)
    let pieces = [0..<1, 1..<1, 1..<23, 23..<40].map {
      String(decoding: writer.rows(of: Array(Self.products[$0])), as: UTF8.self)
    }
    #expect(
      writer.head + pieces.joined() + writer.end(of: listing) == format.1.render(.listing(listing), RenderOptions()))
  }

  /// Rows on a terminal, sanitized piece by piece, are those of the renderer.
  @Test(
    arguments: [
      (ProductRowEncoder.Format.csv, FlatRenderer(.csv) as any Renderer), (.tsv, FlatRenderer(.tsv)),
      (.markdown, FlatRenderer(.markdown)),
      (.jsonl, JSONLinesRenderer()),
    ], [nil, [ProductField.name, .price, .id]])
  func terminalRowsInPartsEqualTheRendererText(
    _ format: (ProductRowEncoder.Format, any Renderer), _ columns: [ProductField]?
  ) {
    let options = RenderOptions(width: 80, colors: true, isTerminal: true)
    var writer = TerminalRows(format.0, fields: columns, options)
    let pieces = [0..<1, 1..<1, 1..<23, 23..<40].map {
      String(decoding: writer.rows(of: Array(Self.products[$0])), as: UTF8.self)
    }
    let listing = Listing(Page(number: 1, products: Self.products), columns: columns)
    #expect(
      writer.head + pieces.joined() + writer.end(of: listing) == format.1.render(.listing(listing), options))
  }

  @Test(arguments: [true, false]) func jsonObjectOnATerminalIsSanitized(_ colors: Bool) {
    let options = RenderOptions(width: 80, colors: colors, isTerminal: true)
    var writer = TerminalRows(.json, fields: [.id, .name], options)
    var plain = ProductRowEncoder(.json, fields: [.id, .name])
    var page = Page(number: 1, products: [])
    page.total = 40
    var (drawn, json) = (writer.head, plain.head)
    for range in [0..<1, 1..<23, 23..<40] {
      drawn += String(decoding: writer.rows(of: Array(Self.products[range])), as: UTF8.self)
      json += String(decoding: plain.rows(of: Array(Self.products[range])), as: UTF8.self)
    }
    #expect(
      drawn + writer.end(of: Listing(page)) == IndentedJSON.text(json + plain.end(of: Listing(page)), options))
  }

  /// Products come before the counts, which are known last.
  @Test func jsonObjectHasProductsBeforeCounts() {
    var writer = ProductRowEncoder(.json, fields: [.id, .price])
    var page = Page(number: 1, products: [])
    (page.total, page.last, page.hasNext, page.hasPrevious) = (3, 1, false, false)
    var listing = Listing(page)
    listing.scan = Listing.Scan(pagesRead: 2, productsRead: 3, isComplete: true)
    let pieces = [0..<1, 1..<3].map { String(decoding: writer.rows(of: Array(Self.products[$0])), as: UTF8.self) }
    #expect(
      writer.head + pieces.joined() + writer.end(of: listing) == """
        {"page":null,"size":null,"products":[{"id":1,"price":3.7},{"id":2,"price":0.74},{"id":3,"price":111}],\
        "total":3,"last_page":1,"has_next":false,"has_prev":false,"pages_read":2,"complete":true}

        """)
  }

  /// Every value is a string, and unknown values are omitted.
  @Test func everyValueOfALineIsAString() {
    let fields: [ProductField] = [.name, .description, .price, .discount, .currency, .stock, .created]
    #expect(
      String(decoding: StringRowEncoder.lines(of: [1, 2, 4].map { Self.products[$0] }, fields), as: UTF8.self) == #"""
        {"id":2,"name":"\"quoted\"","description":"tab\there","price":"0.74","discount":"0","currency":"KRW","stock":"2","created":"2022-11-26T00:00:00"}
        {"id":3,"name":"=1+1","price":"111","discount":"0","currency":"KRW","stock":"3","created":"2022-11-26T00:00:00"}
        {"id":5,"name":"two\nlines","description":"two\nlines","price":"1.85","currency":"KRW","stock":"5","created":"2022-11-26T00:00:00"}

        """#)
  }
}
