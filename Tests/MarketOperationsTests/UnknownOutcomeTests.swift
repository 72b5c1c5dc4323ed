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

/// The message about a single write whose outcome is unknown: which product, what is known, and the next step.
@Suite struct UnknownOutcomeTests {
  private static let product = Product(id: 32, name: "병")

  private static let changes: [(change: Change, english: String, korean: String)] = [
    (
      .edit(product, from: ProductValues(), to: ProductValues()), "It is unknown whether product 32 was updated.",
      "32번 상품이 수정되었는지 알 수 없습니다."
    ),
    (.delete(product), "It is unknown whether product 32 was deleted.", "32번 상품이 삭제되었는지 알 수 없습니다."),
  ]

  @Test(arguments: Self.changes.indices) func isOfAProduct(_ index: Int) {
    let (change, english, korean) = Self.changes[index]
    let outcome = Outcome.unknown("the connection was lost; checking failed: connection refused")
    let message = outcome.failure(of: change).message
    #expect(
      MessageRenderer().render(message, RenderOptions(language: .english)) == """
        warning: \(english)
          reason: The connection was lost; checking failed: connection refused.
          hint: Run `status` to see it. openmarket will check by reading and will not send it again blindly.

        """)
    #expect(
      MessageRenderer().render(message, RenderOptions(language: .korean)) == """
        경고: \(korean)
          이유: 연결이 끊김; 확인하지 못함: 연결이 거부됨.
          힌트: `status`에서 볼 수 있습니다. 결과는 읽어서 확인하며, 확인 없이 다시 보내지 않습니다.

        """)
  }
}

/// The input of a form outlives the program that was killed while it was open.
@Suite(.timeLimit(Trial.limit)) struct StoredFormTests {
  @Test func whatWasTypedIsKeptFieldByField() async throws {
    let asker = ScriptedAsker(["돌 등잔", "마당에 두는 등잔입니다."])
    try await House.visit(asker: asker) { house in
      let file = house.home.editorDirectory + "/new-demo.json"
      let said = await house.say("new")
      #expect(said.contains("Run `new` to continue with what you typed."), "\(said)")
      let kept = try String(contentsOfFile: file, encoding: .utf8)
      #expect(kept.hasPrefix(#"{"name":"돌 등잔","description":"마당에 두는 등잔입니다.""#), "\(kept)")
    }
  }

  /// Spaces after the commas of a list of images are none of their names, and a form that fails says how to go on.
  @Test func aFormThatFailsSaysHowToGoOn() async throws {
    let asker = ScriptedAsker(["돌 등잔", "마당에 두는 등잔입니다.", "KRW", "9000", "0", "1", "~/cup.png, ~/cup.png", "y"])
    try await House.visit(asker: asker) { house in
      try house.bringPictures()
      let said = await house.say("new")
      #expect(said.contains("Created product 142."), "\(said)")
      #expect(!FileManager.default.fileExists(atPath: house.home.editorDirectory + "/new-demo.json"))
    }
  }
}

/// A change that was sent and proven without effect has one word, wherever it is shown and in both languages.
@Suite(.timeLimit(Trial.limit)) struct NotAppliedTests {
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
  func inABatch(_ language: String, _ cell: String, _ sum: String, _ state: String) async throws {
    for width in [nil, 100] {
      try await House.visit(width: width, clock: LeapingClock(), between: { door, _ in LosingTransport(inner: door) }) {
        house in
        _ = await house.say("set lang \(language)")
        let said = await house.say("patch 126,132 stock=9 yes")
        #expect(said.contains(width == nil && language == "en" ? "not-applied" : cell), "\(said)")
        #expect(said.contains(sum), "\(said)")
        #expect(await house.say("status").contains(state))
        let data = await house.data("patch 120,138 stock=9 yes as csv").data
        #expect(data.contains("120,not-applied,") && data.contains("138,not-applied,"), "\(data)")
      }
    }
  }

  @Test func afterAnInterruption() {
    let product = Product(id: 32, name: "병")
    let message = EarlierWriteMessages.message(
      RecoveredWrite(entry: 7, change: .delete(product), outcome: .notApplied("", isAnswered: true)))
    #expect(
      message.what.english.plain
        == "Checked log entry 7 of an interrupted command, delete product 32 \"병\". Outcome: not-applied.")
    #expect(message.what.korean.plain == "중단된 명령의 로그 7번(32번 상품 \"병\" 삭제)을 확인했습니다. 결과: 적용 안 됨")
  }
}
