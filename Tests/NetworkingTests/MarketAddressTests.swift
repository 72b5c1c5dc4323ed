import Networking
import Testing

/// Addresses in other spellings name the same market, and addresses of other markets don't.
@Suite struct MarketAddressTests {
  @Test(arguments: [
    ("http://localhost:8080", "http://127.0.0.1:8080"), ("http://[::1]:8080/", "http://127.0.0.1:8080"),
    ("HTTP://Shop.Example.", "http://shop.example"), ("https://shop.example:443/v1/", "https://shop.example/v1"),
    ("http://127.0.0.2:80", "http://127.0.0.1"), ("http://a.localhost", "http://localhost"),
  ]) func spellingMakesNoDifference(_ one: String, _ other: String) {
    #expect(MarketAddress.isSame(one, other), "\(MarketAddress.canonical(one)), \(MarketAddress.canonical(other))")
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8081"), ("http://shop.example", "https://shop.example"),
    ("http://shop.example/a", "http://shop.example/b"), ("http://shop.example", "http://shop.example.org"),
    ("embedded:open", "embedded:camp1"), ("http://127.0.0.1.example", "http://127.0.0.1"),
    ("http://shop.example:443", "http://shop.example"), ("http://127.0.0.999", "http://127.0.0.1"),
  ]) func otherMarketsDiffer(_ one: String, _ other: String) {
    #expect(!MarketAddress.isSame(one, other), "\(MarketAddress.canonical(one)), \(MarketAddress.canonical(other))")
  }

  @Test(arguments: ["", "x", "http:", "http://", "http:///", "embedded:open", "//", "http://[::1", "http://:"])
  func anyTextHasAForm(_ text: String) {
    #expect(MarketAddress.canonical(MarketAddress.canonical(text)) == MarketAddress.canonical(text))
  }
}
