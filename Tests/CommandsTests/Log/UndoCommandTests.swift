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
}
