import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `contract`: checks whether the server behaves as its edition requires.
package struct ContractCommand: Command {
  package static let declaration = CommandDeclaration(
    "contract", group: .api,
    summary: LocalizedText("check that the server follows its API edition", ko: "서버가 API 버전의 규격을 따르는지 검사"),
    usage: ["contract [writes] [yes] [tap]"],
    details: LocalizedText(
      "Sends a fixed set of requests and compares the responses with the API edition. It reads only, unless writes is given. A failed check ends with exit code 6.",
      ko: "정해진 요청을 보내고 응답을 API 버전의 규격과 비교합니다. writes가 없으면 읽기만 합니다. 실패한 검사가 있으면 종료 코드 6으로 끝납니다."),
    producesData: true,
    traits: [.requiresFullScan],
    parameters: [
      Parameter(
        "writes", .flag, .none,
        LocalizedText(
          "also create, update and delete a test product (asks first)", ko: "상품을 하나 만들어 수정하고 삭제해 봄; 먼저 확인")),
      Parameter("yes", .flag, .none, LocalizedText("do not ask", ko: "묻지 않음")),
      Parameter("tap", .flag, .none, LocalizedText("report in TAP format (Test Anything Protocol)", ko: "TAP 형식으로")),
    ],
    examples: [
      .init("contract", "sends read requests only; exit code 6 if a check fails", ko: "읽기 요청만 보냄; 실패한 검사가 있으면 종료 코드 6"),
      .init("contract writes", "also tests writing, with a product of its own", ko: "상품을 하나 만들어서"),
      .init("contract --tap", "prints TAP for a test harness", ko: "테스트 도구용으로"),
    ])

  private let doesWrite: Bool
  private let isTAP: Bool
  private let consent: WriteOptions

  package init(_ invocation: ParsedCommand) {
    doesWrite = invocation.has("writes")
    isTAP = invocation.has("tap")
    consent = WriteOptions(invocation)
  }

  package var writes: Bool { doesWrite }

  /// - Throws: `CommandError` if the writes aren't approved; `CancellationError`; the errors of opening the market. Failed
  ///   checks are part of the report.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws
    -> Report
  {
    // Every response counts: retrying a read would hide the first response.
    let context = context.through { SingleAttemptTransport($0) }
    let client = try await context.marketClient(&session)
    if doesWrite { try await admit(session, &execution, context) }
    var reads = ContractReads(client.service, try context.transport(session))
    var report = try await reads.run()
    if doesWrite, execution.mode == .write {
      var writes = try ContractWrites(client, session, context, report)
      report = try await writes.run()
    }
    execution.checks = report.checks
    let summary = report.summary(edition: client.service.edition)
    if !report.isMet { (execution.ending, execution.reason) = (.assertionFailed, summary) }
    context.say(summary, session)
    return isTAP ? .drawing(report.tap) : .rows(report.table)
  }

  private func admit(_ session: Session, _ execution: inout Execution, _ context: CommandContext) async throws {
    try WriteApproval.requireWritable(session, execution.mode)
    if execution.mode == .dry {
      execution.wasOnlyShown = true
      return context.say(.note("Dry run: only read requests are sent.", ko: "모의 실행이라 읽기만 합니다."), session)
    }
    try await WriteApproval.admitPlainHTTP(session, execution.mode, in: context)
    guard execution.mode == .write, session.server.confirm.value != .never else { return }
    context.say(
      .note(
        "This creates, updates and deletes a product on \(.value(session.server.name)). Every request is logged.",
        ko: "\(.value(session.server.name))에 상품을 하나 만들어 수정하고 삭제합니다. 요청은 모두 log에 남습니다."), session)
    try await ConfirmationPrompt(session, context).ask(Plan([]), consent: consent)
  }
}
