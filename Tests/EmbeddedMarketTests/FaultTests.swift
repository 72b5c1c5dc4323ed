import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The deliberate faults of `--fail` and of lessons.
@Suite(.serialized, .timeLimit(Trial.limit)) struct FaultTests {
  @Test(arguments: [
    (ServedEdition.open, "/api/products/1", #"503 {"code":503,"message":"Service Unavailable (a deliberate fault)"}"#),
    (.camp1, "/item/1", #"503 {"error":true,"reason":"Service Unavailable (a deliberate fault)"}"#),
  ])
  func everyRequestFailsExceptForTheDocument(_ edition: ServedEdition, _ path: String, _ refusal: String) async throws {
    try await Market.with(edition, faults: FaultPlan(failureRate: 1, seed: 1)) { market in
      for _ in 0..<3 { #expect(try await market.ask("DELETE", path, body: Data("{}".utf8)).line == refusal) }
      let document = try await market.get("/openapi.json")
      #expect(document.status == 200)
    }
  }

  // MARK: Effects

  /// A fault with what the client gets, and whether the product is there afterwards.
  struct Outcome: Sendable, CustomTestStringConvertible {
    var fault: String
    var answer: String
    var isApplied: Bool
    var headers: [String: String] = [:]
    var testDescription: String { fault }
  }

  @Test(arguments: [
    Outcome(fault: "ok", answer: "201 …", isApplied: true),
    Outcome(fault: "201", answer: "201 …", isApplied: true),
    Outcome(
      fault: "500", answer: #"500 {"code":500,"message":"Internal Server Error (a deliberate fault)"}"#,
      isApplied: false),
    Outcome(
      fault: "429 retry-after=7", answer: #"429 {"code":429,"message":"Too Many Requests (a deliberate fault)"}"#,
      isApplied: false, headers: ["retry-after": "7"]),
    Outcome(fault: "lost-request", answer: "closed after 0 bytes", isApplied: false),
    Outcome(fault: "lost-response", answer: "closed after 0 bytes", isApplied: true),
    Outcome(fault: "cut-response", answer: "closed after half of the body", isApplied: true),
    Outcome(fault: "broken-json", answer: "201 half", isApplied: true),
  ])
  func eachFaultKindYieldsItsResponseAndEffect(_ outcome: Outcome) async throws {
    var rule = try #require(FaultRule("POST /api/products"))
    rule.sequence = [try #require(Fault(outcome.fault))]
    try await Market.with(faults: FaultPlan(rules: [rule])) { market in
      var got: String
      do {
        let answer = try await market.create(Parts.params)
        got = answer.line
        if answer.status == 201 {
          let isWhole = (try? WireJSONReader.read(answer.text.utf8)) != nil
          got = isWhole ? "201 …" : "201 half"
        }
        for (name, value) in outcome.headers { #expect(answer.headers[name] == value) }
      } catch let end as Conversation.Ended {
        // The head was read, so what is left is a part of the body.
        got = end.after.isEmpty ? "closed after 0 bytes" : "closed after half of the body"
        if !end.after.isEmpty { #expect(end.after.hasPrefix("{") && !end.after.hasSuffix("}"), "\(end.after)") }
      }
      #expect(got == outcome.answer)
      let status = try await market.get("/api/products/1").status
      #expect(status == (outcome.isApplied ? 200 : 404))
      // The sequence is over.
      #expect(try await market.create(Parts.params).status == 201)
    }
  }

  @Test(arguments: [
    "", "ok ok", "199", "302", "600", "503x", "503 retry-after", "503 retry-after=-1",
    "503 retry-after=1 retry-after=2",
    "ok retry-after=1", "lost-response delay=30001", "503 delay=1e3", "lost",
  ])
  func malformedFaultIsRefused(_ text: String) { #expect(Fault(text) == nil) }

  // MARK: Rules

  @Test(arguments: [
    ("GET /api/products/3", "GET", "/api/products/3", true), ("GET /api/products/3", "GET", "/api/products/4", false),
    ("GET /api/products/*", "HEAD", "/api/products/4", true), ("GET /api/products/*", "GET", "/api/products", false),
    ("* /**", "DELETE", "/api/products/4/x", true), ("GET /api/**", "GET", "/api", true),
    ("GET /api/**", "GET", "/item", false), ("POST /api/products", "PATCH", "/api/products", false),
    ("* //api//products", "POST", "/api/products/", true),
  ])
  func ruleAppliesToItsPathOnly(_ name: String, _ method: String, _ path: String, _ isMatch: Bool) throws {
    #expect(try #require(FaultRule(name)).matches(method: method, RequestPath.segments(of: path)) == isMatch)
  }

  @Test(arguments: ["GET", "/api", "get /api", "GET api", "GET /a/**/b", "TRACE /api", "GET /a b"])
  func malformedRuleIsRefused(_ name: String) { #expect(FaultRule(name) == nil) }

  /// The most exact rule decides, whatever the order.
  @Test func mostSpecificRuleDecides() throws {
    let names = ["* /**", "GET /api/**", "* /api/products/*", "GET /api/products/*", "GET /api/products/3"]
    let rules = try names.enumerated().map { index, name in
      var rule = try #require(FaultRule(name))
      (rule.sequence, rule.repeats) = ([Fault(.status(500 + index))], true)
      return rule
    }
    for rules in [rules, rules.reversed()] {
      let injector = FaultInjector(FaultPlan(rules: rules))
      for (method, path, status) in [
        ("GET", "/item", 500), ("GET", "/api/x", 501), ("PATCH", "/api/products/3", 502),
        ("GET", "/api/products/4", 503), ("GET", "/api/products/3", 504),
      ] {
        #expect(injector.next(method: method, path, client: "a").fault.effect == .status(status), "\(method) \(path)")
      }
    }
  }

  /// A rule that no request can meet is an error, not a lesson without faults.
  @Test func ruleForAnUnknownPathIsRefused() async throws {
    let rule = try #require(FaultRule("POST /api/product"))
    await #expect {
      try await Market.with(faults: FaultPlan(rules: [rule])) { _ in }
    } throws: { error in
      guard case MarketStartError.unknownPath("POST /api/product", let paths) = error else { return false }
      return paths.contains("POST /api/products") && paths.contains("GET /api/products/*")
    }
  }

  // MARK: Seeds

  private func plan(_ seed: UInt64) throws -> FaultPlan {
    var creates = try #require(FaultRule("POST /api/products"))
    creates.sequence = [Fault(.status(503)), Fault(.none), Fault(.lostResponse)]
    creates.repeats = true
    var reads = try #require(FaultRule("GET /api/products/*"))
    (reads.rate, reads.faults) = (0.3, [Fault(.status(500)), Fault(.cutResponse), Fault(.brokenJSON)])
    reads.delay = .exponential(mean: 5)
    var shared = try #require(FaultRule("PATCH /api/products/*"))
    (shared.rate, shared.faults, shared.isShared) = (0.5, [Fault(.status(429), retryAfter: 1)], true)
    return FaultPlan(delay: .normal(mean: 3, deviation: 2), rules: [creates, reads, shared], seed: seed)
  }

  private struct Asked: Hashable {
    var client: String
    var method: String
    var path: String
  }

  /// Returns the faults of 10,000 requests of 30 clients, whose order depends on `order`; those of each client and
  /// rule in a row.
  private func faults(_ seed: UInt64, order: UInt64) throws -> [Asked: [FaultInjector.Choice]] {
    let injector = FaultInjector(try plan(seed))
    let kinds = [("POST", "/api/products"), ("GET", "/api/products/3"), ("PATCH", "/api/products/3"), ("GET", "/item")]
    var rest = (0..<10_000).map { index in
      let (method, path) = kinds[index % kinds.count]
      return Asked(client: method == "PATCH" ? "all" : "client \(index % 30)", method: method, path: path)
    }
    var random = SplitMix64(order)
    rest.shuffle(using: &random)
    var faults: [Asked: [FaultInjector.Choice]] = [:]
    for asked in rest {
      faults[asked, default: []].append(injector.next(method: asked.method, asked.path, client: asked.client))
    }
    return faults
  }

  /// The same seed gives every client the same faults for 10,000 requests, in whatever order the clients come.
  @Test func equalSeedsGiveEqualFaults() throws {
    let first = try faults(7, order: 1)
    #expect(first.values.reduce(0) { $0 + $1.count } == 10_000)
    #expect(try faults(7, order: 2) == first)
    #expect(try faults(8, order: 1) != first)
    // Every kind of fault occurred, and about as often as it should in 167 different draws.
    let reads = first.filter { $0.key.method == "GET" && $0.key.path != "/item" }.values.flatMap(\.self)
    let share = Double(reads.count { $0.fault.effect != .none }) / Double(reads.count)
    #expect((0.2...0.4).contains(share), "\(share)")
    #expect(Set(reads.map(\.fault.effect)) == [.none, .status(500), .cutResponse, .brokenJSON])
    #expect(Set(reads.map(\.delay)).count > 100)
  }

  @Test func resetRestartsTheSequences() throws {
    let injector = FaultInjector(try plan(7))
    let first = (0..<20).map { _ in injector.next(method: "POST", "/api/products", client: "a") }
    injector.reset()
    #expect((0..<20).map { _ in injector.next(method: "POST", "/api/products", client: "a") } == first)
    #expect(first.prefix(4).map(\.fault.effect) == [.status(503), .none, .lostResponse, .status(503)])
  }
}
