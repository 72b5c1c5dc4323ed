import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Responses have their members in the order of the captured ones.
@Suite(.serialized, .timeLimit(Trial.limit)) struct ResponseMemberOrderTests {
  @Test func openHasTheCapturedMemberOrder() async throws {
    try await Market.with(.open, empty: false) { market in
      let page = try await WireJSON(market.get("/api/products?items_per_page=5"))
      let captured = try Capture.json("c_products_page1_of_5_20221110.json")
      let raw = try Capture.json("c_products_page1_of_1_20221115.json")
      #expect(page.keys == raw.keys)
      #expect(page["pages"]?.keys == captured["pages"]?.keys)
      let product = try await WireJSON(market.get("/api/products/1"))
      let detail = try Capture.json("c_product_32_20221018.json")
      #expect(product.keys == detail.keys)
      #expect(product["images"]?.keys == detail["images"]?.keys)
      #expect(product["vendors"]?.keys == detail["vendors"]?.keys)
    }
  }

  @Test func trainingHasTheCapturedMemberOrder() async throws {
    try await Market.with(.training, empty: false) { market in
      let page = try await WireJSON(market.get("/api/products"))
      let captured = try Capture.json("b_products_page1_20220104_raw_minified.json")
      #expect(page.keys == captured.keys)
      #expect(page["pages"]?.keys == captured["pages"]?.keys)
      let product = try await WireJSON(market.get("/api/products/1"))
      let detail = try Capture.json("b_product_522_20220118.json")
      #expect(product.keys == detail.keys)
      #expect(product["images"]?.keys == detail["images"]?.keys)
      #expect(product["vendors"]?.keys == detail["vendors"]?.keys)
    }
  }

  /// The captured rows of 2021 differ in their order; the academy's samples do not.
  @Test(arguments: [ServedEdition.camp1, .camp2])
  func campHasTheCapturedMemberOrder(edition: ServedEdition) async throws {
    try await Market.with(edition, empty: false) { market in
      let page = try await WireJSON(market.get("/items/1"))
      let captured = try Capture.json("a_items_official_sample.json")
      #expect(page.keys == captured.keys)
      let item = try await WireJSON(market.get("/item/1"))
      let detail = try Capture.json("a_item_official_sample.json")
      #expect(item.keys.filter { $0 != "discounted_price" }.sorted() == detail.keys.sorted())
    }
  }

  @Test func healthHasTheCapturedMemberOrder() async throws {
    let captured = try Capture.text("bc_healthchecker.json").trimmingCharacters(in: .newlines)
    try await Market.with(.open) { market in
      let health = try await market.get("/healthChecker").text
      #expect(health == captured)
    }
  }
}
