import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `forget`: leaves the applied changes of an interrupted run as they are, and discards the changes that were not sent.
package struct ForgetCommand: Command {
  package static let declaration = CommandDeclaration(
    "forget", group: .review, summary: LocalizedText("leave an interrupted run as it is", ko: "중단된 실행을 그대로 두기"),
    details: LocalizedText(
      "What the run has done stays, what it has not sent is discarded, and its line is new when it is typed again. Nothing is sent.",
      ko: "이미 적용된 것은 그대로 두고, 보내지 않은 것은 버립니다. 같은 명령을 다시 입력하면 새 명령입니다. 아무것도 보내지 않습니다."),
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "rN", .positional(required: true), kind: .writeOrRun,
        summary: LocalizedText("the run, as status lists it", ko: "status에서 보이는 실행")),
      Parameter("yes", .flag, kind: .none, summary: LocalizedText("without asking", ko: "확인하지 않음")),
    ],
    examples: [.init("forget r12", "run r12 is left as it is", ko: "r12 실행을 그대로 두기")])

  private let number: Int
  private let yes: Bool

  package init(_ invocation: ParsedCommand) {
    number = invocation.text("rN").flatMap(Run.number) ?? invocation.number("rN") ?? 0
    yes = invocation.has("yes")
  }

  /// - Throws: `CommandError` if there is no such run, or if it isn't confirmed; `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let binding = scope.session.marketLogin
    let journal = try scope.context.stores.journal()
    guard
      let run = try journal.unsettledRuns(current: scope.session.script.run, binding).first(where: {
        $0.number == number
      })
    else { throw RunMessages.notInterrupted(number) }
    if run.life.state == .open { throw RunMessages.stillRunning(run) }
    let stays = RunMessages.staysAsItIs(run, isForgotten: false)
    if scope.mode != .write { return .message(.note(stays.english, ko: stays.korean)) }
    if !yes, !scope.context.program.assumesYes {
      try await scope.confirm(
        LocalizedText("Forget \(run.name)? [y/N] ", ko: "\(run.name), 그대로 둘까요? [y/N] "),
        after: Message(.note, stays),
        unattended: .failure("Not confirmed. Nothing was discarded.", ko: "확인이 필요합니다. 아무것도 버리지 않았습니다.")
          .next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
        declined: .note("Canceled. Nothing was discarded.", ko: "취소했습니다. 아무것도 버리지 않았습니다."))
    }
    try await read(run, journal, in: &scope)
    let current = try journal.run(number) ?? run
    guard try journal.settle(number) else { throw RunMessages.notInterrupted(number) }
    return .message(Message(.success, RunMessages.staysAsItIs(current, isForgotten: true)))
  }

  /// Reads the unknown outcomes of a run, so that the log has them.
  ///
  /// A run whose server doesn't exist any more can be forgotten: then its outcome stays unknown.
  private func read(_ run: Run, _ journal: Journal, in scope: inout CommandScope) async throws {
    let unknown = try journal.entries(ofRun: run.number).filter { $0.isUnresolved && !$0.isQuestion }.map(\.id)
    guard !unknown.isEmpty else { return }
    do {
      let market = try await scope.marketClient()
      _ = try await scope.planRunner(for: market).resolve(entries: unknown)
    } catch is MarketError {
      return
    }
  }
}
