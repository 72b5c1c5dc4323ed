import Catalog
import Foundation
import MarketAPI
import Networking
import Synchronization
import TestSupport
import Testing

/// The single-pass decoder for simple pages has the same results as the generic decoder.
@Suite struct RowReaderTests {
  /// Returns the result of decoding a body.
  ///
  /// If `slowly` is true, it begins with a byte order mark, which only the generic decoder accepts.
  ///
  /// With `id` the body is that product, otherwise a page.
  private func outcome(_ body: Data, _ edition: Edition, id: Product.ID? = nil, slowly: Bool) -> String {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let reply = Response(status: 200, body: slowly ? Data(mark) + body : body)
    do {
      if let id { return "\(try GetProduct(id).decode(from: reply, of: market(edition)))" }
      let page = try ListProducts(page: 1, size: 20).decode(from: reply, of: market(edition))
      return "\(page)"
    } catch MarketError.unreadable(let status, let kind, _) {
      return "\(status) \(kind)"
    } catch {
      return "\(error)"
    }
  }

  static let names = [
    "b0_products_page1_20211229.json", "b_products_2rows_20220125.json", "b_products_page1_20220104_raw_minified.json",
    "b_products_page2_of_10_20220120.json", "c_products_page1_of_1_20221115.json",
    "c_products_page1_of_3_20230323.json", "c_products_page1_of_5_20221110.json",
  ]

  static let products = [
    ("b_product_522_20220118.json", 522), ("b0_product_16_20220103_space_dates.json", 16),
    ("b_product_16_20220103_T_dates.json", 16), ("c_product_32_20221018.json", 32),
    ("c_product_188_20221110.json", 188), ("c_product_1944_20230323.json", 1944),
  ]

  @Test(arguments: products) func capturedProductsAreDecodedEqually(_ name: String, _ id: Product.ID) throws {
    let edition: Edition = name.hasPrefix("b") ? .training : .open
    let body = try Captures.bytes(name)
    #expect(outcome(body, edition, id: id, slowly: false) == outcome(body, edition, id: id, slowly: true))
    #expect(outcome(body, edition, id: id, slowly: false).contains("Picture("))
  }

  @Test(arguments: names) func capturedPagesAreDecodedEqually(_ name: String) throws {
    let edition: Edition = name.hasPrefix("b") ? .training : .open
    let body = try Captures.bytes(name)
    #expect(outcome(body, edition, slowly: false) == outcome(body, edition, slowly: true))
    #expect(outcome(body, edition, slowly: false).contains("Product("))
  }

  /// A filter skips unwanted rows: the wanted ones are complete, and no id is missing.
  @Test(arguments: names) func filterKeepsEveryWantedRow(_ name: String) throws {
    let edition: Edition = name.hasPrefix("b") ? .training : .open
    let reply = Response(status: 200, body: try Captures.bytes(name))
    let whole = try ListProducts(page: 1, size: 20).decode(from: reply, of: market(edition))
    let conditions: [(ProductField, @Sendable (Product) -> Bool)] = [
      (.stock, { $0.stock ?? 0 > 10 }), (.sale, { $0.sale ?? .zero > Amount(1000) }),
      (.name, { $0.name?.contains("a") == true }), (.vendor, { $0.vendorID ?? 0 > 3 }),
      (.created, { $0.created != nil }), (.id, { $0.id % 2 == 0 }),
    ]
    for (field, holds) in conditions {
      let wanted = RowFilter(fields: [field], matches: holds)
      let page = try ListProducts(page: 1, size: 20, rowFilter: wanted).decode(from: reply, of: market(edition))
      #expect(page.products.filter(holds) == whole.products.filter(holds), "\(field)")
      #expect(page.ids == whole.ids, "\(field)")
    }
  }

  /// Bytes are deleted, repeated and replaced by JSON syntax.
  @Test(arguments: names.map { ($0, nil) } + products.map { ($0, $1 as Product.ID?) })
  func damagedPagesAreDecodedEqually(_ name: String, _ id: Product.ID?) throws {
    let edition: Edition = name.hasPrefix("b") ? .training : .open
    let body = [UInt8](try Captures.bytes(name))
    var dice = SplitMix64(UInt64(body.count))
    let alphabet = Array("{}[]\",:0123456789.eE+-\\untfalse \n".utf8) + [0xEA, 0xB0, 0x80, 0xFF, 0x00]
    let isLong = Trial.isLong
    for _ in 0..<(isLong ? 20_000 : 60) {
      var copy = body
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        let place = Int.random(in: 0..<copy.count, using: &dice)
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: copy.remove(at: place)
        case 1: copy.insert(copy[place], at: place)
        case 2: copy[place] = alphabet.randomElement(using: &dice) ?? 0
        default: copy.insert(alphabet.randomElement(using: &dice) ?? 0, at: place)
        }
      }
      let data = Data(copy)
      let quick = outcome(data, edition, id: id, slowly: false)
      let slow = outcome(data, edition, id: id, slowly: true)
      #expect(quick == slow, "\(String(decoding: copy, as: UTF8.self))")
      if quick != slow { return }
    }
  }

  @Test(arguments: [
    "7", "7.0", "7.50", "6.0E7", "6e+2", "1E-2", "-0", "-3.25", "0.1", "00", "1.", ".5", "+1", "1e", "NaN", "\"7\"",
    "null",
    "true", "123456789012345678901", "9223372036854775807", "1e400", "{}", "[]", "\"\"", "12x", "1e19", "1.0e-20",
  ])
  func numbersAreDecodedEqually(_ number: String) {
    for key in ["price", "id", "stock", "discounted_price", "bargain_price", "vendor_id", "name", "created_at"] {
      let body = Data(
        "{\"pageNo\":1,\"pages\":[{\"id\":5,\"price\":10,\"\(key)\":\(number)}],\"totalCount\":\(number)}".utf8)
      #expect(outcome(body, .open, slowly: false) == outcome(body, .open, slowly: true), "\(key): \(number)")
    }
  }

  @Test(arguments: [
    #""a\nb\"\\\/\t\r\b\f""#, #""\uAC00\u0041""#, #""\uD83D\uDE00""#, #""\uD83D""#, #""\uDE00x""#, #""\x""#, #""\u12""#,
    "\"가나\"", "\"open", "\"\\\"", "\"\u{1}\"", "\"a\"b", "nul", "tru", "nullx",
  ])
  func stringsAreDecodedEqually(_ text: String) {
    for key in ["name", "currency", "created_at", "other", "thumbnail", "vendors", "images"] {
      let body = Data("{\"pages\":[{\"id\":5,\"\(key)\":\(text)}],\"hasNext\":true}".utf8)
      #expect(outcome(body, .open, slowly: false) == outcome(body, .open, slowly: true), "\(key): \(text)")
    }
  }

  /// An invalid value in the vendor's object matters only if the row doesn't have it outside.
  @Test(arguments: [
    (#""vendors":{"name":[]}"#, "name"), (#""vendors":{"name":[]},"vendorName":"v""#, nil),
    (#""vendorName":"v","vendors":{"name":[]}"#, nil), (#""vendors":{"id":"a"},"vendorName":null"#, "id"),
    (#""vendors":{"id":"a"},"vendor_id":3"#, nil), (#""vendors":7"#, "vendors"),
  ])
  func vendorIsDecodedOnlyIfNeeded(_ members: String, _ field: String?) throws {
    let reply = Response(status: 200, body: Data("{\"pages\":[{\"id\":6,\(members)}]}".utf8))
    let page = try ListProducts(page: 1, size: 20).decode(from: reply, of: market(.open))
    #expect(page.broken.map(\.field) == (field.map { [$0] } ?? []))
    #expect(page.products.map(\.id) == (field == nil ? [6] : []))
  }

  /// Pictures and the vendor are nested members.
  @Test(arguments: [
    #""images":null,"vendors":null"#, #""images":[],"vendors":{}"#, #""images":[null,{"id":1},{"url":"u"}]"#,
    #""images":[{"url":null},{"url":"u","id":7.0,"thumbnail_url":"t","issued_at":"x"}]"#,
    #""images":[{"url":"u","id":"7"}]"#, #""images":[{"url":"u","id":"a"}]"#, #""images":{"url":"u"}"#,
    #""vendors":{"id":3,"name":"v","more":[1,{"a":2}]}"#, #""vendors":{"id":3,"name":"v"},"vendor_id":4"#,
    #""vendorName":"w","vendors":{"id":3,"name":"v"}"#, #""vendors":{"id":3},"vendors":{"name":"v"}"#,
    #""vendor_id":null,"vendors":{"id":3,"id":4,"name":null}"#, #""vendors":[]"#, #""vendors":{"name":5}"#,
    #""vendors":{"id":"3"},"images":[{"url":"u","url":"v"}]"#, #""images":[{"url":"\u00e9"}],"images":[]"#,
  ])
  func nestedMembersAreDecodedEqually(_ members: String) throws {
    let one = Data("{\"id\":5,\(members)}".utf8)
    #expect(outcome(one, .open, id: 5, slowly: false) == outcome(one, .open, id: 5, slowly: true))
    #expect(outcome(one, .training, id: 6, slowly: false) == outcome(one, .training, id: 6, slowly: true))
    let page = Data("{\"pages\":[{\"id\":6,\(members)},{\"id\":5},{\"id\":4,\(members)}]}".utf8)
    #expect(outcome(page, .open, slowly: false) == outcome(page, .open, slowly: true))
    let reply = Response(status: 200, body: page)
    guard let whole = try? ListProducts(page: 1, size: 20).decode(from: reply, of: market(.open)) else {
      let all = RowFilter(fields: [.vendor, .images]) { _ in true }
      #expect(throws: (any Error).self) {
        try ListProducts(page: 1, size: 20, rowFilter: all).decode(from: reply, of: market(.open))
      }
      return
    }
    for field in [ProductField.vendor, .vendorID, .images, .stock] {
      let wanted = RowFilter(fields: [field]) { row in
        whole.products.contains { $0.id == row.id && cell(field, $0) == cell(field, row) }
      }
      let read = try ListProducts(page: 1, size: 20, rowFilter: wanted).decode(from: reply, of: market(.open))
      #expect(read.products == whole.products, "\(field)")
    }
  }

  /// A repeated row is dropped in descending, ascending and unordered lists.
  @Test(arguments: [[9, 8, 8, 7], [10, 5, 8, 5, 10], [1, 2, 3, 2, 4, 1], [3, -1, -2, -1, 3], [5, 5, 5], [7]])
  func repeatedRowsAreDecodedEqually(_ ids: [Int]) {
    let rows = ids.map { "{\"id\":\($0),\"name\":\"\($0)\"}" }.joined(separator: ",")
    let body = Data("{\"pages\":[\(rows)],\"totalCount\":\(ids.count)}".utf8)
    let read = outcome(body, .open, slowly: false)
    #expect(read == outcome(body, .open, slowly: true))
    #expect(read.components(separatedBy: "Product(").count - 1 == Set(ids).count)
  }

  /// The product that is reused for every row doesn't retain values of the previous row.
  @Test func filteredRowHasNoValueOfThePreviousRow() throws {
    let rows = [
      #"{"id":7,"images":[{"id":1,"url":"u","thumbnail_url":"t"}]}"#,
      #"{"id":6,"name":"a","price":10,"discounted_price":3,"stock":1,"vendorName":"v","vendor_id":7,"currency":"KRW"}"#,
      #"{"id":5}"#, #"{"id":4,"name":"b","created_at":"2022-01-18T00:00:00","bargain_price":8,"thumbnail":"t"}"#,
      #"{"id":3,"description":"d","issued_at":"2022-01-18T00:00:00","price":null,"stock":null,"name":null}"#,
      #"{"id":2,"price":5,"vendor_id":1}"#, #"{"id":1,"name":"c","discounted_price":3}"#,
    ]
    let reply = Response(status: 200, body: Data("{\"pages\":[\(rows.joined(separator: ","))]}".utf8))
    let whole = try ListProducts(page: 1, size: 20).decode(from: reply, of: market(.open)).products
    #expect(whole.count == rows.count)
    let isCleared = ProductField.allCases.filter { field in
      field == .id || whole.indices.dropLast().contains { whole[$0][field] != nil && whole[$0 + 1][field] == nil }
    }
    #expect(isCleared == ProductField.allCases)
    for fields in [
      Set(ProductField.allCases), [.name], [.sale], [.stock, .vendor], [.created, .price], [.description],
    ] {
      let told = Mutex<[Product]>([])
      let wanted = RowFilter(fields: fields) { row in
        told.withLock { $0.append(row) }
        return row.id % 2 == 1
      }
      let page = try ListProducts(page: 1, size: 20, rowFilter: wanted).decode(from: reply, of: market(.open))
      #expect(page.products == whole.filter { $0.id % 2 == 1 })
      for (row, product) in zip(told.withLock { $0 }, whole) {
        for field in fields { #expect(cell(field, row) == cell(field, product), "\(field) of \(row.id)") }
      }
    }
  }

  private func cell(_ field: ProductField, _ product: Product) -> String? {
    product.text(of: field)
  }

  /// Keys are expected at their position in the previous row.
  ///
  /// Rows in another format are decoded equally.
  @Test(arguments: [
    [#"{"id":3,"name":"a","stock":1}"#, #"{"name":"b","id":2,"stock":2}"#, #"{"id":1,"name":"c","stock":3}"#],
    [#"{"id":3,"stock":1}"#, #"{"id":2,"name":"b","stock":2}"#, #"{"id":1,"stock":3,"name":"c"}"#],
    [#"{"id":3,"name":"a","stock":1}"#, #"{"id":2}"#, #"{}"#], [#"{}"#, #"{"id":2}"#],
    [#"{"id":3,"name":"a"}"#, #"{ "id" : 2 , "name" : "b" }"#, #"{"id":1,"name":"c",}"#],
    [#"{"id":3,"name":"a"}"#, #"{,"id":2,"name":"b"}"#], [#"{"id":3,"name":"a"}"#, #"{"id":2"name":"b"}"#],
    [#"{"id":3,"id":4}"#, #"{"id":2,"id":1}"#], [#"{"id":3,"names":"a"}"#, #"{"id":2,"name":"b"}"#],
    [#"{"id":3,"name":"a","vendors":null}"#, #"{"id":2,"name":"b","vendors":null}"#],
    [#"{"id":3,"name":"a"}"#, #"{"id":2,"images":[]}"#],
  ])
  func membersInAnyOrderAreDecodedEqually(_ rows: [String]) {
    let body = Data("{\"pages\":[\(rows.joined(separator: ","))],\"hasNext\":false}".utf8)
    #expect(outcome(body, .open, slowly: false) == outcome(body, .open, slowly: true))
  }
}
