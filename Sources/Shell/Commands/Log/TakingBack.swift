import Catalog
import Journal
import Marketplace
import Networking
import Presentation
import Text

/// An undo or redo: planned against the market as it is now, what cannot come back said before the question.
struct TakingBack {
  private let target: UndoTarget
  private let consent: Consent

  init(_ target: UndoTarget, _ consent: Consent) {
    self.target = target
    self.consent = consent
  }

  func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    let market = try await context.market(&session).service
    // What is to be undone is the vendor's who is logged in; nobody's would be nothing.
    if market.edition.traits.knowsVendors { _ = try market.credentials.needIdentifier() }
    let runner = try await context.runner(&session)
    let undo = try await runner.undoPlan(target)
    for obstacle in undo.obstacles { context.say(Message(.warning, obstacle.wording), session) }
    for loss in undo.losses { context.say(Message(.note, loss.wording), session) }
    for refusal in undo.refusals { context.say(refusal.remark, session) }
    try hint(undo, session, context)
    try Rehearsal(try await context.market(&session).service).check(undo.plan)
    guard try await Guards.admit(undo.plan, consent: consent, session: session, &execution, in: context) else {
      return .nothing
    }
    let outcomes = await runner.run(undo, note: consent.note, pace: consent.pace)
    let report = try await Writer(context).report(undo.plan, outcomes, into: &session, &execution)
    // Said above, one by one: what was asked for was not done whole.
    if !undo.refusals.isEmpty { execution.ending = .incomplete }
    return report
  }

  /// The last write of a batch is not the batch.
  private func hint(_ undo: UndoPlan, _ session: Session, _ context: Context) throws {
    guard target == .last, let origin = undo.origins.first,
      let batch = try context.journal().entry(origin.entry)?.batch
    else { return }
    context.say(
      .note(
        "This is one write of batch \(batch); \(.command("undo batch \(batch)")) takes all of it back.",
        ko: "묶음 \(batch) 가운데 하나입니다. \(.command("undo batch \(batch)")), 묶음 전체를 되돌립니다."), session)
  }
}
