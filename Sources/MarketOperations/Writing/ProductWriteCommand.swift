import Catalog
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A command that changes products.
///
/// It returns a plan; confirmation, journaling and sending are shared by all such commands.
package protocol ProductWriteCommand: Command {
  /// The write options of the line, such as `yes` and `note TEXT`.
  var consent: WriteOptions { get }
  /// Returns the plan.
  ///
  /// It may read but changes nothing.
  ///
  /// - Throws: `ParseError` for an invalid change, and the errors of reading the products.
  func plan(
    from market: Client<MarketService>, _ session: inout Session, _ execution: inout Execution,
    in context: CommandContext
  ) async throws -> Plan
}

extension ProductWriteCommand {
  /// - Throws: The errors of `plan` and `approveAndExecute`; `CommandError` in a read-only session.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws
    -> Report
  {
    try WriteApproval.requireWritable(session, execution.mode)
    let market = try await context.marketClient(&session)
    let plan = try await plan(from: market, &session, &execution, in: context)
    return try await approveAndExecute(on: plan, at: market, &session, &execution, in: context)
  }

  /// Checks, confirms and executes a plan.
  ///
  /// With `always` the confirmation is required regardless of the profile.
  ///
  /// - Throws: `ParseError`, `MarketError` and `CommandError` of the checks before anything is sent; `JournalError` if the
  ///   journal can't be written.
  package func approveAndExecute(
    on plan: Plan, at market: Client<MarketService>, always: Bool = false, _ session: inout Session,
    _ execution: inout Execution, in context: CommandContext
  ) async throws -> Report {
    let (plan, origins) = try await RepetitionGuard(market, consent, session, execution, in: context).reduced(plan)
    guard !plan.changes.isEmpty else {
      let reporter = PlanExecutor(market, context)
      if !plan.earlier.isEmpty { return reporter.earlier(plan, into: &session) }
      let note = Report.message(.note("Nothing to change. Nothing was sent.", ko: "바꿀 것이 없습니다. 아무것도 보내지 않았습니다."))
      return plan.unchanged.isEmpty || execution.mode != .write
        ? note : .group([note, reporter.unchanged(plan)])
    }
    try PreflightCheck(market.service).check(plan)
    guard
      let admitted = try await WriteApproval.approve(
        plan, notes: plan.unchangedNote.map { [$0] } ?? [], consent: consent, always: always, session: session,
        &execution, in: context)
    else { return .empty }
    return try await PlanExecutor(market, context).execute(
      admitted.plan, from: admitted.remaining(of: origins), consent, into: &session, &execution)
  }
}

extension Plan {
  /// The note that some targets wouldn't change, or `nil` if all would.
  package var unchangedNote: Message? {
    guard !unchanged.isEmpty else { return nil }
    return .note(
      "\(unchanged.count) of \(count) are already up to date.", ko: "\(count)건 중 \(unchanged.count)건은 이미 같은 값입니다.")
  }
}

extension CommandContext {
  /// Returns the runner for the market and vendor of the session.
  ///
  /// All writes go through it.
  package func planRunner(for client: Client<MarketService>, _ session: Session) -> PlanRunner {
    let talk = WriteProgress(self, session)
    let (journal, absence) = openJournal()
    unshown.follow(journal)
    return PlanRunner(
      journal: journal, absence: absence,
      market: JournalMarketAdapter(client: client, freshName: freshName, now: self.now),
      binding: session.binding(at: client.service.baseURL), settle: session.server.settle(at: client.service.baseURL),
      freshness: freshness, verification: session.server.verify.value,
      stopping: { [interruption] in interruption.isRequested }, progress: { talk.handle($0) })
  }

  /// Returns the journal, or the reason why there is none.
  ///
  /// Reading works without a journal; writing fails with this reason.
  private func openJournal() -> (Journal?, JournalError) {
    do {
      return (try journal(), .notOpen)
    } catch let failure as JournalError {
      return (nil, failure)
    } catch FileError.cannotWrite(let path, let code) {
      return (nil, code == ENOSPC ? .diskFull : .unwritable(path: path, reason: String(cString: strerror(code))))
    } catch {
      return (nil, .unwritable(path: home.journalFolder, reason: String(describing: error)))
    }
  }
}

extension Session {
  /// Returns the market and vendor of writes.
  ///
  /// The embedded market is identified by its edition, because its port changes with every start.
  package func binding(at url: URL) -> WriteScope {
    WriteScope(
      profile: server.name,
      baseURL: server.isEmbedded ? "embedded:" + (server.edition?.value.rawValue ?? "open") : url.absoluteString,
      vendor: credentials.identifier ?? "")
  }
}
