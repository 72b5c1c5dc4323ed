import Foundation
import Testing

@testable import EmbeddedMarket

/// The last requests of apps.
@Suite struct ReceivedRequestsTests {
  /// Requests of openmarket and pictures are left out, and only the last ones are kept, with their numbers.
  @Test func lastRequestsOfAppsAreKept() {
    let received = ReceivedRequests()
    for number in 1...300 {
      received.add(AccessLogEntry(method: "GET", target: "/api/products/\(number)", status: 200), at: Market.noon)
      var own = AccessLogEntry(method: "GET", target: "/api/products", status: 200)
      own.isOfApp = false
      received.add(own, at: Market.noon)
      var picture = AccessLogEntry(method: "GET", target: "/images/1.jpg", status: 200)
      picture.isPicture = true
      received.add(picture, at: Market.noon)
    }
    let all = received.requests(after: 0)
    #expect(all.count == 200 && all.map(\.number) == Array(101...300))
    #expect(all.last?.target == "/api/products/300")
    #expect(received.requests(after: 299).map(\.number) == [300])
    #expect(received.requests(after: 300).isEmpty)
  }

  @Test(arguments: [
    ("openmarket/0.2.0", false), ("openmarket", true), ("Shop/1 CFNetwork/1568", true), (nil, true),
  ])
  func requestOfOpenmarketIsKnownByItsAgent(_ agent: String?, _ isOfApp: Bool) {
    #expect(ReceivedRequests.isOfApp(agent: agent) == isOfApp)
  }

  /// A secret in the address is left out, also of the words about it.
  @Test func secretOfAnAddressIsLeftOut() throws {
    let received = ReceivedRequests()
    var entry = AccessLogEntry(method: "DELETE", target: "/api/products/138/hush?key=hush2", status: 400)
    entry.sentRefusal = LoggedRefusal(words: "The key hush is wrong", detail: "hush2")
    received.add(entry, at: Market.noon)
    let request = try #require(received.requests(after: 0).first)
    #expect(request.target == "/api/products/138/…?key=…")
    #expect(request.words == "The key … is wrong" && request.detail == "…")
  }

  /// The log and the list of requests show the same parameters, which are those of the API.
  @Test func parametersAreThoseOfTheAPI() throws {
    let received = ReceivedRequests()
    var entry = AccessLogEntry(method: "GET", target: "/items?limit=2&q=hush", status: 401)
    entry.sentRefusal = LoggedRefusal(words: "No vendor has hush")
    entry.shownParameters = ["limit"]
    received.add(entry, at: Market.noon)
    let request = try #require(received.requests(after: 0).first)
    #expect(request.target == "/items?limit=2&q=…" && request.words == "No vendor has …")
    #expect(entry.line(at: MarketTime(Market.noon)).contains("GET \(request.target) 401"))
  }
}
