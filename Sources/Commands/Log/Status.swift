import Catalog
import Engine
import Journal
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `status`: what is unfinished or unknown.
package struct Status: Command {
  package static let declaration = Declaration(
    "status", group: .products, summary: Wording("what is unfinished or unknown", ko: "끝나지 않았거나 모르는 것"), prints: true,
    traits: [.leftOutOfScripts],
    examples: [.init("status", "open outcomes and unfinished batches", ko: "모르는 결과와 남은 묶음")])

  package init(_ invocation: Invocation) {}

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let url = try await context.market(&session).service.baseURL
    let journal = try context.journal()
    let binding = session.binding(at: url)
    let open = try journal.unsettled(binding) + journal.unfinished(binding)
    let others = try journal.openOfOthers(binding)
    if others > 0 { context.say(Status.ofOthers(others), session) }
    guard !open.isEmpty else {
      let note = Message.note(
        others > 0 ? "Nothing of yours is unfinished or unknown." : "Nothing is unfinished or unknown.",
        ko: others > 0 ? "당신의 것 가운데 끝나지 않은 것도 결과를 모르는 것도 없습니다." : "끝나지 않은 것도 결과를 모르는 것도 없습니다.")
      return .several([.message(note), .rows(LogTable.of([]))])
    }
    let questions = open.filter(\.isQuestion).count
    var message = Message.note("\(open.count) open.", ko: "\(open.count)건이 남아 있습니다.")
      .next("\(.command("resume")) settles and makes them.", ko: "\(.command("resume"))으로 확인하고 마저 합니다.")
    if questions > 0 {
      message = message.because(
        "\(questions) can only be decided by you.", ko: "\(questions)건은 직접 정해야 합니다.")
    }
    return .several([.message(message), .rows(LogTable.of(open))])
  }

  private static func ofOthers(_ count: Int) -> Message {
    .warning(
      "\(count) open \(count == 1 ? StyledText("write at this market was") : "writes at this market were") made with another identifier.",
      ko: "이 시장에서 다른 식별자로 한 쓰기 \(count)건이 남아 있습니다."
    ).next(
      "\(.command("login")) as that vendor, then \(.command("status")).",
      ko: "그 판매자로 \(.command("login"))한 다음 \(.command("status"))를 치세요.")
  }
}
