import Catalog
import Engine
import Failures
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `resume`: settles what is unknown by reading, and goes on with what was not begun or not sent.
package struct Resume: Command {
  package static let declaration = Declaration(
    "resume", group: .products, summary: LocalizedText("go on with what is unfinished", ko: "남은 작업 재개"),
    writes: true,
    prints: true,
    parameters: [
      Parameter(
        "send", .option, .number(1...Int.max),
        LocalizedText("send create N again, which you looked for and did not find", ko: "직접 찾아봐도 없는 등록 N번을 다시 보내기")),
      Parameter("forget", .flag, .none, LocalizedText("give up what was not made", ko: "보내지 않은 작업 포기")),
      Parameter(
        "N", .positional(required: false), .number(1...Int.max), LocalizedText("only entry N of the log", ko: "기록 N번만")),
      .showingAll,
    ],
    examples: [
      .init("resume", "after an interruption", ko: "중단된 다음에"),
      .init("resume send 12", "send create 12 again, after looking for it", ko: "직접 찾아본 다음 등록 12번을 다시 보내기"),
      .init("resume forget", "give up what was not made", ko: "보내지 않은 작업 포기"),
      .init("resume forget 12", "give up entry 12 of the log", ko: "기록 12번을 포기"),
    ])

  private let consent: Consent
  private let forgets: Bool
  private let sends: Int?
  private let only: Int?

  package init(_ invocation: Invocation) {
    consent = Consent(invocation)
    forgets = invocation.has("forget")
    sends = invocation.number("send")
    only = invocation.number("N")
  }

  /// - Throws: `Failure` of the guards, for a number that is no open create, and where a question stays undecided;
  ///   `JournalFailure`.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    try await Guards.admitPlainHTTP(session, execution.mode, in: context)
    let market = try await context.market(&session)
    let runner = context.runner(for: market, session)
    let binding = session.binding(at: market.service.baseURL)
    if let sends { return try await send(sends, runner, market, &session, &execution, context) }
    let settled = execution.mode == .dry ? [] : try await runner.recover()
    if execution.mode != .dry, !forgets, only == nil { try await OpenQuestions(session, context).ask(binding) }
    let journal = try context.journal()
    if execution.mode != .dry, !forgets, only == nil { try sayUnshown(binding, journal, session, context) }
    let unfinished = try journal.unfinished(binding).filter { only == nil || $0.n == only }
    if forgets {
      let questions = try journal.unsettled(binding).filter { $0.isQuestion || $0.isAltered }
      return try await forget(
        unfinished + questions.filter { only == nil || $0.n == only }, settled, session, execution.mode, context)
    }
    let altered = unfinished.filter(\.isAltered)
    for entry in altered { context.say(Resume.altered(entry.n), session) }
    var rest = unfinished.filter { !$0.isAltered }
    var done: [Recovered] = []
    if !rest.isEmpty, !context.interruption.isAsked {
      let plan = Plan(rest.compactMap(\.change))
      guard let admitted = try await Guards.admit(plan, consent: consent, session: session, &execution, in: context)
      else { return .nothing }
      rest = rest.filter { $0.change == nil } + admitted.kept(of: rest.filter { $0.change != nil })
      done = try await runner.resume(Set(rest.map(\.n)), pace: consent.pace)
    }
    // What was settled as not applied and then made is told once, by how it ended.
    let made = Set(done.map(\.entry))
    let all = (settled.filter { !made.contains($0.entry) } + done).sorted { $0.entry < $1.entry }
    guard !all.isEmpty else {
      if try journal.unsettled(binding).contains(where: \.isQuestion) { throw Resume.undecided }
      return .message(.note("Nothing is unfinished or unknown.", ko: "미완료 작업도 결과 미확인 작업도 없습니다."))
    }
    return try await WriteReporter(market, context).report(
      Plan(all.map(\.change)), all.map(\.outcome), into: &session, &execution)
  }

  /// Names the products that an interrupted command created without showing its outcome.
  private func sayUnshown(_ binding: Binding, _ journal: Journal, _ session: Session, _ context: Context) throws {
    let entries = try journal.unshownCreates(binding)
    guard !entries.isEmpty else { return }
    let ids = entries.compactMap(\.product)
    let listed = ids.prefix(20).map(String.init).joined(separator: ", ") + (ids.count > 20 ? ", …" : "")
    context.say(
      ids.count == 1
        ? .note(
          "Product \(listed) was created by the command that was interrupted (entry \(entries[0].n)).",
          ko: "중단된 명령이 \(listed)번 상품을 등록했습니다(기록 \(entries[0].n)번).")
        : .note(
          "\(ids.count) products were created by commands that were interrupted: \(listed).",
          ko: "중단된 명령이 상품 \(ids.count)개를 등록했습니다: \(listed)."), session)
    try journal.markShown(entries.map(\.n))
  }

  /// Only a person says this, and only of a create that reading did not find.
  private func send(
    _ number: Int, _ runner: PlanRunner, _ market: Client<Market>, _ session: inout Session,
    _ execution: inout Execution, _ context: Context
  ) async throws -> Report {
    let binding = session.binding(at: market.service.baseURL)
    let entry = try context.journal().unsettled(binding).first { $0.n == number }
    guard let entry, entry.isQuestion, !entry.isAltered, let change = entry.change, case .create = change else {
      throw Failure(
        .refused,
        .failure("Entry \(number) is no create that waits for you.", ko: "기록 \(number)번은 결정을 기다리는 등록이 아닙니다.")
          .next("\(.command("status")) lists what is open.", ko: "\(.command("status"))에서 남은 작업을 볼 수 있습니다."))
    }
    context.say(
      .warning(
        "Entry \(number) may still arrive; sent again, the product may be there twice.",
        ko: "기록 \(number)번은 아직 도착할 수 있습니다. 다시 보내면 상품이 두 개가 될 수 있습니다."
      ).because(OpenQuestions.evidence(of: entry)), session)
    guard try await Guards.admit(Plan([change]), consent: consent, session: session, &execution, in: context) != nil
    else { return .nothing }
    guard let made = try await runner.resend(number) else {
      throw Failure(
        .refused,
        .failure(
          "Entry \(number) cannot be sent again: it was decided elsewhere, or its pictures are gone.",
          ko: "기록 \(number)번을 다시 보낼 수 없습니다. 다른 곳에서 처리되었거나 사진이 없습니다."))
    }
    return try await WriteReporter(market, context).report(
      Plan([made.change]), [made.outcome], into: &session, &execution)
  }

  private static func altered(_ number: Int) -> Message {
    .warning(
      "The record of entry \(number) was altered on disk since it was written; it is not resumed.",
      ko: "기록 \(number)번이 저장된 뒤 디스크에서 바뀌어 재개하지 않습니다."
    ).next(
      "\(.command("resume forget \(number)")) drops it.", ko: "\(.command("resume forget \(number)"), .toward) 포기합니다.")
  }

  private static let undecided = Failure(
    .unknown,
    .warning("What only you can tell stays open.", ko: "직접 확인이 필요한 것은 그대로 남겨 둡니다.")
      .next(
        "At a terminal \(.command("resume")) asks; \(.command("resume forget")) gives it up.",
        ko: "터미널에서는 \(.command("resume"))으로 하나씩 정하고, \(.command("resume forget"))으로 포기합니다."))

  /// What was settled is shown; what was never made is closed, and stays as it is.
  private func forget(
    _ rest: [Entry], _ settled: [Recovered], _ session: Session, _ mode: Execution.Mode, _ context: Context
  ) async throws -> Report {
    guard !rest.isEmpty else {
      return .message(.note("Nothing is unfinished.", ko: "남은 작업이 없습니다."))
    }
    let plan = Plan(rest.compactMap(\.change))
    context.say(
      rest.contains(where: \.isQuestion)
        ? .note(
          "To be given up: \(rest.count) that were not made, or nobody can tell.",
          ko: "포기할 작업: 보내지 않았거나 결과 미확인 \(rest.count)건.")
        : .note("To be given up: \(rest.count) that were not made.", ko: "포기할 작업: 보내지 않은 \(rest.count)건."), session)
    if mode == .dry { return .nothing }
    try await Confirmation(session, context).ask(plan, consent: consent)
    // What another shell goes on with meanwhile is no longer ours to give up.
    let given = try rest.filter { try context.journal().decide($0.n, wasApplied: false) }.count
    return .several([
      BatchTable.report(Plan(settled.map(\.change)), settled.map(\.outcome), summary: nil),
      .message(
        given == 0
          ? .note("None is left to give up.", ko: "포기할 작업이 없습니다.")
          : .success("\(given) given up.", ko: "\(given)건을 포기했습니다.")),
    ])
  }
}
