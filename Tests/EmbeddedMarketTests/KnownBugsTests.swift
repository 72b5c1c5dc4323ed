import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The faults of the real servers, reproduced.
@Suite(.serialized, .timeLimit(Trial.limit)) struct KnownBugsTests {
  @Test func pageThreeOfTwentyHoldsSixty() async throws {
    try await Market.with(.open, empty: false, quirks: true) { market in
      let page = try await WireJSON(market.get("/api/products?page_no=3&items_per_page=20"))
      guard case .list(let rows)? = page["pages"] else {
        Issue.record("no rows")
        return
      }
      #expect(rows.compactMap { $0["id"] } == (42...101).reversed().map { .number($0) })
      #expect([page["offset"], page["limit"], page["itemsPerPage"]] == [.number(40), .number(60), .number(20)])
    }
    // `training` does not have this fault.
    try await Market.with(.training, empty: false, quirks: true) { market in
      guard case .list(let rows)? = try await WireJSON(market.get("/api/products?page_no=3&items_per_page=20"))["pages"]
      else {
        Issue.record("no rows")
        return
      }
      #expect(rows.count == 20)
    }
  }

  @Test func trainingRowsHaveNullsUntilTheyAreEdited() async throws {
    try await Market.with(.training, empty: false, quirks: true) { market in
      let old = try await WireJSON(market.get("/api/products/6"))
      #expect(old["description"] == .null && old["thumbnail"] == .null && old["price"] != .null)
      #expect(try await WireJSON(market.get("/api/products/1"))["name"] == .null)
      #expect(try await WireJSON(market.get("/api/products/11"))["description"] != .null)
      let rows = try await market.get("/api/products?page_no=1&items_per_page=141").text
      #expect(rows.contains(#""id":1,"vendor_id":"#) && rows.contains(#""stock":null"#))
      let secret = #"{"secret":"\#(Market.demo.secret)","stock":3}"#
      // Products 6, 12, 18 … belong to the demo vendor.
      let edited = try await WireJSON(market.json("PATCH", "/api/products/6", secret))
      #expect(edited["description"] != .null && edited["stock"] == .number(3))
      #expect(try await WireJSON(market.get("/api/products/6")) == edited)
    }
  }

  @Test func openAnswersChangesWith202() async throws {
    for (edition, status) in [(ServedEdition.open, 202), (.training, 200)] {
      try await Market.with(edition, quirks: true) { market in
        let params = edition == .open ? Parts.params : Parts.params.replacing("description", with: "descriptions")
        #expect(try await market.create(params).status == 201)
        let secret = #"{"secret":"\#(Market.demo.secret)"}"#
        #expect(try await market.json("PATCH", "/api/products/1", secret).status == status)
        let word = edition == .open ? "archived" : "secret"
        let ticket = try await market.json("POST", "/api/products/1/\(word)", secret)
        #expect(ticket.status == status)
        let path = edition == .open ? ticket.text : "/api/products/1/" + ticket.text
        #expect(try await market.json("DELETE", path, "").status == status)
      }
    }
  }

  @Test(arguments: [ServedEdition.camp1, .camp2])
  func picturesAreAvailableASecondLater(_ edition: ServedEdition) async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let seconds = Mutex(1_679_540_400.0)
    let server = EmbeddedMarket(
      MarketOptions(
        dataDirectory: directory, edition: edition, emulatesKnownBugs: true,
        clock: { Date(timeIntervalSince1970: seconds.withLock { $0 }) }))
    let market = Market(server: server, url: try await server.start(), directory: directory)
    let made = try await WireJSON(
      market.form("POST", "/item", OlderEditionsTests.item(OlderEditionsTests.fields, images: 1)))
    guard case .list(let images)? = made["images"], case .text(let address)? = images.first else {
      Issue.record("no image")
      return
    }
    let path = try #require(URL(string: address)).path
    #expect(try await market.get(path).status == 404)
    seconds.withLock { $0 += 0.9 }
    #expect(try await market.get(path).status == 404)
    seconds.withLock { $0 += 0.1 }
    #expect(try await market.get(path).status == 200)
    // Pictures that existed before the server started are never late.
    guard case .list(let old)? = try await WireJSON(market.get("/item/1"))["images"], case .text(let first)? = old.first
    else {
      Issue.record("no image")
      return
    }
    #expect(try await market.get(try #require(URL(string: first)).path).status == 200)
    await server.stop()
  }
}
