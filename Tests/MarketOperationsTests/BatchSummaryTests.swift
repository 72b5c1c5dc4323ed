import Catalog
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text
import WriteJournal

/// A change that was sent and proven without effect has one word, wherever it is shown and in both languages.
@Suite(.timeLimit(Trial.limit)) struct BatchSummaryTests {
  /// Loses every patch, and its response.
  private struct LosingTransport: Transport {
    let inner: any Transport

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      guard request.method == .patch else { return try await inner.send(request, to: base, with: options) }
      throw TransportError(.connectionClosed, extent: .complete)
    }
  }

  @Test(arguments: [
    (language: "en", cell: "not applied", sum: "2 were sent, but not applied.", state: "2 not applied"),
    (language: "ko", cell: "적용 안 됨", sum: "2건은 보냈지만 적용되지 않았습니다.", state: "적용 안 됨 2건"),
  ])
  func batchReportsNotAppliedInBothLanguages(_ language: String, _ cell: String, _ sum: String, _ state: String)
    async throws
  {
    for width in [nil, 100] {
      try await Sandbox.with(width: width, clock: LeapingClock(), between: { door, _ in LosingTransport(inner: door) })
      {
        sandbox in
        _ = await sandbox.run("set lang \(language)")
        let said = await sandbox.run("patch 126,132 stock=9 yes")
        #expect(said.contains(width == nil && language == "en" ? "not-applied" : cell), "\(said)")
        #expect(said.contains(sum), "\(said)")
        #expect(await sandbox.run("status").contains(state))
        let data = await sandbox.data("patch 120,138 stock=9 yes as csv").data
        #expect(data.contains("120,not-applied,") && data.contains("138,not-applied,"), "\(data)")
      }
    }
  }

  @Test func recoveredWriteIsReportedAsNotApplied() {
    let product = Product(id: 32, name: "병")
    let message = RunMessages.outcome(
      of:
        RecoveredWrite(entry: 7, change: .delete(product), outcome: .notApplied(nil, isAnswered: true)))
    #expect(
      message.what.english.plain
        == "Checked log entry 7 of an interrupted command, delete product 32 \"병\". Outcome: not-applied.")
    #expect(message.what.korean.plain == "중단된 명령의 로그 7번(32번 상품 \"병\" 삭제)을 확인했습니다. 결과: 적용 안 됨")
  }
}
