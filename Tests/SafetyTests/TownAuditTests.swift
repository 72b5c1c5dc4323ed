import EmbeddedMarket
import Foundation
import GRDB
import Platform
import Shell
import TestSupport
import Testing
import WriteJournal

/// The audit that the other tests rely on detects faults.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct TownAuditTests {
  @Test func auditDetectsADuplicateWrite() async throws {
    try await Town.with { town in
      town.proxy.decide { _ in .twice }
      let run = try await town.run([town.new("Doubled")])
      #expect(run.code == 0, "\(run.errors)")
      let operation = try #require(try await town.market.auditLog().first?.request)
      await #expect(try town.faults().contains("doubled: \(operation) 2 times"))
    }
  }

  @Test(arguments: [
    ("done", "DELETE FROM op", "not in the journal: ID"),
    ("denied", "UPDATE op SET state = 'notApplied'", "denied: 1 create notApplied 1 times: "),
    ("lost", "UPDATE op SET id = 'another'", "lost: 1 create done 0 times: "),
    ("open", "UPDATE op SET state = 'unknown'", "no verdict: 1 create unknown 1 times: "),
  ])
  func auditDetectsAWrongOutcome(name: String, forgery: String, fault: String) async throws {
    try await Town.with { town in
      await #expect(try town.run([town.new("Honest")]).code == 0)
      await #expect(try town.faults() == [])
      let operation = try #require(try await town.market.auditLog().first?.request)
      try await DatabaseQueue(path: town.home.journalFolder + "/journal.sqlite").write {
        try $0.execute(sql: forgery)
      }
      let expected = fault.replacing("ID", with: operation)
      await #expect(try town.faults().contains(expected), "\(name)")
    }
  }
}
