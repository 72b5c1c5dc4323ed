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

/// `status`: shows pending writes, a few lines for each batch, or with `full` every write with its values; with a folder,
/// its differences from the market.
package struct StatusCommand: Command {
  package static let declaration = CommandDeclaration(
    "status", group: .review,
    summary: LocalizedText("show interrupted runs and pending changes", ko: "중단된 실행과 미완료·결과 미확인 작업"),
    usage: ["status [full]", "status DIR"],
    details: LocalizedText(
      "Lists the runs that were interrupted, the changes that were not sent yet, and those whose outcome is unknown. resume finishes them. Sales whose start or end is overdue, and the last run of the timer, are listed too. With a folder, shows what differs between its files and the server.",
      ko:
        "중단된 실행, 아직 보내지 않은 변경과 결과 미확인인 변경을 표시합니다. resume으로 마저 처리합니다. 시작이나 끝이 늦어진 할인과 타이머의 마지막 실행도 알려 줍니다. 폴더를 적으면 폴더의 파일과 서버의 차이를 표시합니다."
    ),
    producesData: true,
    traits: [.daily, .excludedFromSavedScripts],
    parameters: [
      Parameter(
        "DIR", .positional(required: false), kind: .file,
        summary: LocalizedText("a folder of products, to compare with the server", ko: "서버와 비교할 상품 폴더")),
      Parameter(
        "full", .flag, kind: .none, summary: LocalizedText("list every change with its values", ko: "변경하려던 값까지 하나씩")),
    ],
    examples: [
      .init("status", "pending changes and unfinished batches", ko: "결과 미확인 작업과 남은 일괄 작업"),
      .init("status full", "with values before and after", ko: "남은 변경을 이전·이후 값과 함께"),
      .init("status shop", "what differs between the folder shop and the server", ko: "shop 폴더와 서버의 차이"),
    ])

  private let isFull: Bool
  private let folder: String?

  package init(_ invocation: ParsedCommand) {
    isFull = invocation.has("full")
    folder = invocation.text("DIR")
  }

  /// - Throws: `JournalError`; the errors of opening the market.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let folder {
      return try await FolderStatus(ProductFolder(folder, home: scope.context.program.environment["HOME"])).run(
        in: &scope)
    }
    if let overdue = OverdueSales(
      of: scope.context.stores.home, scope.session.limits, at: scope.context.clock.timestamp
    ).message {
      scope.say(overdue)
    }
    if let timer = scope.timerNotice.message {
      scope.say(timer)
    }
    let market = try await scope.marketClient()
    let url = market.service.baseURL
    let journal = try scope.context.stores.journal()
    // What is pending may be of before a reset, or of another address. A server that can't be reached is no reason not to
    // list it.
    if journal.readOnly == nil { try? await scope.recognizeForJournal(market) }
    let binding = scope.session.marketLogin(at: url)
    let open = try journal.undecidedEntries(binding) + journal.resumableEntries(binding)
    let rest = try StatusCommand.sayOtherPending(than: binding, in: scope)
    let runs = try journal.unsettledRuns(current: scope.session.script.run, binding)
    let interrupted = runs.filter { $0.life.state == .interrupted }
    if !interrupted.isEmpty {
      scope.say(RunMessages.interrupted(interrupted, now: scope.context.clock.timestamp))
    }
    guard !open.isEmpty else {
      let table = Report.rows(LogTable.of([]))
      return interrupted.isEmpty ? .group([.message(rest), table]) : CommandResult(table)
    }
    let questions = open.filter(\.isQuestion).count
    var message = Message.note("\(open.count) pending.", ko: "대기 중인 변경이 \(open.count)건 있습니다.")
      .next(
        "Run \(.command("resume")) to check and finish them.", ko: "확인하고 마저 처리하려면 \(.command("resume"), .object) 실행하세요."
      )
    if questions > 0 {
      message = message.because(
        "\(questions) need your decision.", ko: "\(questions)건은 직접 정해야 합니다.")
    }
    let options = scope.dataOptions
    let table = LogTable.of(open, isSingle: false, now: scope.context.clock.seconds, options)
    if isFull { return .group([.message(message), .rows(table)]) }
    let lines = try PendingWritesSummary.grouped(open, journal).flatMap { $0.lines(options) }
    return .group([.message(message), .drawing(Figure(lines, table: table))])
  }

  /// Warns of pending changes of other vendors and of other markets.
  ///
  /// - Returns: The message that nothing else is pending.
  /// - Throws: `JournalError`.
  static func sayOtherPending(than binding: MarketLogin, in scope: CommandScope) throws -> Message {
    let others = try scope.context.stores.journal().openCountOfOtherVendors(binding)
    if others > 0 { scope.say(ofOthers(others)) }
    let elsewhere = try PendingElsewhere(binding, in: scope.context.stores)
    if let elsewhere { scope.say(elsewhere.message) }
    return nothing(others > 0, elsewhere != nil)
  }

  private static func nothing(_ isOfOthers: Bool, _ isElsewhere: Bool) -> Message {
    if isOfOthers {
      return .note(
        "You have no pending changes.", ko: "현재 판매자로 한 변경 중 대기 중인 것이 없습니다.")
    }
    return isElsewhere
      ? .note("No pending changes on this server.", ko: "현재 서버에 대기 중인 변경이 없습니다.")
      : .note("No pending changes.", ko: "대기 중인 변경이 없습니다.")
  }

  private static func ofOthers(_ count: Int) -> Message {
    .warning(
      "\(count) pending \(count == 1 ? StyledText("change here was") : "changes here were") made as another vendor.",
      ko: "다른 판매자로 한 변경 \(count)건이 대기 중입니다."
    ).next(
      "Run \(.command("login")) as that vendor, then \(.command("status")).",
      ko: "그 판매자로 \(.command("login"), .object) 실행한 다음 \(.command("status"), .object) 실행하세요.")
  }
}
