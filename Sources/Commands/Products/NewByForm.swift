import Catalog
import Engine
import Language
import Networking
import Platform
import Presentation
import Text

/// `new` at a terminal: the form, a summary of what would be made, the question, and back to the form when wanted.
struct NewByForm {
  private let asker: any Asker
  private let given: DraftFields
  private let consent: Consent

  init(_ asker: any Asker, _ given: DraftFields, _ consent: Consent) {
    self.asker = asker
    self.given = given
    self.consent = consent
  }

  func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    let policy = session.settings.limits
    var form = DraftForm(
      asker, given, left: session.unsent, DraftRules(policy, home: context.environment["HOME"]),
      DraftLook(context.messageOptions(session), isResumed: !session.unsent.isEmpty))
    // Whatever happens before the product is made, what was typed is there the next time.
    defer { session.unsent = form.texts }
    while true {
      guard await form.fill() else { throw left }
      let plan = try form.fields(policy).plan(session, in: context)
      try Rehearsal(try await context.market(&session).service).check(plan)
      guard let outliers = try Guards.show(plan, consent: consent, session: session, &execution, in: context) else {
        return .nothing
      }
      if !consent.yes, !context.consent.yes {
        guard let isMeant = await form.isMeant() else { continue }
        if !isMeant { throw left }
      }
      try await Guards.admitOutliers(outliers, of: plan, consent: consent, session: session, &execution, in: context)
      execution.spelling = SpelledLine.new(form.texts)
      let report = try await Writer(context).carryOut(plan, consent, into: &session, &execution)
      form.clear()
      return report
    }
  }

  private var left: Failure {
    Failure(
      .heldBack,
      .note("Left the form; nothing was sent.", ko: "입력을 그만두어 아무것도 보내지 않았습니다.")
        .next("\(.command("new")) goes on with what was typed.", ko: "\(.command("new"))로 이어서 적을 수 있습니다."))
  }
}
