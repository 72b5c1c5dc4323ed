import Catalog
import Journal
import Networking
import Presentation

/// An undo or redo: planned against the market as it is now, what cannot come back said before the question.
struct TakingBack {
  private let target: UndoTarget
  private let consent: Consent

  init(_ target: UndoTarget, _ consent: Consent) {
    self.target = target
    self.consent = consent
  }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    try Guards.requireWritable(session)
    let runner = try await context.runner(&session)
    let undo = try await runner.undoPlan(target)
    for obstacle in undo.obstacles { context.say(Message(.warning, obstacle.wording), session) }
    for loss in undo.losses { context.say(Message(.note, loss.wording), session) }
    for refusal in undo.refusals { context.say(Failure(refusal).message, session) }
    try Rehearsal(try await context.market(&session).service).check(undo.plan)
    try await Guards.admit(undo.plan, consent: consent, session: session, in: context)
    let outcomes = await runner.run(undo, note: consent.note, pace: consent.pace)
    return try await Writer(context).report(undo.plan, outcomes, into: &session)
  }
}
