import Foundation
import Networking
import Shell
import ShellTesting
import Testing

/// `undo` undoes completed writes and reports pending ones, in case the user meant those.
@Suite struct UndoCommandTests {
  /// A transport that rejects changes of product 132.
  private struct Busy: Transport {
    let inner: any Transport

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      guard request.method == .patch, request.path.last == "132" else {
        return try await inner.send(request, to: base, with: options)
      }
      return Response(status: 429, headers: [HeaderField("Retry-After", "3600")], body: Data())
    }
  }

  private static let note = """
    ! note: 1 change is still pending and is not affected.
    !   hint: Run `status` to see pending changes.

    """

  @Test func undoReportsPendingWrites() async throws {
    try await Sandbox.with(between: { door, _ in Busy(inner: door) }) { sandbox in
      #expect(await sandbox.run("patch 132 stock=7 yes").contains("= 1"))
      #expect(
        await sandbox.run("undo yes") == UndoCommandTests.note + """
          ! note: Nothing to undo.
          = 1

          """)
      _ = await sandbox.run("patch 138 stock=7 yes")
      let shown = "!   stock 7 -> 25\n! -> demo (rw) embedded vendor 15\n"
      #expect(await sandbox.run("undo yes").contains(shown + UndoCommandTests.note))
      #expect(await sandbox.run("redo yes").contains(UndoCommandTests.note))
      _ = await sandbox.run("resume forget yes")
      let alone = await sandbox.run("undo yes")
      #expect(alone.contains(shown) && !alone.contains(UndoCommandTests.note))
    }
  }

  /// A day begins at its midnight, for `log since` and `undo since` alike. The change is of 19:00 of the day before today.
  @Test(arguments: [
    ("2022-11-30", true), ("11-30", true), ("yesterday", true), ("어제", true), ("wednesday", true), ("30h", true),
    ("1d", true), ("2022-12-01", false), ("12-01", false), ("today", false), ("2h", false), ("30min", false),
  ])
  func sinceADayMeansItsBeginning(_ day: String, _ isSince: Bool) async throws {
    try await Sandbox.with(clock: LeapingClock(age: 18_000)) { sandbox in
      _ = await sandbox.run("patch 138 stock=7 yes")
      #expect(await sandbox.run("log since \(day) as jsonl").contains("\"product\":138") == isSince)
      for line in ["undo actor person since \(day)", "undo since \(day)"] {
        #expect(await sandbox.run("dry \(line)").contains("stock 7 -> 25") == isSince, "\(line)")
      }
    }
  }

  @Test func timesThatAreReadAreNamed() async throws {
    try await Sandbox.with { sandbox in
      #expect(
        await sandbox.run("undo since 30m") == """
          ! error: Not a time: 30m.
          !   hint: Use yesterday, monday, last week, 30min, 2h, 3d, 11-20, 2026-11-20 or 2026-11-20T10:00.
          = 2

          """)
    }
  }

  /// A condition that no change of the run meets is said, instead of that nothing can be undone.
  @Test func conditionWithoutAMatchIsSaid() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 stock=7 yes")
      let said = await sandbox.run("undo r1 where product=132 yes")
      #expect(said == "! note: No change of r1 matches the condition.\n= 1\n", "\(said)")
      #expect(await sandbox.run("show 138 stock as json") == "{\"stock\":7}\n")
      #expect(await sandbox.run("undo r1 where product=138 yes").contains("stock 7 -> 25"))
    }
  }
}
