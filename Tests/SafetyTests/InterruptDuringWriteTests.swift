import EmbeddedMarket
import Foundation
import TestSupport
import Testing

/// Ctrl-C at a terminal during a write.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct InterruptDuringWriteTests {
  @Test func firstControlCStopsABatchThatResumeCompletes() async throws {
    try await Town.with { town in
      let ids = try await town.stock(30)
      let person = try await Person(in: town)
      town.proxy.decide { passage in
        // Slow enough to be observed.
        usleep(50_000)
        return .pass
      }
      try await person.types("patch \(ids[0])-\(ids[29]) stock=9 yes jobs 2\r")
      try await person.sees(" of 30 changes, ")
      try await person.types("\u{3}")
      try await person.sees("Finishing the current requests")
      try await person.sees("d forgets it, u takes back the")
      try await person.types("\r")
      try await person.seesPrompt()
      #expect(try await person.screen().contains("Run `resume` to continue."))
      let done = try await town.market.auditLog().filter { $0.kind == .edit }.count
      #expect(done < 30)
      try await person.types("resume yes as csv to \(town.folder)/rest.csv\r")
      try await person.waits("the end") { FileManager.default.fileExists(atPath: town.folder + "/rest.csv") }
      let rest = try String(contentsOfFile: town.folder + "/rest.csv", encoding: .utf8)
      #expect(rest.components(separatedBy: ",done,").count - 1 == 30 - done)
      try await person.seesPrompt()
      let edits = try await town.market.auditLog().filter { $0.kind == .edit }.map(\.product)
      #expect(edits.count == 30 && Set(edits) == Set(ids))
    }
  }

  /// The countdown is shown on one line.
  ///
  /// After Ctrl-C the write stays pending, `status` lists it, and `resume` resolves it.
  @Test func controlCInConfirmationCountdownLeavesWritePending() async throws {
    try await Town.with { town in
      let ids = try await town.stock(1)
      let person = try await Person(in: town, profile: "patient")
      town.proxy.decide { _ in .cutRequest(0, .fin) }
      try await person.types("patch \(ids[0]) stock=9 yes\r")
      try await person.sees("s left (Ctrl-C to check later)")
      try await person.types("\u{3}")
      try await person.sees("Left pending")
      try await person.seesPrompt()
      #expect(try await !person.screen().contains("s left (Ctrl-C"))
      try await person.types("status\r")
      try await person.sees("unknown")
      try await person.seesPrompt()
      town.proxy.decide { _ in .pass }
      #expect(try await person.leaves() == 0)
      // The other profile has a shorter confirmation window, and the same market and vendor, so it sees the same
      // pending write.
      let rest = try await town.run(["resume yes", "status"])
      #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(rest.errors)")
      await #expect(try town.faults() == [])
    }
  }

  /// The second Ctrl-C abandons writes in flight, and the third exits with 130.
  @Test func secondControlCAbandonsAndThirdExits() async throws {
    try await Town.with { town in
      let ids = try await town.stock(2)
      let person = try await Person(in: town)
      let turnstile = town.proxy.hold(1)
      try await person.types("patch \(ids[0]) stock=9 yes\r")
      await turnstile.isReached()
      try await person.types("\u{3}")
      try await person.sees("Finishing the current requests")
      try await person.types("\u{3}")
      try await person.sees("It is unknown whether product")
      turnstile.open()
      try await person.seesPrompt()
      try await person.types("status\r")
      try await person.sees("1 unknown")
      try await person.seesPrompt()
      _ = try await person.leaves()
      town.proxy.decide { _ in .pass }
      try await town.run(["resume yes"])
      await #expect(try town.faults() == [])
    }
  }

  /// A batch reads its products at its end. What was accepted before a second Ctrl-C is named as such.
  @Test func secondControlCInABatchNamesWhatWasAccepted() async throws {
    try await Town.with { town in
      let ids = try await town.stock(3)
      let person = try await Person(in: town)
      let turnstile = town.proxy.hold(3)
      try Data("id,stock\n\(ids[0]),9\n\(ids[1]),9\n\(ids[2]),9\n".utf8)
        .write(to: URL(fileURLWithPath: town.folder + "/week.csv"))
      try await person.types("import \(town.folder)/week.csv yes jobs 1\r")
      await turnstile.isReached()
      try await person.types("\u{3}")
      try await person.sees("Finishing the current requests")
      try await person.types("\u{3}")
      try await person.sees("2 were accepted by the server, but not read back yet.")
      turnstile.open()
      try await person.seesPrompt()
      #expect(try await !person.screen().contains("could not be read"))
      _ = try await person.leaves()
      town.proxy.decide { _ in .pass }
      try await town.run(["resume yes"])
      await #expect(try town.faults() == [])
    }
  }

  @Test func interruptedScriptExits130AndItsBatchCanBeResumed() async throws {
    try await Town.with { town in
      let ids = try await town.stock(20)
      let turnstile = town.proxy.hold(5)
      let child = try town.start(["patch \(ids[0])-\(ids[19]) stock=9 jobs 1", "patch \(ids[0]) name=\"Never made\""])
      await turnstile.isReached()
      child.gets(SIGINT)
      await child.says("Finishing the current requests")
      turnstile.open()
      let ended = await child.ended()
      #expect(ended.code == 130, "\(ended.errors)")
      #expect(try await town.market.auditLog().filter { $0.kind == .edit }.count == 5)
      let rest = try await town.run(["resume yes", "status"])
      #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(rest.errors)")
      let edits = try await town.market.auditLog().filter { $0.kind == .edit }.map(\.product)
      // The line after the one that was stopped is run, too.
      #expect(edits.count == 21 && Set(edits) == Set(ids) && edits.last == ids[0], "\(rest.errors)")
    }
  }
}
