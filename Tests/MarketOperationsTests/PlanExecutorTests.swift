import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

/// Wrong success responses in every edition never lead to "done" or exit code 0, nor to an undo of another product.
@Suite(.timeLimit(Trial.limit)) struct PlanExecutorTests {
  private typealias Visit = (Sandbox, LyingTransport) async throws -> Void

  @Test(arguments: Edition.allCases, LyingTransport.Answer.allCases)
  func createIsDecidedByReading(_ edition: Edition, _ answer: LyingTransport.Answer) async throws {
    try await withSandbox(edition) { sandbox, market in
      let before = await standing(sandbox)
      market.tell(.create(answer, isStored: false))
      let lied = await sandbox.run(create("허공의 찻잔"))
      #expect(lied.hasSuffix("= 5\n"), "\(lied)")
      #expect(!isSuccess(lied), "\(lied)")
      let asked = try sandbox.log()
      #expect(asked.map(\.product) == [nil] && asked.map(\.status) == [.unknown])
      market.tell(nil)
      for line in ["undo yes", "undo 1 yes", "resume yes"] {
        let said = await sandbox.run(line)
        #expect(!isSuccess(said) && said.contains("\n= "), "\(line): \(said)")
      }
      #expect(market.written() == [])

      // The product is created, and the response names another one: reading finds the right one, and undo deletes it.
      market.tell(.create(answer, isStored: true))
      let stored = await sandbox.run(create("선반의 주전자"))
      market.tell(nil)
      #expect(stored.contains("Created product \(market.made)."), "\(stored)")
      let made = try sandbox.log().first?.product
      #expect(made == market.made)
      let undone = await sandbox.run("undo yes")
      #expect(undone.contains("Deleted product \(market.made)."), "\(undone)")
      #expect(market.written() == ["POST", "DELETE"])
      #expect(await standing(sandbox) == before)
    }
  }

  @Test(arguments: Edition.allCases) func patchIsDecidedByReading(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox, market in
      let before = await standing(sandbox)
      #expect(await sandbox.run(create("벽의 시계")).contains("Created product \(market.made)."))
      market.tell(.patch)
      for (line, number) in [("patch \(market.made) stock=9 yes", 2), ("patch \(market.made) stock+=1 yes", 3)] {
        let said = await sandbox.run(line)
        #expect(said.hasSuffix("= 1\n") && !isSuccess(said), "\(said)")
        let entry = try #require(try sandbox.log().first)
        #expect(entry.id == number && entry.status == .notApplied, "\(entry)")
        #expect(entry.after?.stock == 3)
      }
      // A write with a wrong response can't be undone. The create before it can, but not by the response of this
      // server.
      market.tell(nil)
      let refused = await sandbox.run("undo 2 yes")
      #expect(refused.contains("\n= ") && !isSuccess(refused), "\(refused)")
      #expect(market.written() == ["POST"])

      #expect(await sandbox.run("patch \(market.made) stock=7 yes").contains("Updated product \(market.made)."))
      market.tell(.patch)
      let undo = await sandbox.run("undo yes")
      #expect(undo.hasSuffix("= 1\n") && !isSuccess(undo), "\(undo)")
      market.tell(nil)
      #expect(await sandbox.run("show \(market.made) stock as csv").contains("\n7\n"))
      #expect(market.written() == ["PATCH"])
      #expect(await standing(sandbox) == before)
    }
  }

  /// The patch is applied, but the response and the first reads don't show it: it is done once they do, and can be
  /// undone.
  @Test(arguments: Edition.allCases) func patchShownLateIsDone(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox, market in
      #expect(await sandbox.run(create("벽의 시계")).contains("Created product \(market.made)."))
      market.tell(.lateInSight)
      let said = await sandbox.run("patch \(market.made) stock+=1 yes")
      #expect(said.contains("not visible yet"), "\(said)")
      #expect(said.contains("Updated product \(market.made).") && !said.contains("\n= "), "\(said)")
      let outcome = try sandbox.log().first?.status
      #expect(outcome == .done)
      market.tell(nil)
      #expect(market.written() == ["POST", "PATCH"])
      #expect(await sandbox.run("undo yes").contains("Updated product \(market.made)."))
      #expect(await sandbox.run("show \(market.made) stock as csv").contains("\n3\n"))
    }
  }

  /// The other product and the intended one stay unchanged.
  @Test(arguments: Edition.allCases) func patchAnsweredWithAnotherProductIsNotDone(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox, market in
      let before = await standing(sandbox)
      #expect(await sandbox.run(create("벽의 시계")).contains("Created product \(market.made)."))
      market.tell(.patchOfAnother)
      let said = await sandbox.run("patch \(market.made) stock=9 yes")
      #expect(said.hasSuffix("= 1\n") && !isSuccess(said), "\(said)")
      market.tell(nil)
      let refused = await sandbox.run("undo 2 yes")
      #expect(refused.contains("\n= ") && !isSuccess(refused), "\(refused)")
      #expect(market.written() == ["POST"])
      #expect(await sandbox.run("show \(market.made) stock as csv").contains("\n3\n"))
      #expect(await standing(sandbox) == before)
    }
  }

  /// A complete 2xx is a success that is read back, whatever its body says, and nothing is sent again.
  ///
  /// Any other response that applied nothing ends with 1 too: the server was reached.
  @Test(
    arguments: [
      (.response(status: 204, body: ""), 1), (.response(status: 200, body: "<html>Welcome</html>"), 1),
      (.response(status: 200, body: "", type: "application/json"), 1), (.response(status: 202, body: "accepted"), 1),
      (.response(status: 200, body: "{}", type: "application/json"), 1),
      (.response(status: 200, body: "[1]", type: "application/json"), 1),
      (.response(status: 500, body: "<html>oops</html>"), 3), (.response(status: 302, body: ""), 3),
      (.response(status: 408, body: ""), 3),
    ] as [(LyingTransport.Lie, Int)], ["patch", "rm"])
  func writeWithoutEffectExits1(_ write: (lie: LyingTransport.Lie, sends: Int), _ command: String) async throws {
    try await withSandbox(.open) { sandbox, market in
      #expect(await sandbox.run(create("벽의 시계")).contains("Created product \(market.made)."))
      market.tell(write.lie)
      let said = await sandbox.run("\(command) \(market.made) \(command == "patch" ? "stock=9 " : "")yes")
      #expect(said.hasSuffix("= 1\n") && !isSuccess(said) && !said.contains("reach"), "\(said)")
      #expect(market.lies == write.sends)
      let outcome = try sandbox.log().first?.status
      #expect(outcome == .notApplied)
      market.tell(nil)
      #expect(market.written() == ["POST"])
      #expect(await sandbox.run("show \(market.made) stock as csv").contains("\n3\n"))
    }
  }

  @Test(arguments: Edition.allCases) func deleteIsDecidedByReading(_ edition: Edition) async throws {
    try await withSandbox(edition) { sandbox, market in
      let before = await standing(sandbox)
      #expect(await sandbox.run(create("창가의 화분")).contains("Created product \(market.made)."))
      market.tell(.delete)
      // As a deletion, and as the undo of the create.
      for line in ["rm \(market.made) yes", "undo yes"] {
        let said = await sandbox.run(line)
        #expect(said.hasSuffix("= 1\n") && !isSuccess(said), "\(line): \(said)")
        let outcome = try sandbox.log().first?.status
        #expect(outcome == .notApplied)
      }
      #expect(await sandbox.run("undo 2 yes").contains("\n= "))
      #expect(market.written() == ["POST"])
      #expect(await sandbox.run("show \(market.made) stock as csv").contains("\n3\n"))
      market.tell(nil)
      let undone = await sandbox.run("undo yes")
      #expect(undone.contains("Deleted product \(market.made)."), "\(undone)")
      #expect(market.written() == ["DELETE"])
      #expect(await standing(sandbox) == before)
    }
  }

  /// Whether the text claims that a write was applied.
  private func isSuccess(_ said: String) -> Bool { said.contains(/(Created|Updated|Deleted) product/) }

  private func withSandbox(_ edition: Edition, _ body: Visit) async throws {
    var options = SessionOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    let liar = Mutex<LyingTransport?>(nil)
    try await Sandbox.with(
      options: options, edition: served, clock: LeapingClock(),
      between: { door, _ in
        let transport = LyingTransport(door, edition: edition)
        liar.withLock { $0 = transport }
        return transport
      }
    ) { sandbox in
      try sandbox.writePictures()
      try await body(sandbox, try #require(liar.withLock { $0 }))
    }
  }

  private func create(_ name: String) -> String {
    "new name='\(name)' description='거짓말하는 서버에 올린 상품' price=12000 currency=KRW stock=3 images=~/cup.png yes"
  }

  /// Returns the products that no test may change.
  private func standing(_ sandbox: Sandbox) async -> [String] {
    var said: [String] = []
    for id in [LyingTransport.ours, LyingTransport.others] { said.append(await sandbox.run("show \(id) as json")) }
    return said
  }
}
