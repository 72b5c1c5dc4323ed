import Catalog
import Engine
import Journal
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `status`: shows pending writes, a few lines for each batch, or with `full` every write with its values.
package struct StatusCommand: Command {
  package static let declaration = CommandDeclaration(
    "status", group: .review, summary: LocalizedText("show pending changes", ko: "미완료·결과 미확인 작업"),
    details: LocalizedText(
      "Lists changes that were not sent yet, and changes whose outcome is unknown. resume finishes them.",
      ko: "아직 보내지 않은 변경과 결과 미확인인 변경을 표시합니다. resume으로 마저 처리합니다."),
    producesData: true,
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "full", .flag, .none, LocalizedText("list every change with its values", ko: "변경하려던 값까지 하나씩"))
    ],
    examples: [
      .init("status", "pending changes and unfinished batches", ko: "결과 미확인 작업과 남은 일괄 작업"),
      .init("status full", "with values before and after", ko: "남은 변경을 이전·이후 값과 함께"),
    ])

  private let isFull: Bool

  package init(_ invocation: ParsedCommand) { isFull = invocation.has("full") }

  /// - Throws: `JournalError`; the errors of opening the market.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    let url = try await context.marketClient(&session).service.baseURL
    let journal = try context.journal()
    let binding = session.binding(at: url)
    let open = try journal.undecidedEntries(binding) + journal.resumableEntries(binding)
    let others = try journal.openCountOfOtherVendors(binding)
    if others > 0 { context.say(StatusCommand.ofOthers(others), session) }
    let elsewhere = try OpenElsewhere(binding, in: context)
    if let elsewhere { context.say(elsewhere.message, session) }
    guard !open.isEmpty else {
      return .group([.message(StatusCommand.nothing(others > 0, elsewhere != nil)), .rows(LogTable.of([]))])
    }
    let questions = open.filter(\.isQuestion).count
    var message = Message.note("\(open.count) pending.", ko: "대기 중인 변경이 \(open.count)건 있습니다.")
      .next(
        "Run \(.command("resume")) to check and finish them.", ko: "확인하고 마저 처리하려면 \(.command("resume"), .object) 실행하세요."
      )
    if questions > 0 {
      message = message.because(
        "\(questions) need your decision.", ko: "\(questions)건은 직접 정해야 합니다.")
    }
    let table = LogTable.of(open)
    if isFull { return .group([.message(message), .rows(table)]) }
    let options = context.dataOptions(session)
    let lines = try PendingWritesSummary.grouped(open, journal).flatMap { $0.lines(options) }
    return .group([.message(message), .drawing(Figure(lines, table: table))])
  }

  private static func nothing(_ isOfOthers: Bool, _ isElsewhere: Bool) -> Message {
    if isOfOthers {
      return .note(
        "You have no pending changes.", ko: "현재 판매자로 한 변경 중 대기 중인 것이 없습니다.")
    }
    return isElsewhere
      ? .note("No pending changes on this server.", ko: "현재 서버에 대기 중인 변경이 없습니다.")
      : .note("No pending changes.", ko: "대기 중인 변경이 없습니다.")
  }

  private static func ofOthers(_ count: Int) -> Message {
    .warning(
      "\(count) pending \(count == 1 ? StyledText("change here was") : "changes here were") made as another vendor.",
      ko: "다른 판매자로 한 변경 \(count)건이 대기 중입니다."
    ).next(
      "Run \(.command("login")) as that vendor, then \(.command("status")).",
      ko: "그 판매자로 \(.command("login"), .object) 실행한 다음 \(.command("status"), .object) 실행하세요.")
  }
}

/// Writes that only the user can decide.
///
/// Each is shown with its evidence; without an answer it stays pending.
struct UndecidedWritePrompt {
  private let session: Session
  private let context: CommandContext

  init(_ session: Session, _ context: CommandContext) {
    self.session = session
    self.context = context
  }

  /// Returns the known facts about a write, which are never empty.
  static func evidence(of entry: JournalEntry) -> LocalizedText {
    if let left = entry.leftWhole, let looked = entry.ended {
      return LocalizedText(
        "Sent completely at \(left.description), but the product had not appeared by \(looked.description).",
        ko: "\(left.description)에 전송을 마쳤고 \(looked.description)까지 보이지 않았습니다.")
    }
    guard let detail = entry.detail, !detail.isEmpty else {
      return LocalizedText(
        "Sent at \(entry.time.description). No response.", ko: "\(entry.time.description)에 보냈지만 응답이 없습니다.")
    }
    return PhraseTable.evidence.words(detail)
  }

  func ask(_ binding: WriteScope) async throws {
    let journal = try context.journal()
    for entry in try journal.undecidedEntries(binding) where entry.isQuestion {
      guard !context.interruption.isRequested else { return }
      let product = entry.product.map { " \($0)" } ?? ""
      context.say(
        .warning(
          "Log entry \(entry.id), \(entry.action.rawValue)\(product): openmarket cannot tell whether it took effect.",
          ko: "로그 \(entry.id)번(\(entry.action.words[.korean])\(product)): 적용되었는지 openmarket이 알 수 없습니다."
        ).because(UndecidedWritePrompt.evidence(of: entry)), session)
      guard context.asker != nil else { continue }
      let question = LocalizedText(
        "Did it take effect? [y/n, Enter to decide later] ", ko: "적용되었나요? [y/n, Enter는 그대로 두기] ")
      guard let answer = await context.answer(to: question, session), answer != "q" else { return }
      let isYes = ConfirmationPrompt.isYes(answer)
      guard isYes || ConfirmationPrompt.isNo(answer) else { continue }
      if try !journal.recordDecision(entry.id, wasApplied: isYes) {
        context.say(
          .note(
            "Log entry \(entry.id) was resolved by another openmarket session in the meantime.",
            ko: "그사이 다른 openmarket이 로그 \(entry.id)번을 처리했습니다."), session
        )
      }
    }
  }
}
