import Catalog
import Foundation
import Networking
import ShellTesting
import Synchronization
import TestSupport
import Testing
import WriteJournal

@testable import Platform
@testable import ShellRuntime

/// The effect of each Ctrl-C, by the current activity and the number of presses.
@Suite(.timeLimit(Trial.limit)) struct InterruptControllerTests {
  enum Doing: CaseIterable, Sendable { case reading, sending, settling, twoWrites }

  @Test(arguments: [
    (Doing.reading, [InterruptController.Action.cancel, .cancel, .cancel, .cancel]),
    (.sending, [.finish, .abandon, .leave, .leave]), (.settling, [.postpone, .abandon, .leave, .leave]),
    (.twoWrites, [.finish, .abandon, .leave, .leave]),
  ])
  func effectOfEachPress(_ doing: Doing, _ meanings: [InterruptController.Action]) {
    let interruption = InterruptController()
    switch doing {
    case .reading: break
    case .sending: interruption.beginWriting()
    case .settling:
      interruption.beginWriting()
      interruption.setReadingBack(true)
    case .twoWrites:
      interruption.beginWriting()
      interruption.beginWriting()
      interruption.endsWriting()
    }
    #expect(!interruption.isRequested)
    #expect(meanings.map { _ in interruption.handleInterrupt() } == meanings)
    #expect(interruption.isRequested)
  }

  /// The effect depends on the activity at the time of the press.
  @Test func secondPressDependsOnTheCurrentActivity() {
    let interruption = InterruptController()
    interruption.beginWriting()
    #expect(interruption.handleInterrupt() == .finish)
    interruption.endsWriting()
    #expect(interruption.handleInterrupt() == .cancel)
    #expect(interruption.handleInterrupt() == .cancel)
  }

  /// The next write of a batch is sent before it is read back.
  @Test func nextWriteOfABatchIsSentBeforeReading() {
    let interruption = InterruptController()
    interruption.beginWriting()
    interruption.setReadingBack(true)
    interruption.endsWriting()
    interruption.beginWriting()
    #expect(interruption.isWriting)
    #expect(interruption.handleInterrupt() == .finish)
  }

  @Test func newLineResetsThePresses() {
    let interruption = InterruptController()
    for _ in 1...3 { _ = interruption.handleInterrupt() }
    interruption.reset()
    #expect(!interruption.isRequested)
    #expect(interruption.handleInterrupt() == .cancel)
  }

  /// A pager owns the terminal: presses are meant for it, and never exit the program.
  @Test func ctrlCInPagerNeverLeaves() async {
    let interruption = InterruptController()
    let meanings = await interruption.shutdown.lending { (1...4).map { _ in interruption.handleInterrupt() } }
    #expect(meanings == [.cancel, .cancel, .cancel, .cancel])
    interruption.beginWriting()
    #expect(interruption.handleInterrupt() == .abandon)
  }

  @Test func requestedExitIsFinal() {
    let interruption = InterruptController()
    interruption.shutdown.begin(15)
    interruption.reset()
    #expect(interruption.isRequested)
  }

  /// A transport that delivers SIGTERM once the market has done a write, before the shell gets the response.
  private final class TerminatingTransport: Transport {
    private let inner: any Transport
    private let interruption: InterruptController
    private let writesLeft: Mutex<Int>

    init(_ inner: any Transport, _ interruption: InterruptController, duringWrite number: Int) {
      (self.inner, self.interruption) = (inner, interruption)
      writesLeft = Mutex(number)
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let response = try await inner.send(request, to: base, with: options)
      let isSignaled = writesLeft.withLock { count in
        if request.method != .get { count -= 1 }
        return request.method != .get && count == 0
      }
      if isSignaled { interruption.shutdown.begin(15) }
      return response
    }
  }

  private func withSandbox(duringWrite number: Int, _ body: (Sandbox) async throws -> Void) async throws {
    try await Sandbox.with(
      adjusting: {
        $0.network.transport = TerminatingTransport($0.network.transport, $0.program.interruption, duringWrite: number)
      }, body)
  }

  @Test func writeAnsweredAfterATerminationSignalIsDone() async throws {
    try await withSandbox(duringWrite: 1) { sandbox in
      let said = await sandbox.run("patch 138 stock=9 yes; patch 139 stock=9 yes")
      #expect(said.contains("Updated product 138.") && !said.contains("139"), "\(said)")
      let statuses = try sandbox.log().map(\.status)
      let product = try await sandbox.product(138)
      #expect(statuses == [.done] && product?.stock == 9)
    }
  }

  @Test func batchStopsAfterTheWriteAnsweredAfterATerminationSignal() async throws {
    try await withSandbox(duringWrite: 3) { sandbox in
      let said = await sandbox.run("patch mine stock=9 yes jobs 1 as csv")
      let rows = said.matches(of: #/\d+,(done|skipped),/#).map { String($0.1) }
      #expect(rows.prefix(4) == ["done", "done", "done", "skipped"] && !rows.dropFirst(3).contains("done"), "\(said)")
    }
  }
}
