import Catalog
import Foundation
import MarketAPI
import Networking
import TestSupport
import Testing

/// Every captured response is decoded.
struct EditionCodecTests {
  @Test func everyCaptureIsDecoded() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Captures.folder.path)
    var text = ""
    for name in names.sorted() where name.contains("item") || name.contains("product") {
      let edition: Edition = name.hasPrefix("a") ? .camp2 : name.hasPrefix("b") ? .training : .open
      let body = Response(status: 200, body: try Captures.bytes(name))
      text += "# \(name)\n"
      if name.contains("items") || name.contains("products") {
        let page = try ListProducts().decode(from: body, of: market(edition))
        #expect(page.broken.isEmpty)
        let numbers = [page.number, page.size, page.total, page.last].map { $0.map(String.init) ?? "-" }
        let flags = [page.hasNext, page.hasPrevious].map { $0.map(String.init) ?? "-" }
        text += "page " + (numbers + flags).joined(separator: " ") + "\n"
        text += page.products.map { line($0) + "\n" }.joined()
      } else {
        text += line(try CreateProduct(draft, boundary: "XYZ").decode(from: body, of: market(edition))) + "\n"
      }
    }
    try Golden("products.txt").check(text)
  }

  private static let current = Product(
    id: 7, name: "n", description: "d", price: Amount(1000), discount: Amount(100), sale: Amount(900), currency: .krw,
    stock: 1)

  private static func value(of field: ProductField) -> FieldValue? {
    switch field.valueType {
    case .text: .text(field == .currency ? "USD" : "other")
    case .number: .number(8)
    case .amount: .amount(Amount(800))
    case .timestamp, .pictures: nil
    }
  }

  /// An update of each field, and a create with another value of it, differ from those without in what is sent.
  @Test(arguments: Edition.allCases, ProductField.writableValues)
  func everyFieldIsSent(in edition: Edition, field: ProductField) throws {
    guard !edition.capabilities.unsupportedFields.contains(field) else { return }
    func edit(_ values: ProductValues) throws -> Data? {
      try EditProduct(7, values, current: Self.current, boundary: "XYZ").makeRequest(to: market(edition)).body.bytes
    }
    var values = ProductValues()
    let without = try edit(values)
    values[field] = Self.value(of: field)
    #expect(try edit(values) != without)

    func create(_ draft: ProductDraft) throws -> Data? {
      try CreateProduct(draft, boundary: "XYZ").makeRequest(to: market(edition)).body.bytes
    }
    var other = ProductValues(of: draft)
    other[field] = Self.value(of: field)
    let changed = ProductDraft(
      name: try #require(other.name), description: try #require(other.description), price: try #require(other.price),
      currency: try #require(other.currency), pictures: draft.pictures, others: other)
    let original = try create(draft)
    #expect(try create(changed) != original)
  }

  @Test func quotedHealthIsDecoded() throws {
    let reply = Response(status: 200, body: try Captures.bytes("bc_healthchecker.json"))
    let answer = try CheckHealth().decode(from: reply, of: market(.open))
    #expect(answer == HealthStatus(isHealthy: true, text: "OK"))
  }

  @Test func deletionTokenIsSentBackUnchanged() throws {
    let path = Response(status: 200, body: try Captures.bytes("c_delete_uri_response.txt"))
    let open = try RequestDeletion(1624).decode(from: path, of: market(.open))
    #expect(
      try DeleteProduct(1624, token: open).makeRequest(to: market(.open)).target
        == "/api/products/MTYyNHw4M2I2YWNiNC04NTc4LTExZWQtYmUxMC03M2U3MGRlNWY4YjA=")
    let word = Response(status: 200, body: try Captures.bytes("b_secret_response.txt"))
    let training = try RequestDeletion(16).decode(from: word, of: market(.training))
    #expect(
      try DeleteProduct(16, token: training).makeRequest(to: market(.training)).target
        == "/api/products/16/827c04d7-7838-11ec-abfa-55347a6e30e7")
  }

  @Test(arguments: [
    "https://evil.example/api/products/x", "//evil.example/api/products/x", "/api/products/../vendors", "/other/x",
    "/api/products/", "/api/products/%2e%2e/x", "/api/products/x?y=1", "<html>", "", "api/products/x",
    "/api/products/a\r\nb", "/api/products/x#y", "/api/products/%zz",
  ]) func deletionTokenOfAnotherServerIsRefused(text: String) {
    #expect(
      error { try RequestDeletion(1).decode(from: reply(text), of: market(.open)) }
        == .invalidDeletionURL(excerpt: text))
  }

  @Test(arguments: [
    "\"/api/products/abc=\"", " /api/products/abc= \n", "\u{FEFF}/api/products/abc=",
    "\u{FEFF}\"/api/products/abc=\"\r\n", "\"\u{FEFF}/api/products/abc=\"",
  ]) func quotesSpaceAndByteOrderMarkAreRemoved(text: String)
    throws
  {
    let ticket = try RequestDeletion(1).decode(from: reply(text), of: market(.open))
    #expect(try DeleteProduct(1, token: ticket).makeRequest(to: market(.open)).target == "/api/products/abc=")
  }
}

let draft = ProductDraft(
  name: "아이폰 \"13\"", description: "열 글자 이상의 설명입니다", price: Amount(1000), discount: Amount(100), currency: .krw,
  stock: 3,
  pictures: [
    PictureFile(name: "a.jpg", type: "image/jpeg", bytes: Data("JPEG".utf8)),
    PictureFile(name: "b.png", type: "image/png", bytes: Data("PNG".utf8)),
  ])
