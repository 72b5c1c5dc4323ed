import Catalog
import TestSupport
import Testing

@testable import WriteJournal

/// Writes with earlier times than writes before them, which were made while the clock was set back.
@Suite(.timeLimit(Trial.limit)) struct UncertainTimeTests {
  private static func time(_ day: Int) -> Timestamp {
    Timestamp(seconds: 1_700_006_400 + Int64(day) * 86_400, isUTC: true)
  }

  private static func day(_ time: Timestamp) -> Int64 { (time.seconds - 1_700_006_400) / 86_400 }

  /// The days on which writes are made by their clock, the day from which they are asked for, and which are found; those whose
  /// day isn't certain with the days between which they were made. Today is day 30.
  @Test(
    arguments: [
      ([1, 2, 3], 2, ["2", "3"]),
      ([1, 8, 2, 9], 8, ["8", "2: 8...9", "9"]),
      ([1, 8, 2], 9, ["2: 8...30"]),
      ([1, 8, 2, 9], 9, ["2: 8...9", "9"]),
      ([1, 8, 2, 9], 10, []),
      ([8, 2, 3, 12, 13], 12, ["2: 8...12", "3: 8...12", "12", "13"]),
      ([8, 2], 5, ["8", "2: 8...30"]),
      // The clock was set forward: a day that hasn't come says nothing of the writes after it.
      ([1, 99, 2, 3], 3, ["99", "3"]),
      ([], 1, []),
    ] as [([Int], Int, [String])])
  func writesAreFoundByTheirNumbers(_ days: [Int], _ first: Int, _ expected: [String]) async throws {
    let bench = Bench()
    defer { withExtendedLifetime(bench) {} }
    func set(_ day: Int) { bench.clock.setTimeOfDay(by: Self.time(day).seconds - bench.clock.now.seconds) }
    let journal = try bench.journal()
    let market = bench.market()
    for (index, day) in days.enumerated() {
      set(day)
      let outcomes = await bench.runner(journal, market).outcomes(of: Plan([Bench.price(10 + index, 11 + index)]))
      #expect(outcomes.map(\.label) == ["done"])
    }
    set(30)
    let found = try journal.entries(since: Self.time(first), at: Bench.binding.baseURL).reversed()
    #expect(
      found.map { entry in
        let times = entry.uncertainTime.map { ": \(Self.day($0.lowerBound))...\(Self.day($0.upperBound))" } ?? ""
        return "\(Self.day(entry.time))" + times
      } == expected)
  }

  /// The order of the log is that of the writes at all markets.
  @Test func writesAtAnotherMarketLimitTheTime() async throws {
    let bench = Bench()
    defer { withExtendedLifetime(bench) {} }
    let journal = try bench.journal()
    let market = bench.market()
    let other = MarketLogin(profile: "other", baseURL: "https://other.example", vendor: "15")
    for (index, (day, binding)) in [(1, Bench.binding), (8, Bench.binding), (2, other), (9, Bench.binding)].enumerated()
    {
      bench.clock.setTimeOfDay(by: Self.time(day).seconds - bench.clock.now.seconds)
      let runner = PlanRunner(journal: journal, market: market, binding: binding, window: .loopback)
      #expect(await runner.outcomes(of: Plan([Bench.price(10 + index, 11 + index)])).map(\.label) == ["done"])
    }
    bench.clock.setTimeOfDay(by: Self.time(30).seconds - bench.clock.now.seconds)
    let found = try journal.entries(since: Self.time(8), at: other.baseURL)
    #expect(found.map(\.uncertainTime) == [Self.time(8)...Self.time(9)])
  }
}
