import Catalog
import Presentation
import Text

/// Products with realistic names: Korean, English, emoji, and one with control characters.
enum Samples {
  static let products = [
    Product(
      id: 32, name: "우유병 텀블러", description: "유리로 만든 텀블러입니다.\n\n뜨거운 물도 괜찮습니다, 500 ml.", price: Amount(3500),
      discount: Amount(100), sale: Amount(3400), currency: .krw, stock: 2, vendor: "red123", vendorID: 15,
      created: Timestamp("2022-10-18T00:00:00"), modified: Timestamp("2022-10-18T00:00:00"),
      thumbnailURL: "https://market.example/small/35.jpg",
      images: [
        Picture(id: 35, url: "https://market.example/35.jpg", thumbnailURL: "https://market.example/small/35.jpg"),
        Picture(id: 36, url: "https://market.example/36.jpg"),
      ]),
    Product(
      id: 7, name: "MacBook Pro 16-inch with everything in the box and a long name", description: "A computer.",
      price: Amount(typed: "2499.99"), discount: .zero, sale: Amount(typed: "2499.99"), currency: .usd, stock: 0,
      vendor: "yagom", vendorID: 3, created: Timestamp("2022-01-18T09:05:07")),
    Product(
      id: 1387, name: "👨‍👩‍👧 가족 🎁 gift 👍🏽", price: Amount(60_000_000), discount: Amount(6_000_000),
      sale: Amount(54_000_000), currency: Currency("EUR"), stock: 1_000_000_000_000, vendor: "김철수"),
    Product(id: 9, name: "=evil\u{1B}]0;x\u{7}\t\u{202E}\n한줄", description: "a\u{9B}b\u{2028}c \"q\", d"),
  ]

  static func listing(_ layout: Listing.Layout = .table, columns: [ProductField]? = nil) -> Report {
    .listing(
      Listing(
        Page(
          number: 2, size: 20, total: 1387, last: 70, hasNext: true, hasPrevious: true, products: products,
          broken: layout == .grid
            ? [] : [UndecodableRow(position: 5, id: 12, field: "price", reason: "not a number: \"x\"")]
        ),
        columns: columns, layout: layout, search: layout == .grid ? nil : "텀블러"))
  }

  static let table = Table(
    [
      .init("n", LocalizedText("n", ko: "번"), isNumber: true), .init("action", LocalizedText("action", ko: "일")),
      .init("detail", LocalizedText("detail", ko: "내용")), .init("time", LocalizedText("time", ko: "때")),
    ],
    rows: [
      [
        .number(1), .localized(LocalizedText("patched", ko: "고침")),
        .record([.init("price", .amount(Amount(12_000))), .init("name", .text("우유병 텀블러와 아주 긴 이름"))]),
        .timestamp(Timestamp(seconds: 1_643_673_600, isUTC: true)),
      ],
      [.number(12), .text("+delete"), .list([.text("a"), .bool(true), .none]), .none],
    ])

  static let single = Table(
    [.init("name", LocalizedText("name", ko: "이름")), .init("note", LocalizedText("note", ko: "메모"))],
    rows: [[.text("김철수"), .text("A long note that needs more than one line in a narrow window, 한글도 함께.")]],
    isSingle: true)

  static let message = Message.failure("Could not delete product \(42).", ko: "상품 \(42, .object) 지우지 못했습니다.")
    .because("The server said \(.foreign("no\u{1B}[31m")).", ko: "서버의 말: \(.foreign("no\u{1B}[31m")).")
    .next("\(.command("login")) sets the secret that the market gave you.", ko: "\(.command("login"))으로 비밀 값을 설정합니다.")

  static let all: [(name: String, report: Report)] = [
    ("listing", listing()), ("chosen", listing(columns: [.description, .images, .modified, .sale])),
    ("grid", listing(.grid)), ("card", .product(products[0], fields: nil)),
    ("hostile card", .product(products[3], fields: nil)), ("rows", .rows(table)), ("single", .rows(single)),
    ("message", .message(message)),
    ("empty", .listing(Listing(Page(number: 1, total: 0, last: 0, products: [])))),
  ]
}
