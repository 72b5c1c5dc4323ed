import Catalog
import MarketOperations
import Presentation
import ShellRuntime
import TestSupport
import Testing
import Text

/// A message says that numbers name other products, and not that they may, only if both generations are known.
@Suite struct MarketMismatchReasonTests {
  /// The generations of a record and of the session, and the ends of both sentences.
  @Test(
    arguments: [
      ("x.100-1", "y.100-1", "Their numbers name other products.", "같은 번호라도 다른 상품입니다."),
      (nil, "y.100-1", "Their numbers may name other products.", "같은 번호라도 다른 상품일 수 있습니다."),
      ("x.100-1", nil, "Their numbers may name other products.", "같은 번호라도 다른 상품일 수 있습니다."),
      (nil, nil, "Their numbers may name other products.", "같은 번호라도 다른 상품일 수 있습니다."),
    ] as [(String?, String?, String, String)])
  func anotherAddressAloneIsNoProof(_ recorded: String?, _ now: String?, _ english: String, _ korean: String) throws {
    func market(_ address: String, _ generation: String?) -> MarketIdentity {
      MarketIdentity(address: address, generation: generation.flatMap { MarketGeneration($0) })
    }
    let (record, here) = (market("http://a.example", recorded), market("http://b.example", now))
    let message = Message.failure("It is held back.", ko: "보류했습니다.").because(
      try #require(here.mismatch(with: record)), of: record, at: here, profile: "shop")
    let texts = [MessageLanguage.english, .korean].map {
      MessageRenderer().render(message, RenderOptions(language: $0))
    }
    #expect(texts[0].contains("It is from http://a.example, and this session uses http://b.example. " + english))
    #expect(texts[1].contains("현재 마켓은 http://b.example입니다. " + korean))
    // One server may have both addresses only if they don't say two generations.
    let isKnown = recorded != nil && now != nil
    #expect(texts.allSatisfy { $0.contains("profile shop also=http://a.example") != isKnown })
  }

  /// Another address of the server may lead to the same list, but not to another one.
  @Test(arguments: [("/items", true), ("/parts", false)])
  func anotherListIsNoOtherAddress(_ resource: String, _ isOffered: Bool) throws {
    let record = MarketIdentity(server: "http://a.example", resource: resource)
    let here = MarketIdentity(server: "http://b.example", also: ["http://c.example"], resource: "/items")
    let message = Message.failure("It is held back.", ko: "보류했습니다.").because(
      try #require(here.mismatch(with: record)), of: record, at: here, profile: "shop")
    let text = MessageRenderer().render(message, RenderOptions(language: .english))
    #expect(text.contains("It is from http://a.example \(resource), and this session uses http://b.example /items."))
    #expect(text.contains("profile shop also=http://c.example,http://a.example`") == isOffered, "\(text)")
  }

  /// `_`, rows and variables with a product of another list of the same server are held back.
  @Test(arguments: [("/items", false), ("/parts", true)])
  func productOfAnotherListIsHeldBack(_ resource: String, _ isHeldBack: Bool) {
    let record = MarketIdentity(server: "http://a.example", resource: resource)
    let here = MarketIdentity(server: "http://a.example", resource: "/items")
    let isThrown = (try? CommandError.throwIfOfOtherMarket([("_", record)], here)) == nil
    #expect(isThrown == isHeldBack)
  }
}
