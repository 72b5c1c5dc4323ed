import Catalog
import Testing

/// Records and sessions name the same market in other spellings, and other markets alike; the generation decides where both
/// know it.
@Suite struct MarketIdentityTests {
  @Test(arguments: [
    ("http://localhost:8080", "http://127.0.0.1:8080"), ("http://[::1]:8080/", "http://127.0.0.1:8080"),
    ("HTTP://Shop.Example.", "http://shop.example"), ("https://shop.example:443/v1/", "https://shop.example/v1"),
    ("http://127.0.0.1:80", "http://localhost"), ("embedded:open", "embedded:open"),
  ]) func spellingMakesNoDifference(_ one: String, _ other: String) {
    #expect(MarketIdentity(address: one).isSame(as: MarketIdentity(address: other)))
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8081"), ("http://127.0.0.1:8080", "http://127.0.0.2:8080"),
    ("http://a.localhost", "http://localhost"), ("http://shop.example", "https://shop.example"),
    ("http://shop.example/a", "http://shop.example/b"), ("http://shop.example", "http://shop.example.org"),
    ("embedded:open", "embedded:camp1"), ("http://127.0.0.1.example", "http://127.0.0.1"),
    ("http://shop.example:443", "http://shop.example"), ("http://127.0.0.999", "http://127.0.0.1"),
  ]) func otherAddressesDiffer(_ one: String, _ other: String) {
    let mismatch = MarketIdentity(address: one).mismatch(with: MarketIdentity(address: other))
    #expect(mismatch == .otherAddress)
  }

  @Test(arguments: ["", "x", "http:", "http://", "http:///", "embedded:open", "//", "http://[::1", "http://:"])
  func anyTextHasAForm(_ text: String) {
    let form = MarketIdentity.canonicalAddress(text)
    #expect(MarketIdentity.canonicalAddress(form) == form)
  }

  /// The difference between a market here and one of a record, by their addresses and generations.
  @Test(
    arguments: [
      // Both generations are known.
      ("http://a", "x.100-1", "http://a", "x.100-1", nil), ("http://a", "x.100-1", "http://b", "x.100-1", nil),
      ("http://a", "x.200-2", "http://a", "x.100-1", .reset(began: Timestamp(seconds: 200, isUTC: true))),
      ("http://b", "x.200-2", "http://a", "x.100-1", .reset(began: Timestamp(seconds: 200, isUTC: true))),
      ("http://a", "x.soon", "http://a", "x.100-1", .reset(began: nil)),
      // The market's file was replaced by a copy from before its last reset.
      ("http://a", "x.100-1", "http://a", "x.200-2", .otherGeneration),
      ("http://a", "x.100-1", "http://b", "x.200-2", .otherMarket),
      ("embedded:open", "x.100-1", "embedded:open", "y.200-2", .otherGeneration),
      ("http://a", "x.100-2", "http://a", "x.100-1", .reset(began: Timestamp(seconds: 100, isUTC: true))),
      ("http://a", "y.200-2", "http://a", "x.100-1", .otherGeneration),
      ("http://a", "y.200-2", "http://b", "x.100-1", .otherMarket),
      ("http://a", "two", "http://a", "one", .otherGeneration),
      // One of them is not.
      ("http://a", nil, "http://a", "x.100-1", nil), ("http://a", "x.100-1", "http://a", nil, nil),
      ("http://a", "x.100-1", "http://b", nil, .otherAddress), ("http://a", nil, "http://a", nil, nil),
      // The embedded market of a home has one file: another one was deleted.
      ("embedded:open", "y.200-2", "embedded:open", "x.100-1", .reset(began: Timestamp(seconds: 200, isUTC: true))),
    ] as [(String, String?, String, String?, MarketMismatch?)])
  func generationDecidesWhereBothAreKnown(
    _ address: String, _ generation: String?, _ recorded: String, _ recordedGeneration: String?,
    _ expected: MarketMismatch?
  ) {
    let here = MarketIdentity(address: address, generation: generation.flatMap { MarketGeneration($0) })
    let record = MarketIdentity(address: recorded, generation: recordedGeneration.flatMap { MarketGeneration($0) })
    #expect(here.mismatch(with: record) == expected)
    #expect(here.isSame(as: record) == (expected == nil))
  }

  @Test func secondNameIsTheSameMarket() {
    let office = MarketIdentity(address: "https://shop.internal", also: ["https://Shop.example:443/", "http://third"])
    let network = MarketIdentity(address: "https://shop.example")
    #expect(office.isSame(as: network) && network.isSame(as: office))
    #expect(!office.isSame(as: MarketIdentity(address: "https://fourth")))
  }

  /// Two resources of a server are two markets, whatever spelling the server's URL has, and a record of one is found again.
  @Test(
    arguments: [
      ("https://shop.example", "/api/items", "https://SHOP.example:443/", "/api/items", true),
      ("https://shop.example", "/api/items", "https://shop.example", "/api/parts", false),
      ("https://shop.example", "/api/items", "https://shop.example", nil, false),
      ("https://shop.example", "/", "https://shop.example", nil, false),
      ("https://shop.example/api/items", nil, "https://shop.example", "/api/items", false),
      ("http://localhost:8080", "/items/", "http://127.0.0.1:8080", "/items/", true),
    ] as [(String, String?, String, String?, Bool)])
  func resourcesOfAServerAreMarkets(
    _ one: String, _ resource: String?, _ other: String, _ otherResource: String?, _ isSame: Bool
  ) {
    for generation in [nil, MarketGeneration("x-open.100-1")] {
      let here = MarketIdentity(server: one, resource: resource, generation: generation)
      let there = MarketIdentity(server: other, resource: otherResource, generation: generation)
      #expect(here.isSame(as: there) == isSame)
      // As a file stores it.
      let record = MarketIdentity(address: there.address, generation: there.generation)
      #expect(here.isSame(as: record) == isSame)
      #expect(record.resource == otherResource && record.server == MarketIdentity.canonicalAddress(other))
    }
  }

  /// Other addresses of a server lead to the same resource of it.
  @Test func otherAddressHasTheSameResource() {
    let office = MarketIdentity(server: "https://a", also: ["https://b/"], resource: "/items")
    #expect(office.isSame(as: MarketIdentity(server: "https://b", resource: "/items")))
    #expect(!office.isSame(as: MarketIdentity(server: "https://b", resource: "/parts")))
    #expect(!office.isSame(as: MarketIdentity(address: "https://b")))
  }

  /// A reset of the server resets each of its resources, and makes none of them the other.
  @Test func resetIsOfEachResource() {
    func market(_ resource: String, _ generation: String) -> MarketIdentity {
      MarketIdentity(server: "https://a", resource: resource, generation: MarketGeneration(generation))
    }
    let now = market("/items", "x.200-2")
    let reset = MarketMismatch.reset(began: Timestamp(seconds: 200, isUTC: true))
    #expect(now.mismatch(with: market("/items", "x.100-1")) == reset)
    #expect(now.mismatch(with: market("/parts", "x.100-1")) == .otherMarket)
    #expect(now.mismatch(with: market("/parts", "x.200-2")) == .otherMarket)
    // An identifier that leaves no place for the resource is as if the server had sent none.
    let long = String(repeating: "a", count: 100)
    #expect(market("/items", long).generation == nil)
    #expect(market("/items", long).isSame(as: market("/items", "x.100-1")))
  }

  /// Text of a server that is no identifier is as if it had sent none.
  @Test(arguments: [
    "", " ", "a b", "a\u{1b}[31m", "a\nb", "번호", "a#b", "a/b", String(repeating: "a", count: 101),
  ]) func hostileTextIsNoGeneration(_ text: String) {
    #expect(MarketGeneration(text) == nil)
  }

  @Test(
    arguments: [
      ("x.100-1", 100), ("x.0", 0), ("x", nil), ("x.", nil), ("x.-5", nil), ("x.99999999999999999999-1", nil),
      ("x.253402300800-1", nil), ("x.100.200", nil),
    ] as [(String, Int64?)]) func beginningIsReadWhereTheTextHasOne(_ text: String, _ seconds: Int64?) throws
  {
    #expect(try #require(MarketGeneration(text)).began?.seconds == seconds)
  }
}
