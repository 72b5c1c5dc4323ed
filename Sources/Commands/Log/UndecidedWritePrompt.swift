import Catalog
import MarketOperations
import Presentation
import ShellRuntime
import Text
import WriteJournal

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
