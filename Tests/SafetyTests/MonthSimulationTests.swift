import TestSupport
import Testing

/// Simulated months of a shop, in which an account that knows nothing of the log explains every product.
///
/// Two people with homes of their own, cron, an agent that plans and buyers work with two markets, while programs are killed at
/// requests, requests are lost or land without a response, a proxy answers 429 and 503, the user presses Ctrl-C, the disk is full and the clock
/// of a home is set back. It doesn't simulate: kills between two system calls (`PushKillTests`, `SystemCallKillTests`), loss of power
/// (`PowerFailureTests`), several shells at once (`SimulationTests`), signed plans, terminals with questions, and other
/// editions than the newest. A home that is copied is another test (`JournalPlaceTests`), and so are the timers of the system
/// (`TimerCommandTests`, `TimerRunTests`).
///
/// The long form lives 20 months of 28 days: `OPENMARKET_LONG_TESTS=1 OPENMARKET_MONTHS=20 swift test --filter
/// MonthSimulationTests`. A failure names its seed; `OPENMARKET_SEED=that OPENMARKET_MONTHS=1` repeats it.
@Suite(.timeLimit(Trial.limit)) struct MonthSimulationTests {
  @Test func everyProductIsExplained() async throws {
    for month in 0..<Trial.count(1, long: 20, variable: "OPENMARKET_MONTHS") {
      let seed = Trial.seed &+ UInt64(month)
      try await Shop.with(["outlet", "shop"]) { shop in
        try shop.writePicture()
        var month = Month(seed, shop, days: Trial.isLong ? 28 : 4)
        try await month.live()
        #expect(month.ledger.faults == [], "seed \(seed)\n\(month.trace.joined(separator: "\n"))")
        Trial.printInLongRun("seed \(seed): \(month.lines) lines, \(month.ledger.faults.count) faults")
      }
    }
  }

  /// The same with the timer in place of cron, suppliers' files that it imports, reports whose numbers are compared, and a
  /// new computer that takes the work over.
  @Test func everyWeekIsAsReported() async throws {
    for month in 0..<Trial.count(1, long: 20, variable: "OPENMARKET_MONTHS") {
      let seed = Trial.seed &+ UInt64(month)
      try await Shop.with(["outlet", "shop"]) { shop in
        try shop.writePicture()
        var month = Month(seed, shop, days: Trial.isLong ? 28 : 5, hasWeeks: true)
        try await month.live()
        #expect(month.ledger.faults == [], "seed \(seed)\n\(month.trace.joined(separator: "\n"))")
        let weeks = month.weeks ?? Weeks()
        Trial.printInLongRun(
          "seed \(seed): \(month.lines) lines, \(weeks.imports) imports, \(weeks.reports) reports, "
            + "\(weeks.compared) of their values compared, \(month.ledger.faults.count) faults")
      }
    }
  }
}
