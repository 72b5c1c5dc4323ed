import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The dates and times in responses.
@Suite(.serialized, .timeLimit(Trial.limit)) struct MarketTimeTests {
  /// The name of a picture contains its time of creation; the date of its product is the one in UTC when the date in
  /// Korea differs.
  @Test func capturedDatesAreInUTC() throws {
    var telling = 0
    for name in [
      "b_product_522_20220118.json", "b_products_page2_of_10_20220120.json", "b_create_536_20220119.json",
      "b_edit_533_20220119.json", "c_product_188_20221110.json", "c_product_32_20221018.json",
      "c_products_page1_of_5_20221110.json",
    ] {
      for row in try Capture.json(name).products {
        guard case .text(let thumbnail)? = row["thumbnail"], case .text(let day)? = row["created_at"],
          let key = thumbnail.firstMatch(of: /[0-9a-f]{32}/)
        else { continue }
        let made = try #require(MarketTime(named: key.output))
        #expect(day.hasPrefix(made.dateText), "\(thumbnail)")
        if made.adding(seconds: 9 * 3600).dateText != made.dateText { telling += 1 }
      }
    }
    #expect(telling == 13)
  }

  @Test(arguments: [ServedEdition.training, .open]) func dateIsTheOneInUTC(_ edition: ServedEdition) async throws {
    // In Korea it is five in the morning of the 24th.
    try await Market.with(edition, at: Date(timeIntervalSince1970: 1_679_601_600)) { market in
      let params = edition == .open ? Parts.params : Parts.params.replacing("description", with: "descriptions")
      _ = try await market.create(params)
      let product = try await WireJSON(market.get("/api/products/1"))
      let fraction = edition == .open ? "" : ".00"
      #expect(product["created_at"] == .text("2023-03-23T00:00:00" + fraction))
      guard edition == .open, case .text(let thumbnail)? = product["thumbnail"] else { return }
      #expect(thumbnail.contains("/20230323/"))
    }
  }

  /// There is one captured response to a create and one to an edit; ours have the same times at the same second.
  @Test func onlyTrainingCreateHasATimeOfDay() async throws {
    let created = try Capture.json("b_create_536_20220119.json")
    let edited = try Capture.json("b_edit_533_20220119.json")
    try await Market.with(.training, at: Date(timeIntervalSince1970: 1_642_580_727.6)) { market in
      let made = try await WireJSON(market.create(Parts.params.replacing("description", with: "descriptions")))
      #expect(made.keys == created.keys)
      #expect(made.times == created.times)
      #expect(made["vendors"]?["created_at"] == .text("2021-03-25T00:00:00.00"))
      let changed = try await WireJSON(market.json("PATCH", "/api/products/1", VendorHandlersTests.right))
      #expect(changed.times == edited.times)
      let shown = try await WireJSON(market.get("/api/products/1"))
      #expect(shown == changed)
    }
  }
}

extension WireJSON {
  /// The products in a response of any kind.
  fileprivate var products: [WireJSON] {
    guard case .list(let rows)? = self["pages"] else { return [self] }
    return rows
  }

  /// The times of the product and of its pictures.
  fileprivate var times: [WireJSON?] {
    guard case .list(let images)? = self["images"] else { return [] }
    return [self["created_at"], self["issued_at"]] + images.map { $0["issued_at"] }
  }
}

extension MarketTime {
  /// Returns the time of a version 1 UUID (RFC 9562 section 5.1), or `nil` for any other.
  fileprivate init?(named hex: Substring) {
    let digits = Array(hex)
    guard digits.count == 32, digits[12] == "1" else { return nil }
    let text = String(digits[13..<16] + digits[8..<12] + digits[0..<8])
    guard let ticks = Int64(text, radix: 16) else { return nil }
    // The units of 100 ns between 1582-10-15 and 1970-01-01.
    self.init(microseconds: (ticks - 0x01B2_1DD2_1381_4000) / 10)
  }
}
