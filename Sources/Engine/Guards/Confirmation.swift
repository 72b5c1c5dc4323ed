import Catalog
import Failures
import Journal
import Language
import Platform
import Presentation
import Text

/// The question before a write. End of input means no; where nobody can be asked, only a word on the line lets it through.
package struct Confirmation {
  private let session: Session
  private let context: Context

  package init(_ session: Session, _ context: Context) {
    self.session = session
    self.context = context
  }

  /// Asks whether the plan is to be written, unless the line or the start said yes.
  ///
  /// - Throws: `Failure` with exit code 4 for any answer but yes, and where nobody can be asked.
  package func ask(_ plan: Plan, consent: Consent) async throws {
    if consent.yes || context.consent.yes { return }
    guard let asker = context.asker else {
      throw Failure(
        .heldBack,
        .failure("Not confirmed; nothing was sent.", ko: "확인받지 못해 아무것도 보내지 않았습니다.")
          .next(
            "Add \(.command("yes")) to the line, or start with \(.command("--yes")).",
            ko: "줄 끝에 \(.command("yes"))를 붙이거나 \(.command("--yes"))로 시작하세요."))
    }
    let question = LocalizedText("Write it? [y/N] ", ko: "적용할까요? [y/N] ")[session.settings.tongue].plain
    guard let answer = await asker.answer(to: question), Confirmation.isYes(answer) else { throw Confirmation.declined }
  }

  /// Says what is out of the ordinary, of a dry run and of a plan in a file too.
  func warn(of outliers: [Outlier]) {
    if outliers.isEmpty { return }
    var warning = Message.warning("This is out of the ordinary:", ko: "이상값이 있습니다:")
    for outlier in outliers.prefix(5) { warning = warning.because(outlier.wording) }
    if outliers.count > 5 {
      warning = warning.because("and \(outliers.count - 5) more", ko: "그 밖에 \(outliers.count - 5)개")
    }
    context.say(warning, session)
  }

  /// Extremes want the number of changes typed, or the word `outliers` on the line, whatever the profile says.
  ///
  /// - Throws: `Failure` with exit code 4 for any other answer, and where nobody can be asked.
  package func admitOutliers(of plan: Plan, consent: Consent) async throws {
    if consent.outliers { return }
    guard let asker = context.asker else {
      throw Failure(
        .heldBack,
        .failure("Held back as out of the ordinary; nothing was sent.", ko: "이상값이 있어 아무것도 보내지 않았습니다.")
          .next(
            "If it is meant, add \(.command("outliers")) to the line.", ko: "맞다면 줄 끝에 \(.command("outliers"))를 붙이세요."))
    }
    let count = plan.changes.count
    let question = LocalizedText(
      "Type \(count), the number of products: ", ko: "맞다면 상품 수 \(String(count), .object) 입력하세요: ")
    guard await asker.answer(to: question[session.settings.tongue].plain)?.trimmed == String(count) else {
      throw Confirmation.declined
    }
  }

  static var declined: Failure {
    Failure(.heldBack, .note("Not written; nothing was sent.", ko: "취소했습니다. 아무것도 보내지 않았습니다."))
  }

  /// Whether an answer at `[y/N]` means yes; ㅛ is the key of y while Hangul is on.
  package static func isYes(_ answer: String) -> Bool {
    ["y", "yes", "예", "네", "ㅇ", "ㅛ"].contains(answer.trimmed.precomposed.lowercased())
  }

  /// Whether it means no where nothing else but yes is taken; ㅜ is the key of n.
  package static func isNo(_ answer: String) -> Bool {
    ["n", "no", "아니", "아니요", "ㄴ", "ㅜ"].contains(answer.trimmed.precomposed.lowercased())
  }
}

/// What the line itself says about how to write: `yes` answers the question beforehand, `outliers` the one about extremes,
/// `note` is kept in the log, `jobs`, `rate` and `stop-after` say how fast and how stubbornly a batch goes.
package struct Consent: Hashable, Sendable {
  package var yes: Bool
  package var outliers: Bool
  package var note: String?
  /// The preview shows every change, however many.
  package var showsAll: Bool
  package var pace: Pace

  package init(_ invocation: Invocation) {
    yes = invocation.has("yes")
    outliers = invocation.has("outliers")
    note = invocation.text("note")
    showsAll = invocation.has("all")
    pace = Pace(
      jobs: invocation.number("jobs") ?? 4,
      spacing: invocation.number("rate").map { .seconds(1) / $0 }, stopAfter: invocation.number("stop-after") ?? 5)
  }
}
