import Catalog
import Networking
import Presentation
import Text

/// A command that writes: it plans, and one runner acts on the plan after the guards have looked at it.
package protocol EditCommand: Command {
  /// What was asked about asking: `yes` and `note TEXT`.
  var consent: Consent { get }
  /// Decides what is to be written; reads, but changes nothing.
  func plan(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Plan
}

extension EditCommand {
  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    return try await act(on: plan(&session, &execution, in: context), &session, &execution, in: context)
  }

  /// Carries out what was decided, after the guards have looked at it; with `always` they ask whatever the profile says.
  package func act(
    on plan: Plan, always: Bool = false, _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    guard !plan.changes.isEmpty else {
      let note = Report.message(.note("Nothing to change; nothing was sent.", ko: "바꿀 것이 없어 아무것도 보내지 않았습니다."))
      return plan.unchanged.isEmpty || execution.mode != .write
        ? note : .several([note, Writer(context).unchanged(plan)])
    }
    sayUnchanged(plan, session, context)
    try Rehearsal(try await context.market(&session).service).check(plan)
    guard
      try await Guards.admit(
        plan, consent: consent, always: always, session: session, &execution, in: context)
    else { return .nothing }
    return try await Writer(context).carryOut(plan, consent, into: &session, &execution)
  }

  /// Before the question: not every target would change.
  package func sayUnchanged(_ plan: Plan, _ session: Session, _ context: Context) {
    guard !plan.unchanged.isEmpty else { return }
    context.say(
      .note(
        "\(plan.unchanged.count) of \(plan.count) would not change.",
        ko: "\(plan.count)건 가운데 \(plan.unchanged.count)건은 바꾸는 것이 없습니다."), session)
  }
}
