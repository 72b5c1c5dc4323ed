import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Lessons that are set back, paused and counted while clients use them.
@Suite(.serialized, .timeLimit(Trial.limit)) struct LessonResetTests {
  private static let products = (1...40).map { (number: Int) -> InitialProduct in
    InitialProduct(
      id: number == 1 ? 7 : nil, vendor: number.isMultiple(of: 4) ? "northside" : nil, name: "begin \(number)",
      description: "of the lesson", price: "\(number).50", discount: "0", currency: "USD", stock: Int64(number),
      pictures: number == 2 ? [Parts.picture] : [])
  }

  private static let key: TeacherKey = {
    var random = SplitMix64(1)
    return TeacherKey(using: &random)
  }()

  private static func adjust(_ options: inout MarketOptions) {
    options.products = .listed(products)
    options.copiesBeginning = true
    options.teacherKey = LessonResetTests.key
    options.classReport = { LessonResetTests.text($0.rows) }
  }

  private static func text(_ rows: [ClassReportRow]) -> String {
    rows.map { row in
      let statuses = row.statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: " ")
      return "\(row.name ?? "others") \(statuses) mistakes \(row.mistakes.values.reduce(0, +))"
    }.joined(separator: "\n")
  }

  private func ids(_ market: Market) async throws -> [String] {
    let list = try WireJSONReader.read(try await market.get("/api/products?page_no=1&items_per_page=100").body)
    guard case .list(let pages)? = list["pages"] else { return [] }
    return pages.map { "\($0["id"]?.minified ?? "?") \($0["name"]?.minified ?? "?")" }
  }

  /// Creates a product and returns its number.
  private func created(in market: Market) async throws -> String? {
    try WireJSONReader.read(try await market.create(Parts.params).body)["id"]?.minified
  }

  @Test func lessonBeginsWithItsProducts() async throws {
    try await Market.with(adjust: LessonResetTests.adjust) { market in
      let listed = try await ids(market)
      #expect(listed.count == 40)
      #expect(listed.last == #"7 "begin 1""# && listed.first == #"46 "begin 40""#)
      let second = try await market.get("/api/products/8").text
      // The picture that the lesson gave, and the vendor that it named.
      let path = try #require(second.firstMatch(of: #/"url":"http://[^\/]+(\/[^"]+)"/#)?.1.replacing("\\/", with: "/"))
      #expect(try await market.get(String(path)).body == Parts.picture)
      #expect(try await market.get("/api/products/10").text.contains("northside"))
    }
  }

  @Test func initialProductOfAnUnknownVendorIsRefused() async throws {
    await #expect(
      throws: MarketStartError.unusableProduct(name: "begin 1", reason: "there is no vendor named nobody")
    ) {
      try await Market.with(adjust: { options in
        var product = LessonResetTests.products[0]
        product.vendor = "nobody"
        options.products = .listed([product])
      }) { _ in }
    }
  }

  /// The clock begins where the lesson says, and again at each return.
  @Test func clockRestartsAtEachReset() async throws {
    let machine = Mutex(Market.noon)
    let start = Date(timeIntervalSince1970: 1_646_092_800)  // 2022-03-01T00:00:00Z
    try await Market.with(adjust: { options in
      LessonResetTests.adjust(&options)
      options.clock = { machine.withLock { $0 } }
      options.clockStart = start
    }) { market in
      func date() async throws -> String? { try await market.get("/api/products/7").headers["date"] }
      #expect(try await date() == "Tue, 01 Mar 2022 00:00:00 GMT")
      machine.withLock { $0 += 90 }
      #expect(try await date() == "Tue, 01 Mar 2022 00:01:30 GMT")
      _ = try await market.server.saveCheckpoint()
      machine.withLock { $0 += 10 }
      // A checkpoint has products, and no time.
      _ = try await market.server.returnToCheckpoint()
      #expect(try await date() == "Tue, 01 Mar 2022 00:01:40 GMT")
      _ = try await market.server.returnToBeginning()
      #expect(try await date() == "Tue, 01 Mar 2022 00:00:00 GMT")
    }
  }

  /// A lesson that is started again has its products, and begins its clock and its faults again.
  @Test func restartedLessonKeepsItsProducts() async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var rule = try #require(FaultRule("GET /api/products/*"))
    rule.sequence = [Fault(.status(503))]
    var seen: [String] = []
    for _ in 1...2 {
      try await Market.with(
        in: directory, faults: FaultPlan(rules: [rule], seed: 3),
        adjust: { options in
          LessonResetTests.adjust(&options)
          options.clockStart = Date(timeIntervalSince1970: 1_646_092_800)  // 2022-03-01T00:00:00Z
        }
      ) { market in
        for _ in 1...2 { seen.append("\(try await market.get("/api/products/7").status)") }
        seen.append(try await market.create(Parts.params).headers["date"] ?? "")
        seen.append("\(try await ids(market).count)")
      }
    }
    let day = "Tue, 01 Mar 2022 00:00:00 GMT"
    #expect(seen == ["503", "200", day, "41", "503", "200", day, "42"])
  }

  @Test func checkpointIsRestored() async throws {
    try await Market.with(adjust: LessonResetTests.adjust) { market in
      let beginning = try await ids(market)
      await #expect(throws: MarketStateError(reason: nil)) { try await market.server.returnToCheckpoint() }
      _ = try await market.create(Parts.params)
      let saved = try await ids(market)
      #expect(try await market.server.saveCheckpoint() == 41)
      _ = try await market.create(Parts.params)
      _ = try await market.json(
        "PATCH", "/api/products/47", #"{"stock":99,"secret":"\#(Market.demo.secret)"}"#)
      #expect(try await market.server.returnToCheckpoint() == 41)
      #expect(try await ids(market) == saved)
      #expect(try await market.get("/api/products/47").text.contains(#""stock":2,"#))
      // The next product has the number that it would have had.
      #expect(try await created(in: market) == "48")
      #expect(try await market.server.returnToBeginning() == 40)
      #expect(try await ids(market) == beginning)
      #expect(try await created(in: market) == "47")
      #expect(try await market.server.auditLog().count == 1)
    }
  }

  /// The beginning is that of the first start, also after a restart.
  @Test func initialStateOutlivesARestart() async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await Market.with(in: directory, adjust: LessonResetTests.adjust) { market in
      _ = try await market.create(Parts.params)
      _ = try await market.server.saveCheckpoint()
    }
    try await Market.with(in: directory, adjust: { $0.copiesBeginning = true }) { market in
      let continued = try await ids(market).count
      let begun = try await market.server.returnToBeginning()
      let saved = try await market.server.returnToCheckpoint()
      #expect(continued == 41 && begun == 40 && saved == 41)
    }
    try await Market.with(
      in: directory,
      adjust: { options in
        LessonResetTests.adjust(&options)
        options.replacesProducts = true
      }
    ) { market in
      let begun = try await ids(market).count
      #expect(begun == 40)
      await #expect(throws: MarketStateError(reason: nil)) { try await market.server.returnToCheckpoint() }
    }
  }

  @Test func pauseHoldsRequestsBack() async throws {
    try await Market.with(adjust: LessonResetTests.adjust) { market in
      await market.server.setPaused(true)
      let ended = Mutex(false)
      let request = Task {
        defer { ended.withLock { $0 = true } }
        return try await market.get("/api/products/7").status
      }
      // The teacher's pages are not held back.
      #expect(try await market.get("/class?key=" + LessonResetTests.key.text).status == 200)
      #expect(try await market.get("/openapi.json").status == 200)
      // A return to the beginning does not end the pause.
      _ = try await market.server.returnToBeginning()
      try await Waiting.until("a held request") { await market.server.heldRequestCount == 1 }
      #expect(!ended.withLock { $0 })
      await market.server.setPaused(false)
      #expect(try await request.value == 200)
    }
  }

  /// The end of the server does not wait for the end of a pause, and answers what the pause held back.
  @Test func serverEndAnswersPausedRequests() async throws {
    try await Market.with(adjust: LessonResetTests.adjust) { market in
      await market.server.setPaused(true)
      let conversation = try Conversation(market.url)
      conversation.send("GET /api/products/7 HTTP/1.1\r\nHost: \(market.authority)\r\n\r\n")
      try await Waiting.until("a held request") { await market.server.heldRequestCount == 1 }
      await market.server.stop()
      #expect(try await conversation.answer().status == 200)
    }
  }

  // MARK: A class

  /// What 30 clients were told.
  private final class Told: Sendable {
    private struct State {
      var counts: [Int: Int] = [:]
      var faults: [String] = []
      var isOver = false
    }

    private let state = Mutex(State())

    func count(_ status: Int) { state.withLock { $0.counts[status, default: 0] += 1 } }
    func fail(_ text: String) { state.withLock { $0.faults.append(text) } }
    func end() { state.withLock { $0.isOver = true } }
    var isOver: Bool { state.withLock { $0.isOver } }
    var counts: [Int: Int] { state.withLock { $0.counts } }
    var faults: [String] { state.withLock { $0.faults } }
  }

  /// While the market is set back, every client sees all products of the beginning, and each with its pictures.
  @Test func resetIsAtomicForClients() async throws {
    try await Market.with(adjust: LessonResetTests.adjust) { market in
      let told = Told()
      try await withThrowingTaskGroup { group in
        for client in 0..<30 {
          group.addTask {
            var round = client
            while !told.isOver {
              round += 1
              switch round % 3 {
              case 0: _ = try await market.create(Parts.params)
              case 1:
                let answer = try await market.get("/api/products/\(7 + round % 40)")
                guard answer.status == 200, answer.text.contains("begin"), answer.text.contains("\"images\":[{") else {
                  told.fail(answer.line)
                  continue
                }
              default:
                let list = try await ids(market)
                let begun = list.count { $0.contains("begin") }
                if begun != min(40, 100 - (list.count - begun)), list.count < 100 { told.fail("\(list)") }
              }
            }
          }
        }
        for number in 0..<20 {
          try await Task.sleep(for: .milliseconds(20))
          if number == 10 { _ = try await market.server.saveCheckpoint() }
          _ =
            try await number.isMultiple(of: 5) && number > 10
            ? market.server.returnToCheckpoint() : market.server.returnToBeginning()
        }
        told.end()
        try await group.waitForAll()
      }
      #expect(told.faults == [])
    }
  }

  /// The report has every request, with the status that the client got, and none from before a return.
  @Test func reportEqualsTheClientsCounts() async throws {
    var rule = try #require(FaultRule("GET /api/products/*"))
    (rule.rate, rule.faults) = (0.4, [Fault(.status(429)), Fault(.status(500)), Fault(.lostResponse)])
    try await Market.with(faults: FaultPlan(rules: [rule], seed: 3), adjust: LessonResetTests.adjust) { market in
      _ = try await market.get("/api/products/7")
      _ = try await market.server.returnToBeginning()
      let told = Told()
      try await withThrowingTaskGroup { group in
        for client in 0..<30 {
          group.addTask {
            for number in 0..<10 {
              do {
                told.count(try await market.get("/api/products/\(client + number * 5)").status)
              } catch is Conversation.Ended {
                told.count(0)
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let counts = told.counts
      #expect(counts.values.reduce(0, +) == 300 && Set(counts.keys) == [0, 200, 404, 429, 500], "\(counts)")
      let statuses = counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: " ")
      let report = try await market.get("/class?key=" + LessonResetTests.key.text).text
      // A deliberate 429 is no mistake.
      #expect(report == "127.0.0.1 \(statuses) mistakes \(counts[404] ?? 0)")
    }
  }
}
