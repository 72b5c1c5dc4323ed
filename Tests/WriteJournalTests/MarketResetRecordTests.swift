import Catalog
import Foundation
import TestSupport
import Testing

@testable import WriteJournal

/// The names of markets in the journal, and what a reset settles.
@Suite(.timeLimit(Trial.limit)) struct MarketResetRecordTests {
  private static func market(_ address: String, _ generation: String? = nil, also: [String] = []) -> MarketIdentity {
    MarketIdentity(address: address, also: also, generation: generation.flatMap { MarketGeneration($0) })
  }

  private static func with(_ body: (Journal) throws -> Void) throws {
    let bench = Bench()
    try withExtendedLifetime(bench) { try body(try bench.journal()) }
  }

  @Test func generationKeepsItsNameAtEveryAddress() throws {
    try Self.with { journal in
      let one = try journal.name(of: Self.market("http://127.0.0.1:8080", "x.1-a"))
      #expect(one == "http://127.0.0.1:8080")
      #expect(try journal.name(of: Self.market("http://localhost:8081", "x.1-a")) == one)
      // A tunnel: another market at the first address, and the first one again.
      let two = try journal.name(of: Self.market("http://127.0.0.1:8080", "y.1-a"))
      #expect(two == "http://127.0.0.1:8080#y.1-a")
      #expect(try journal.name(of: Self.market("http://127.0.0.1:8080")) == two)
      #expect(try journal.name(of: Self.market("http://127.0.0.1:8080", "x.1-a")) == one)
      #expect(try journal.name(of: Self.market("http://127.0.0.1:8080")) == one)
      #expect(try journal.address(ofMarket: two) == "http://127.0.0.1:8080")
    }
  }

  @Test func firstGenerationContinuesTheRecordsOfItsAddress() throws {
    try Self.with { journal in
      #expect(try journal.name(of: Self.market("http://shop")) == "http://shop")
      let knewBefore = try journal.knowsGenerations
      #expect(try journal.name(of: Self.market("http://shop", "x.1-a")) == "http://shop")
      let knows = try journal.knowsGenerations
      #expect(!knewBefore && knows)
      #expect(try journal.name(of: Self.market("http://shop", "x.2-b")) == "http://shop#x.2-b")
    }
  }

  /// A later generation may have another picture at an address: the one of before isn't restored by an undo.
  @Test func picturesOfGenerationsAreApart() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    var addresses: Set<String> = []
    for (name, bytes) in [("http://m", "before"), ("http://m#x.2-b", "after")] {
      let market = bench.market([])
      market.edit { $0.keepsMarker = false }
      var draft = Bench.draft
      draft.pictures = [PictureFile(name: "a.jpg", type: "image/jpeg", bytes: Data(bytes.utf8))]
      let binding = MarketLogin(profile: "demo", baseURL: name, vendor: "demo")
      let runner = PlanRunner(journal: journal, market: market, binding: binding, window: .loopback)
      let made = await runner.run(Plan([.create(draft)]))
      let product = try #require(made.rows.first?.outcome?.product)
      #expect(await runner.savePictures(of: product) == [])
      let address = try #require(product.images?.first?.url)
      #expect(try journal.backup(binding.pictureKey(address))?.bytes == draft.pictures[0].bytes, "\(name)")
      addresses.insert(address)
    }
    #expect(addresses.count == 1)
  }

  @Test func recordsOfASecondNameAreOfTheMarket() async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let binding = { (name: String) in MarketLogin(profile: "p", baseURL: name, vendor: "v") }
    let plan = Plan([.edit(Bench.product, from: ProductValues(stock: 1), to: ProductValues(stock: 2))])
    let run = RunInProgress(RunUnit(.line, "patch 1 stock+=1", identity: "i"))
    _ = try await journal.insert(
      plan, for: binding("http://vpn"), by: Attribution(), in: run, note: nil, identify: { ULID.make() })
    let office = Self.market("http://office", also: ["http://vpn"])
    #expect(try journal.name(of: office) == "http://office")
    let entry = try #require(try journal.entries(ofRun: 1).first)
    #expect(entry.baseURL == "http://office" && !entry.hasInvalidChecksum)
    #expect(try journal.unsettledRuns(binding("http://office")).count == 1)
    // Also for a session that doesn't know the first name.
    #expect(try journal.name(of: Self.market("http://vpn")) == "http://office")
  }

  /// A reset settles the runs before it once, and the market behind another tunnel keeps its own.
  @Test(arguments: [("x.2-b", true), ("y.1-a", false)]) func resetSettlesWhatWasPending(
    _ generation: String, _ isReset: Bool
  ) async throws {
    let bench = Bench()
    let journal = try bench.journal()
    let before = Self.market("http://shop", "x.1-a")
    let name = try journal.name(of: before)
    let binding = MarketLogin(profile: "p", baseURL: name, vendor: "v")
    let run = RunInProgress(RunUnit(.line, "patch 1 stock+=1", identity: "i"))
    var plan = Plan([.edit(Bench.product, from: ProductValues(stock: 1), to: ProductValues(stock: 2))])
    plan.rows[0].origin = WriteOrigin(formulas: ["stock+=1"])
    _ = try await journal.insert(
      plan, for: binding, by: Attribution(), in: run, note: nil, identify: { ULID.make() })
    _ = try journal.finish(run, isStopped: false)
    #expect(try journal.unsettledRuns(binding).map(\.number) == [1])
    let after = Self.market("http://shop", generation)
    #expect(try journal.name(of: after) == "http://shop#" + generation)
    let settled = try journal.settleEarlierGenerations(of: after)
    #expect((settled != nil) == isReset)
    #expect(settled == nil || settled?.runs == [1])
    #expect(try journal.unsettledRuns(binding).isEmpty == isReset)
    #expect(try journal.settleEarlierGenerations(of: after) == nil)
    let own = MarketLogin(profile: "p", baseURL: try journal.name(of: after), vendor: "v")
    #expect(try journal.unsettledRuns(own).isEmpty)
  }
}
