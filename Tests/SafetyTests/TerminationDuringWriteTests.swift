import EmbeddedMarket
import Foundation
import TerminalTesting
import TestSupport
import Testing

/// SIGTERM, SIGHUP and a closed window: writes in flight have two seconds, and nothing else is started.
///
/// A busy machine may exceed the two seconds; then the outcome is unknown and the next start resolves it. That a response
/// in time completes the write is tested without a clock by `InterruptControllerTests`.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct TerminationDuringWriteTests {
  /// Checks that a program that ended without its response did so at least two seconds after the signal.
  ///
  /// `time` is from before the signal to after the end.
  private func expectWaited(_ time: Duration, unless isDone: Bool) {
    #expect(isDone || time >= .seconds(2))
  }

  /// Checks that the next start resolves pending writes, and that none is left.
  private func settles(in town: Town) async throws {
    let rest = try await town.run(["resume yes", "status"])
    #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(rest.errors)")
  }

  @Test(arguments: [
    (signal: SIGTERM, code: Int32(143)), (signal: SIGHUP, code: Int32(129)), (signal: SIGQUIT, code: Int32(131)),
  ])
  func writeAnsweredWithinTwoSecondsIsDone(_ signal: Int32, _ code: Int32) async throws {
    try await Town.with { town in
      let ids = try await town.stock(2)
      let turnstile = town.proxy.hold(1, isAnswered: true)
      let child = try town.start(["patch \(ids[0]) stock=9", "patch \(ids[1]) stock=9"])
      await turnstile.isReached()
      let start = ContinuousClock.now
      child.gets(signal)
      await child.says("Waiting up to 2 s") { turnstile.open() }
      let ended = await child.ended()
      let took = ContinuousClock.now - start
      #expect(ended.code == code, "\(ended.errors)")
      let isInTime = ended.errors.contains("Updated product \(ids[0]).")
      expectWaited(took, unless: isInTime)
      let rest = try await town.run(
        isInTime ? ["status", "log 1 as json"] : ["resume yes", "status", "log 1 as json"])
      #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(rest.errors)")
      #expect(rest.output.contains(#""outcome":"done""#))
      let edits = try await town.market.auditLog().filter { $0.kind == .edit }.map(\.product)
      #expect(edits == [ids[0]])
      await #expect(try town.faults() == [])
    }
  }

  /// The server doesn't respond before the program ends: the outcome is unknown, and the next start resolves it.
  @Test func unansweredWriteIsUnknownAndResolvedAtTheNextStart() async throws {
    try await Town.with { town in
      let ids = try await town.stock(1)
      let turnstile = town.proxy.hold(1)
      let child = try town.start(["patch \(ids[0]) stock=9"])
      await turnstile.isReached()
      let start = ContinuousClock.now
      child.gets(SIGTERM)
      let ended = await child.ended()
      expectWaited(ContinuousClock.now - start, unless: false)
      #expect(ended.code == 143, "\(ended.errors)")
      #expect(ended.errors.contains("unknown"), "\(ended.errors)")
      let between = try await town.run(["status as csv"])
      #expect(between.output.contains(",unknown,"), "\(between.output)")
      turnstile.open()
      town.proxy.decide { _ in .pass }
      let rest = try await town.run(["resume yes", "status"])
      #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(rest.errors)")
      await #expect(try town.faults() == [])
    }
  }

  /// A line is a new change once `resume` has completed its run; before, it is held back.
  @Test(arguments: [false, true]) func resumeEndsTheRunOfTheOnlyLine(_ isResumed: Bool) async throws {
    try await Town.with { town in
      let ids = try await town.stock(1)
      let line = ["-c", "patch \(ids[0]) stock+=1"]
      let turnstile = town.proxy.hold(1)
      let child = try town.launch(line)
      await turnstile.isReached()
      child.gets(SIGTERM)
      let ended = await child.ended()
      #expect(ended.code == 143 && ended.errors.contains("unknown"), "\(ended.errors)")
      turnstile.open()
      town.proxy.decide { _ in .pass }
      if isResumed { try await town.run(["resume yes"]) }
      let again = try await town.launch(line).ended()
      #expect(again.code == (isResumed ? 0 : 4), "\(again.errors)")
      if !isResumed { try await town.run(["resume yes"]) }
      let edits = try await town.market.auditLog().filter { $0.kind == .edit }
      #expect(edits.count == (isResumed ? 2 : 1), "\(again.errors)")
      await #expect(try town.faults() == [])
    }
  }

  @Test func batchStopsAfterTheWritesInFlight() async throws {
    try await Town.with { town in
      let ids = try await town.stock(12)
      let turnstile = town.proxy.hold(4, isAnswered: true)
      let child = try town.start(["patch \(ids[0])-\(ids[11]) stock=9 jobs 1 as csv"])
      await turnstile.isReached()
      let start = ContinuousClock.now
      child.gets(SIGTERM)
      await child.says("Waiting up to 2 s") { turnstile.open() }
      let ended = await child.ended()
      let took = ContinuousClock.now - start
      #expect(ended.code == 143, "\(ended.errors)")
      let isInTime = ended.output.contains("\(ids[3]),done,")
      expectWaited(took, unless: isInTime)
      #expect(ended.output.contains("\(ids[4]),skipped,") || !isInTime, "\(ended.output)")
      #expect(try await town.market.auditLog().filter { $0.kind == .edit }.count == 4)
      let rest = try await town.run(["resume yes", "status"])
      #expect(rest.errors.hasSuffix("note: No pending changes.\n"), "\(rest.errors)")
      let edits = try await town.market.auditLog().filter { $0.kind == .edit }.map(\.product)
      #expect(edits.count == 12 && Set(edits) == Set(ids))
    }
  }

  // MARK: Terminal

  @Test func writeInFlightAtThePromptIsCompleted() async throws {
    try await Town.with { town in
      let ids = try await town.stock(1)
      let person = try await Person(in: town)
      let turnstile = town.proxy.hold(1, isAnswered: true)
      try await person.types("patch \(ids[0]) stock=9 yes\r")
      await turnstile.isReached()
      let start = ContinuousClock.now
      try await person.sends(SIGTERM)
      try await person.sees("Waiting up to 2 s") { turnstile.open() }
      #expect(try await person.ends() == 143)
      let took = ContinuousClock.now - start
      #expect(try await person.hasItsTerminalBack())
      let isInTime = try await person.screen().contains("→ 9 (undo)")
      expectWaited(took, unless: isInTime)
      if !isInTime { try await settles(in: town) }
      await #expect(try town.faults() == [])
    }
  }

  /// The window is closed during a write: the sent write is completed, and no process is left.
  ///
  /// Nobody sees when the program has noticed it, so the line has no second write; that none is started is tested with the
  /// signal alone.
  @Test func closedWindowCompletesTheSentWrite() async throws {
    try await Town.with { town in
      let ids = try await town.stock(1)
      let person = try await Person(in: town)
      let turnstile = town.proxy.hold(1, isAnswered: true)
      try await person.types("patch \(ids[0]) stock=9 yes\r")
      await turnstile.isReached()
      let start = ContinuousClock.now
      try await person.hangsUp { turnstile.open() }
      #expect(try await person.ends() == 129)
      let took = ContinuousClock.now - start
      let rest = try await town.run(["status"])
      let isInTime = rest.errors.hasSuffix("note: No pending changes.\n")
      expectWaited(took, unless: isInTime)
      if !isInTime { try await settles(in: town) }
      #expect(try await town.market.auditLog().filter { $0.kind == .edit }.map(\.product) == [ids[0]])
      await #expect(try town.faults() == [])
    }
  }
}
