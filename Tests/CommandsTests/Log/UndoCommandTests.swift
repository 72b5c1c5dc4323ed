import Catalog
import Foundation
import MarketOperations
import Networking
import Platform
import Shell
import ShellTesting
import Testing
import WriteJournal

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
    try await House.visit(between: { door, _ in Busy(inner: door) }) { house in
      #expect(await house.say("patch 132 stock=7 yes").contains("= 1"))
      #expect(
        await house.say("undo yes") == UndoCommandTests.note + """
          ! note: Nothing to undo.
          = 1

          """)
      _ = await house.say("patch 138 stock=7 yes")
      let shown = "!   stock 7 -> 25\n! -> demo (rw) embedded vendor 15\n"
      #expect(await house.say("undo yes").contains(shown + UndoCommandTests.note))
      #expect(await house.say("redo yes").contains(UndoCommandTests.note))
      _ = await house.say("resume forget yes")
      let alone = await house.say("undo yes")
      #expect(alone.contains(shown) && !alone.contains(UndoCommandTests.note))
    }
  }
}

@Suite struct ReturnedProductsTests {
  /// One journal holds the writes to all markets, and each market counts its products from 1.
  @Test(arguments: [("embedded:open", 142), ("http://127.0.0.1:1", 120)] as [(String, Product.ID)])
  func anIDIsFollowedInItsOwnMarketAlone(baseURL: String, id: Product.ID) async throws {
    try await House.visit { house in
      for line in ["rm 120 yes", "undo yes"] { #expect(!(await house.say(line)).contains("\n= ")) }
      let journal = try Journal(at: house.home.journalFolder)
      #expect(try ReturnedProducts(journal, at: baseURL).current(120) == id)
    }
  }
}
