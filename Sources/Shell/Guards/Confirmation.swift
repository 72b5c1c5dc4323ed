import Catalog
import Presentation
import Text

/// The question before a write. End of input means no; where nobody can be asked, only a word on the line lets it through.
struct Confirmation {
  private let session: Session
  private let context: Context

  init(_ session: Session, _ context: Context) {
    self.session = session
    self.context = context
  }

  func ask(_ plan: Plan, consent: Consent) async throws {
    if consent.yes || context.consent.yes { return }
    guard let asker = context.asker else {
      throw Failure(
        .heldBack,
        .failure("Not confirmed; nothing was sent.", ko: "확인받지 못해 아무것도 보내지 않았습니다.")
          .next(
            "Add \(.command("yes")) to the line, or start with \(.command("--yes")).",
            ko: "줄 끝에 \(.command("yes"))를 붙이거나 \(.command("--yes"))로 시작하세요."))
    }
    let question = Wording("Write it? [y/N] ", ko: "적용할까요? [y/N] ")[session.settings.tongue].plain
    guard let answer = await asker.answer(to: question), Confirmation.isYes(answer) else { throw Confirmation.declined }
  }

  /// Extremes want the number of changes typed, or the word `outliers` on the line, whatever the profile says.
  func admitOutliers(_ outliers: [Outlier], of plan: Plan, consent: Consent) async throws {
    if consent.outliers { return }
    var warning = Message.warning("This is out of the ordinary:", ko: "평소와 다른 변경입니다:")
    for outlier in outliers.prefix(5) { warning = warning.because(outlier.wording) }
    if outliers.count > 5 {
      warning = warning.because("and \(outliers.count - 5) more", ko: "그 밖에 \(outliers.count - 5)개")
    }
    context.say(warning, session)
    guard let asker = context.asker else {
      throw Failure(
        .heldBack,
        .failure("Held back as out of the ordinary; nothing was sent.", ko: "평소와 다른 변경이라 아무것도 보내지 않았습니다.")
          .next(
            "If it is meant, add \(.command("outliers")) to the line.", ko: "맞다면 줄 끝에 \(.command("outliers"))를 붙이세요."))
    }
    let count = String(plan.changes.count)
    let question = Wording("Type the number of products to change: ", ko: "바꿀 상품의 수를 적으세요: ")[session.settings.tongue]
      .plain
    guard await asker.answer(to: question)?.trimmed == count else { throw Confirmation.declined }
  }

  static var declined: Failure {
    Failure(.heldBack, .note("Not written; nothing was sent.", ko: "쓰지 않았습니다. 아무것도 보내지 않았습니다."))
  }

  static func isYes(_ answer: String) -> Bool {
    ["y", "yes", "예", "네", "ㅇ"].contains(answer.trimmed.lowercased())
  }
}
