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
  func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan
}

extension ProductWriteCommand {
  /// - Throws: The errors of `plan` and of `PlanExecutor`; `CommandError` in a read-only session.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    try scope.requireWritable()
    let market = try await scope.marketClient()
    let plan = try await plan(from: market, in: &scope)
    return try await PlanExecutor(market, consent).executeOnce(plan, in: &scope)
  }
}

extension Plan {
  /// The note that some targets wouldn't change, or `nil` if all would.
  package var unchangedNote: Message? {
    guard !unchanged.isEmpty else { return nil }
    return .note(
      "\(unchanged.count) of \(count) \(unchanged.count == 1 ? StyledText("is") : "are") already up to date.",
      ko: "\(count)건 중 \(unchanged.count)건은 이미 같은 값입니다.")
  }
}

extension CommandScope {
  /// Returns the runner for the market and vendor of the session.
  ///
  /// All writes go through it.
  package func planRunner(for client: Client<MarketService>) -> PlanRunner {
    let talk = WriteProgress(self)
    let (journal, absence) = openJournal()
    context.unshown.follow(journal)
    return PlanRunner(
      journal: journal, absence: absence,
      market: JournalMarketAdapter(client: client, freshName: context.freshName, now: context.now),
      binding: session.binding(at: client.service.baseURL),
      attribution: Attribution(actor, approver: context.attribution?.approver),
      settle: session.server.settle(at: client.service.baseURL),
      freshness: context.freshness, verification: session.server.verify.value,
      stopping: { [interruption = context.interruption] in interruption.isRequested }, progress: { talk.handle($0) })
  }

  /// Returns the journal, or the reason why there is none.
  ///
  /// Reading works without a journal; writing fails with this reason.
  private func openJournal() -> (Journal?, JournalError) {
    do {
      return (try context.journal(), .notOpen)
    } catch let failure as JournalError {
      return (nil, failure)
    } catch FileError.cannotWrite(let path, let code) {
      return (nil, code == ENOSPC ? .diskFull : .unwritable(path: path, reason: String(cString: strerror(code))))
    } catch {
      return (
        nil,
        .unwritable(path: context.home.journalFolder, reason: ErrorDescription.text(of: error) ?? "cannot be opened")
      )
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
