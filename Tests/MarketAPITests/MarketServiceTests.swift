import Catalog
import Foundation
import MarketAPI
import Networking
import TestSupport
import Testing

/// Complete requests as text, for each edition and operation.
struct MarketServiceTests {
  @Test func everyRequestOfEveryEditionEqualsGolden() throws {
    var text = ""
    for edition in Edition.allCases {
      let current = Product(id: 7, price: Amount(1000), discount: Amount(100))
      let ticket = DeletionToken(Secret(edition == .open ? "/api/products/MTYy=" : "827c04d7")!)
      let calls: [(String, () throws -> Request)] = [
        ("list", { try ListProducts(page: 2, size: 50).makeRequest(to: market(edition)) }),
        ("search", { try ListProducts(search: "가 +").makeRequest(to: market(edition)) }),
        ("show", { try GetProduct(7).makeRequest(to: market(edition)) }),
        ("create", { try CreateProduct(draft, boundary: "XYZ").makeRequest(to: market(edition)) }),
        (
          "edit name",
          { try EditProduct(7, ProductValues(name: "New"), boundary: "XYZ").makeRequest(to: market(edition)) }
        ),
        (
          "edit price",
          {
            try EditProduct(7, ProductValues(price: Amount(2000)), current: current, boundary: "XYZ").makeRequest(
              to: market(edition))
          }
        ),
        (
          "edit price blindly",
          { try EditProduct(7, ProductValues(price: Amount(2000)), boundary: "XYZ").makeRequest(to: market(edition)) }
        ),
        (
          "edit discount",
          {
            try EditProduct(7, ProductValues(discount: .zero), current: current, boundary: "XYZ").makeRequest(
              to: market(edition))
          }
        ),
        (
          "edit the rest",
          {
            try EditProduct(
              7,
              ProductValues(
                description: "D", price: Amount(typed: "9.99"), discount: Amount(1), currency: .usd, stock: 5),
              boundary: "XYZ"
            )
            .makeRequest(to: market(edition))
          }
        ),
        (
          "edit thumbnail",
          { try EditProduct(7, ProductValues(thumbnailID: 35), boundary: "XYZ").makeRequest(to: market(edition)) }
        ),
        (
          "edit pictures",
          {
            try EditProduct(7, ProductValues(), pictures: draft.pictures, boundary: "XYZ").makeRequest(
              to: market(edition))
          }
        ),
        ("request deletion", { try RequestDeletion(7).makeRequest(to: market(edition)) }),
        ("delete", { try DeleteProduct(7, token: ticket).makeRequest(to: market(edition)) }),
        ("health", { try CheckHealth().makeRequest(to: market(edition)) }),
      ]
      for (name, call) in calls { text += "=== \(edition) \(name)\n" + written(call) + "\n" }
    }
    try Golden("requests.txt").check(text)
  }

  @Test(arguments: Edition.allCases) func writeWithoutLoginIsRefused(edition: Edition) {
    let who = Credentials()
    let missing: [Credentials.Part] = Dialect(edition).deletionNeedsToken ? [.identifier, .secret] : [.secret]
    let expected = MarketError.notLoggedIn(missing: missing)
    #expect(error { try CreateProduct(draft, boundary: "X").makeRequest(to: market(edition, nil)) } == expected)
    #expect(
      error { try EditProduct(1, ProductValues(name: "n"), boundary: "X").makeRequest(to: market(edition, who)) }
        == expected)
    if Dialect(edition).deletionNeedsToken {
      #expect(error { try RequestDeletion(1).makeRequest(to: market(edition, who)) } == expected)
    }
  }

  @Test func identifierThatCouldSplitAHeaderIsRefused() {
    let who = Credentials(identifier: "a\r\nb", secret: secret)
    #expect(error { try RequestDeletion(1).makeRequest(to: market(.open, who)) } == .invalidCredential(.identifier))
  }

  private func written(_ call: () throws -> Request) -> String {
    do {
      let request = try call()
      #expect(!request.description.contains("s3cr3t") && !request.curl(to: base).contains("s3cr3t"))
      let head = ["\(request.method.rawValue) \(request.target)"] + request.headers.map { "\($0.name): \($0.value)" }
      let type = request.body.type.map { ["Content-Type: \($0)"] } ?? []
      let body = request.body.bytes.map { ["", String(decoding: $0, as: UTF8.self)] } ?? []
      return (head + type + body).joined(separator: "\n").replacingOccurrences(of: "\r\n", with: "\n")
    } catch {
      return "\(error)"
    }
  }
}
