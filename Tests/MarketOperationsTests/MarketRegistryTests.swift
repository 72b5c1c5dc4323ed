import Catalog
import EmbeddedMarket
import Foundation
import Networking
import Platform
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// A market is recognized by its generation: at another port it is the same, and after a reset it is another one.
@Suite(.timeLimit(Trial.limit)) struct MarketRegistryTests {
  private static let vendor = EmbeddedMarket.demoVendor
  private static let login = [
    "OPENMARKET_IDENTIFIER": vendor.identifier, "OPENMARKET_SECRET": vendor.secret,
    "OPENMARKET_VENDOR_ID": String(vendor.vendorID),
  ]
  private static let script = """
    patch 138 stock+=1 yes
    show $wanted id
    patch 132 stock+=1 yes

    """

  /// Conversations with a market that `show 999997` resets, before the request reaches it: the morning of a class, and an
  /// interrupted script.
  @Test(arguments: ["class", "interrupted"]) func transcriptOfAReset(_ name: String) async throws {
    let switchboard = Switchboard()
    try await Sandbox.with(
      environment: ["TZ": "UTC"], clock: LeapingClock(at: 1_669_852_800), served: { $0.copiesBeginning = true },
      between: { SwitchedTransport(inner: $0, switchboard: switchboard, market: $1) }
    ) { sandbox in
      switchboard.onReset { try await sandbox.returnToBeginning() }
      try sandbox.writeFile("cut.market", Self.script)
      try await Transcript("Markets/" + name).check(in: sandbox)
    }
  }

  /// Conversations with one market at two ports, and with two names of a market that says no generation.
  @Test(arguments: [("ports", true), ("names", false)])
  func transcriptOfTwoAddresses(_ name: String, _ saysGeneration: Bool) async throws {
    let switchboard = Switchboard()
    try await Sandbox.with(
      environment: Self.login, clock: LeapingClock(at: 1_669_852_800),
      between: {
        SwitchedTransport(inner: $0, switchboard: switchboard, market: $1, saysGeneration: saysGeneration)
      }
    ) { sandbox in
      try sandbox.writeFile("cut.market", Self.script)
      try await Transcript("Markets/" + name).check(in: sandbox)
    }
  }

  /// Two markets behind one tunnel, one after the other: the run of the first waits until it is there again.
  @Test func anotherMarketAtTheAddressKeepsTheRunsOfTheFirst() async throws {
    let switchboard = Switchboard()
    try await Sandbox.with { other in
      try await Sandbox.with(
        environment: Self.login, clock: LeapingClock(at: 1_669_852_800),
        between: { SwitchedTransport(inner: $0, switchboard: switchboard, market: $1) }
      ) { sandbox in
        try sandbox.writeFile("cut.market", Self.script)
        _ = await sandbox.run("profile shop url=http://127.0.0.1:9 api=open")
        _ = await sandbox.run("profile shop")
        _ = await sandbox.run("let wanted = 999998")
        _ = await sandbox.run("source ~/cut.market")
        #expect(await sandbox.run("status").contains("r1"))
        switchboard.connect(to: other.url)
        let said = await sandbox.run("source ~/cut.market")
        #expect(!said.contains("r1 ") && said.contains("Updated product 138"), "\(said)")
        let (first, second) = (try await sandbox.product(138)?.stock, try await other.product(138)?.stock)
        #expect(first == 26 && second == 26)
        switchboard.connect(to: nil)
        #expect(await sandbox.run("ls size 1").contains("1"))
        #expect(await sandbox.run("status").contains("r1"))
      }
    }
  }

  /// A line before a reset, one after it that refers to a product of before, and what is said. The market has the same
  /// products under the same numbers again, so that they alone show nothing.
  static let references = [
    ("show 138", "patch _ stock=9 yes", "`_` is a product of another market. Nothing was sent."),
    ("show 138", "rm _ yes", "`_` is a product of another market. Nothing was sent."),
    ("show 138", "show _ stock", "`_` is a product of another market. Nothing was sent."),
    ("show 138", "image _", "`_` is a product of another market. Nothing was sent."),
    ("show 138", "sale _ 10% from 2022-12-01 to 2022-12-05", "`_` is a product of another market. Nothing was sent."),
    ("show 138", "patch 132 stock=$_.stock yes", "Another market responded than the one that was read."),
    ("ls where id=138", "patch @1 stock=9 yes", "The last list is of another market. Nothing was sent."),
    ("ls where id=138", "rm @all yes", "The last list is of another market. Nothing was sent."),
    ("ls where id=138", "each @all: patch _ stock=9 yes", "The last list is of another market. Nothing was sent."),
    ("ls where id=138", "restore @1 stock from monday yes", "is of another market. Nothing was sent."),
    ("show 138", "diff monday", "The snapshot monday is of another market. Nothing was sent."),
    ("let cup = show 138", "patch $cup stock=9 yes", "Another market responded than the one that was read."),
    ("show 138", "if stock=25: patch 132 stock=9 yes", "Another market responded than the one that was read."),
    ("let cup = show 138", "if $cup.stock=25: patch 132 stock=9 yes", "Another market responded than the one that was"),
    ("snapshot monday", "sql 'select id from products where id=138'", "138"),
  ]

  @Test(arguments: references)
  func referenceToAProductOfBeforeIsHeldBack(_ before: String, _ line: String, _ words: String) async throws {
    let switchboard = Switchboard()
    try await Sandbox.with(
      served: { $0.copiesBeginning = true },
      between: { SwitchedTransport(inner: $0, switchboard: switchboard, market: $1) }
    ) { sandbox in
      switchboard.onReset { try await sandbox.returnToBeginning() }
      if line.contains("monday") { _ = await sandbox.run("snapshot monday") }
      _ = await sandbox.run(before)
      #expect(await sandbox.run("show 999997 id").hasSuffix("= 130\n"))
      let said = await sandbox.run(line)
      #expect(said.contains(words), "\(said)")
      if line.hasPrefix("sql") {
        // A stored list is of the market that it was stored of.
        let written = await sandbox.run("patch @1 stock=9 yes")
        #expect(written.contains("The last list is of another market.") && written.hasSuffix("= 4\n"), "\(written)")
      } else {
        #expect(said.hasSuffix("= 4\n"), "\(said)")
        // It is of another market the second time, too, when a response has said so. A product that was read is `_`.
        let isOfRead = line.contains("$_") || line.hasPrefix("if stock")
        let again = isOfRead ? said : await sandbox.run(line)
        #expect(again.contains(words) || again.contains("of another market") && again.hasSuffix("= 4\n"), "\(again)")
      }
      let stocks = (try await sandbox.product(138)?.stock, try await sandbox.product(132)?.stock)
      #expect(stocks.0 == 25 && stocks.1 == 41)
      // What is shown now is meant.
      _ = await sandbox.run("show 138")
      #expect(await sandbox.run("patch _ stock=9 yes").contains("Updated product 138."))
    }
  }

  /// The pages of a search are those of the market that was searched.
  @Test func pagesOfASearchEndWithTheMarket() async throws {
    let switchboard = Switchboard()
    try await Sandbox.with(
      served: { $0.copiesBeginning = true },
      between: { SwitchedTransport(inner: $0, switchboard: switchboard, market: $1) }
    ) { sandbox in
      switchboard.onReset { try await sandbox.returnToBeginning() }
      _ = await sandbox.run("patch 138 name='Of before' yes")
      _ = await sandbox.run("ls where id in (138,132) size 1 columns name")
      _ = await sandbox.run("show 999997 id")
      _ = await sandbox.run("show 1 id")
      let pages = [await sandbox.run("next"), await sandbox.run("prev")]
      #expect(pages.allSatisfy { !$0.contains("Of before") }, "\(pages)")
    }
  }

  /// The market is reset between two writes of a batch, after the second one.
  @Test func batchStopsAtAReset() async throws {
    let switchboard = Switchboard()
    try await Sandbox.with(
      served: { $0.copiesBeginning = true },
      between: { SwitchedTransport(inner: $0, switchboard: switchboard, market: $1) },
      adjusting: { $0.network.freshness = .zero }
    ) { sandbox in
      switchboard.onReset { try await sandbox.returnToBeginning() }
      switchboard.resetAfterPatch(2)
      let said = await sandbox.run("patch mine stock=77 yes all jobs 1")
      #expect(said.contains("Another market responded than the one that was read."), "\(said)")
      #expect(switchboard.patches == 2, "\(said)")
      #expect(!said.hasSuffix("= 0\n"))
      let stocks = await sandbox.run("ls mine where stock=77 columns id as tsv")
      #expect(stocks.hasSuffix("id\n"), "\(stocks)")
      // Nothing of it is left to be sent.
      #expect(await sandbox.run("status").contains("No pending changes"), "\(said)")
    }
  }

  /// The market is reset after the product was read for the last time: the write reaches the other one, and is not told as
  /// applied.
  @Test func writeThatReachedAnotherGenerationIsNotApplied() async throws {
    let switchboard = Switchboard()
    try await Sandbox.with(
      clock: LeapingClock(at: 1_669_852_800), served: { $0.copiesBeginning = true },
      between: { SwitchedTransport(inner: $0, switchboard: switchboard, market: $1) },
      adjusting: { $0.network.freshness = .zero }
    ) { sandbox in
      switchboard.onReset { try await sandbox.returnToBeginning() }
      switchboard.resetBeforePatch(1)
      let said = await sandbox.run("patch 138 stock=77 yes")
      #expect(!said.contains("Updated"), "\(said)")
      #expect(said.contains("Another market responded"), "\(said)")
      #expect(said.hasSuffix("= 4\n"), "\(said)")
    }
  }
}

/// What a test decides about the requests: which market they reach, and when it is reset.
private final class Switchboard: Sendable {
  private struct State {
    var target: URL?
    var reset: @Sendable () async throws -> Void = {}
    var patches = 0
    var before: Int?
    var after: Int?
  }

  private let state = Mutex(State())

  var patches: Int { state.withLock { $0.patches } }

  var target: URL? { state.withLock { $0.target } }

  func connect(to target: URL?) { state.withLock { $0.target = target } }

  func onReset(_ reset: @escaping @Sendable () async throws -> Void) { state.withLock { $0.reset = reset } }

  func resetAfterPatch(_ number: Int) { state.withLock { $0.after = number } }

  func resetBeforePatch(_ number: Int) { state.withLock { $0.before = number } }

  func reset() async throws {
    let reset = state.withLock { $0.reset }
    try await reset()
  }

  func willPatch() async throws {
    let isMeant = state.withLock { state in
      state.patches += 1
      return state.before == state.patches
    }
    if isMeant { try await reset() }
  }

  func didPatch() async throws {
    if state.withLock({ $0.after == $0.patches }) { try await reset() }
  }
}

/// Sends all requests to one market, whatever their address. `show 999997` resets it and `show 999998` is canceled; neither
/// reaches it.
private struct SwitchedTransport: Transport {
  let inner: any Transport
  let switchboard: Switchboard
  let market: URL
  var saysGeneration = true

  func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
    if request.target.hasSuffix("/999997") { try await switchboard.reset() }
    if request.target.hasSuffix("/999997") || request.target.hasSuffix("/999998") {
      throw TransportError(.cancelled, extent: .none)
    }
    let isPatch = request.method == .patch
    if isPatch { try await switchboard.willPatch() }
    var response = try await inner.send(request, to: switchboard.target ?? market, with: options)
    if isPatch { try await switchboard.didPatch() }
    if !saysGeneration { response.headers.removeAll { $0.name.lowercased() == "market-generation" } }
    return response
  }
}
