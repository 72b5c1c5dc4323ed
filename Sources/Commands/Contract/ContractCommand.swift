import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

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
        "writes", .flag, kind: .none,
        summary: LocalizedText(
          "also create, update and delete a test product (asks first)", ko: "상품을 하나 만들어 수정하고 삭제해 봄; 먼저 확인")),
      Parameter("yes", .flag, kind: .none, summary: LocalizedText("do not ask", ko: "묻지 않음")),
      Parameter(
        "tap", .flag, kind: .none,
        summary: LocalizedText("report in TAP format (Test Anything Protocol)", ko: "TAP 형식으로")),
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
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    // Every response counts: retrying a read would hide the first response.
    try await scope.with(scope.context.through { ConfiguredTransport($0) { $0.retriesReads = false } }) {
      try await check(in: &$0)
    }
  }

  private func check(in scope: inout CommandScope) async throws -> CommandResult {
    let client = try await scope.marketClient()
    if let description = client.service.dialect.marketDescription {
      return try await check(description, client, in: scope)
    }
    let shapes = try ContractCommand.shapes(of: client.service.dialect)
    if doesWrite { try await admit(in: scope) }
    var reads = ContractReads(client.service, schemas: shapes, through: try scope.transport())
    var report = try await reads.run()
    if doesWrite, scope.mode == .write {
      var writes = try ContractWrites(client, shapes, in: scope, report: report)
      report = try await writes.run()
    }
    return result(of: report, client.service.dialect, in: scope)
  }

  /// Checks a market that a file describes; with `writes` the description counts as proven if all checks pass.
  private func check(
    _ description: MarketDescription, _ client: Client<MarketService>, in scope: CommandScope
  ) async throws -> CommandResult {
    if doesWrite {
      try client.service.dialect.requireDescribed([.create], [])
      try await admit(in: scope)
    }
    var contract = DescribedContract(client, description)
    var report = try await contract.run()
    if doesWrite, scope.mode == .write {
      var writes = try DescribedWrites(client, description, in: scope, report: report)
      report = try await writes.run()
      if report.isMet {
        try DescriptionProofs(scope.context.stores.home).insert(description, at: scope.session.server.url?.value)
      }
    }
    return result(of: report, client.service.dialect, in: scope)
  }

  private func result(of report: ContractReport, _ dialect: Dialect, in scope: CommandScope) -> CommandResult {
    let summary = report.summary(dialect)
    scope.say(summary)
    var result = CommandResult(isTAP ? .drawing(report.tap) : .rows(report.table))
    result.checks = report.checks
    if !report.isMet { (result.status, result.reason) = (.assertionFailed, summary) }
    result.wasOnlyShown = doesWrite && scope.mode == .dry
    return result
  }

  private static func shapes(of dialect: Dialect) throws(CommandError) -> EditionSchemas {
    if let edition = dialect.edition { return EditionSchemas(edition) }
    throw CommandError(
      .refused,
      .failure("\(.value(dialect.name)) was not checked.", ko: "\(.value(dialect.name), .object) 검사하지 않았습니다.")
        .because(
          "The checks are those of the API editions: \(Edition.names).",
          ko: "API 버전 \(Edition.names)의 검사만 있습니다."), code: .unsupported)
  }

  private func admit(in scope: CommandScope) async throws {
    try scope.requireWritable()
    if scope.mode == .dry {
      return scope.say(.note("Dry run: only read requests are sent.", ko: "모의 실행이라 읽기만 합니다."))
    }
    try await WriteApproval.admitPlainHTTP(in: scope)
    guard scope.mode == .write, scope.session.server.confirm.value != .never else { return }
    scope.say(
      .note(
        "This creates, updates and deletes a product on \(.value(scope.session.server.name)). Every request is logged.",
        ko: "\(.value(scope.session.server.name))에 상품을 하나 만들어 수정하고 삭제합니다. 요청은 모두 log에 남습니다."))
    try await ConfirmationPrompt(scope).ask(Plan([]), consent: consent)
  }
}
