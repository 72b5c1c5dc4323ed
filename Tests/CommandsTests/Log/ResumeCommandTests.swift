import Catalog
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text
import WriteJournal

@testable import Commands

/// `resume` asks nothing while the server cannot be reached, and goes on when it can.
@Suite(.timeLimit(Trial.limit)) struct ResumeCommandTests {
  /// Takes one write; from then on every connection is refused until it is told to let them through.
  private final class FailingServer: Transport {
    private let inner: any Transport
    private let isDown = Mutex(false)
    private let writes = Mutex(0)

    init(inner: any Transport) { self.inner = inner }

    func restart() {
      isDown.withLock { $0 = false }
      writes.withLock { $0 = .min }
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if isDown.withLock({ $0 }) { throw TransportError(.connectionRefused, extent: .none) }
      if request.method == .patch {
        let count = writes.withLock {
          $0 += 1
          return $0
        }
        if count > 1 {
          isDown.withLock { $0 = true }
          throw TransportError(.connectionRefused, extent: .none)
        }
      }
      return try await inner.send(request, to: base, with: options)
    }
  }

  /// The line about a retry says why the change was not sent.
  @Test(arguments: [
    ("en", "! note: Not sent (connection refused). Retrying in 1 s.\n"),
    ("ko", "! 참고: 보내지 못했습니다(연결이 거부됨). 1초 뒤에 다시 보냅니다.\n"),
  ])
  func retryNoteHasItsReason(_ language: String, _ note: String) async throws {
    var options = SessionOptions()
    options.language = language
    try await Sandbox.with(options: options, between: { transport, _ in FirstWriteRefused(inner: transport) }) {
      sandbox in
      let said = await sandbox.run("patch 138 stock=7 yes")
      #expect(said.contains(note) && !said.contains("= 3\n"), "\(said)")
      let product = try await sandbox.product(138)
      #expect(product?.stock == 7)
    }
  }

  /// Refuses the connection of the first write.
  private final class FirstWriteRefused: Transport {
    private let inner: any Transport
    private let count = Mutex(0)

    init(inner: any Transport) { self.inner = inner }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let isFirst =
        request.method == .patch
        && count.withLock { count in
          count += 1
          return count == 1
        }
      if isFirst { throw TransportError(.connectionRefused, extent: .none) }
      return try await inner.send(request, to: base, with: options)
    }
  }

  @Test func unreachableServerCausesNoQuestion() async throws {
    let asker = ScriptedAsker(["y"])
    let server = Mutex<FailingServer?>(nil)
    try await Sandbox.with(
      asker: asker,
      between: { transport, _ in
        let failing = FailingServer(inner: transport)
        server.withLock { $0 = failing }
        return failing
      }
    ) { sandbox in
      let stopped = await sandbox.run("patch 126,132,138 stock+=1 jobs 1 yes")
      #expect(stopped.hasSuffix("= 5\n"), "\(stopped)")
      let down = await sandbox.run("resume")
      #expect(down.hasSuffix("= 3\n") && asker.questions.isEmpty, "\(down) \(asker.questions)")
      // The fields of writes that were not sent are listed too.
      let open = await sandbox.run("status")
      #expect(open.contains("update stock of 3 products"), "\(open)")
      server.withLock { $0 }?.restart()
      let up = await sandbox.run("resume")
      #expect(up.contains("3 of 3 changes applied.") && asker.questions.count == 1, "\(up) \(asker.questions)")
    }
  }

  /// A write that wasn't begun has the time of its plan, and a batch with a begun one that of its start.
  @Test func pendingWriteThatWasNotBegunIsPlanned() async throws {
    try await Sandbox.with(between: { transport, _ in FailingServer(inner: transport) }) { sandbox in
      _ = await sandbox.run("patch 126,132,138 stock+=1 jobs 1 yes")
      var entry = try #require(try sandbox.log().first)
      let journal = try Journal(at: sandbox.home.journalFolder)
      func text(_ entry: JournalEntry, _ language: MessageLanguage) throws -> String {
        let options = RenderOptions(language: language, width: 200)
        let lines = try PendingWritesSummary.grouped([entry], journal).flatMap { $0.lines(options) }
        return lines.map { $0.map(\.text).joined() }.joined(separator: "\n")
      }
      entry.batch = nil
      entry.state = .planned
      let planned = (english: try text(entry, .english), korean: try text(entry, .korean))
      #expect(planned.english.contains("1 not started") && planned.english.contains("; planned 2"), "\(planned)")
      #expect(planned.korean.contains("에 계획"), "\(planned)")
      entry.state = .unknown
      let begun = (english: try text(entry, .english), korean: try text(entry, .korean))
      #expect(begun.english.contains("; started 2") && begun.korean.contains("에 시작"), "\(begun)")
    }
  }

  /// What was approved goes on without another signature, in a profile where every other change needs one.
  @Test func approvedPlanContinuesWithoutAnotherSignature() async throws {
    let server = Mutex<FailingServer?>(nil)
    try await Sandbox.with(
      between: { transport, _ in
        let failing = FailingServer(inner: transport)
        server.withLock { $0 = failing }
        return failing
      }
    ) { sandbox in
      func stocks() async throws -> [Int] {
        var stocks: [Int] = []
        for id: Product.ID in [126, 132, 138] { stocks.append(try await sandbox.product(id)?.stock ?? -1) }
        return stocks
      }
      let before = try await stocks()
      try sandbox.makeKey("kim-key", as: "kim@example.com")
      _ = await sandbox.run("profile demo apply=signed")
      #expect(await sandbox.run("plan patch 126,132,138 stock+=1 to ~/p.plan").contains("Saved a plan"))
      #expect(await sandbox.run("approve ~/p.plan key ~/kim-key yes").contains("Signed"))
      let stopped = await sandbox.run("apply ~/p.plan yes")
      #expect(stopped.hasSuffix("= 5\n"), "\(stopped)")
      server.withLock { $0 }?.restart()
      let bare = await sandbox.run("patch 42 stock=7 yes")
      #expect(bare.hasSuffix("= 4\n"), "\(bare)")
      let up = await sandbox.run("resume yes")
      #expect(!up.contains(#/(?m)^= \d+$/#), "\(up)")
      #expect(await sandbox.run("status").contains("No pending changes."))
      let after = try await stocks()
      #expect(after == before.map { $0 + 1 })
    }
  }
}
