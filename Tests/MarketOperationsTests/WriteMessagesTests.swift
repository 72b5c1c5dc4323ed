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
@Suite struct WriteMessagesTests {
  private static let product = Product(id: 32, name: "병")

  private static let changes: [(change: Change, english: String, korean: String)] = [
    (
      .edit(product, from: ProductValues(), to: ProductValues()), "It is unknown whether product 32 was updated.",
      "32번 상품이 수정되었는지 알 수 없습니다."
    ),
    (.delete(product), "It is unknown whether product 32 was deleted.", "32번 상품이 삭제되었는지 알 수 없습니다."),
  ]

  @Test(arguments: Self.changes.indices) func unknownOutcomeNamesTheProduct(_ index: Int) {
    let (change, english, korean) = Self.changes[index]
    let outcome = Outcome.unknown(.all([.connectionLost, .checkFailed(.connectionRefused)]))
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
