import Catalog
import Journal
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `resume`: settles what is unknown by reading, and goes on with what was not begun or not sent.
struct Resume: Command {
  static let declaration = Declaration(
    "resume", group: .products, summary: Wording("go on with what is unfinished", ko: "남은 것을 이어 하기"), writes: true,
    prints: true,
    parameters: [
      Parameter("forget", .flag, .none, Wording("give up what was not made", ko: "하지 않은 것을 포기")),
      .showingAll,
    ],
    examples: [
      .init("resume", "after an interruption", ko: "중단된 다음에"),
      .init("resume forget", "give up what was not made", ko: "하지 않은 것은 포기"),
    ])

  private let consent: Consent
  private let forgets: Bool

  init(_ invocation: Invocation) {
    consent = Consent(invocation)
    forgets = invocation.has("forget")
  }

  func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    let runner = try await context.runner(&session)
    let binding = session.binding(at: try await context.market(&session).service.baseURL)
    let settled = execution.mode == .dry ? [] : try await runner.recover()
    if execution.mode != .dry { try await OpenQuestions(session, context).ask(binding) }
    let journal = try context.journal()
    let rest = try journal.unfinished(binding)
    if forgets {
      return try await forget(
        rest + journal.unsettled(binding).filter(\.isQuestion), settled, session, execution.mode, context)
    }
    var done: [Recovered] = []
    if !rest.isEmpty, !context.interruption.isAsked {
      let plan = Plan(rest.compactMap(\.change))
      guard try await Guards.admit(plan, consent: consent, session: session, &execution, in: context) else {
        return .nothing
      }
      done = try await runner.resume(Set(rest.map(\.n)), pace: consent.pace)
    }
    // What was settled as not applied and then made is told once, by how it ended.
    let made = Set(done.map(\.entry))
    let all = (settled.filter { !made.contains($0.entry) } + done).sorted { $0.entry < $1.entry }
    guard !all.isEmpty else {
      if try journal.unsettled(binding).contains(where: \.isQuestion) { throw Resume.undecided }
      return .message(.note("Nothing is unfinished or unknown.", ko: "끝나지 않은 것도 결과를 모르는 것도 없습니다."))
    }
    return try await Writer(context).report(Plan(all.map(\.change)), all.map(\.outcome), into: &session, &execution)
  }

  private static let undecided = Failure(
    .unknown,
    .warning("What only you can tell stays open.", ko: "당신만 알 수 있는 것은 그대로 남겨 둡니다.")
      .next(
        "At a terminal \(.command("resume")) asks; \(.command("resume forget")) gives it up.",
        ko: "터미널에서는 \(.command("resume"))이 묻습니다. \(.command("resume forget")), 포기하는 명령입니다."))

  /// What was settled is shown; what was never made is closed, and stays as it is.
  private func forget(
    _ rest: [Entry], _ settled: [Recovered], _ session: Session, _ mode: Execution.Mode, _ context: Context
  ) async throws -> Report {
    guard !rest.isEmpty else {
      return .message(.note("Nothing is unfinished.", ko: "남은 것이 없습니다."))
    }
    let plan = Plan(rest.compactMap(\.change))
    context.say(
      rest.contains(where: \.isQuestion)
        ? .note(
          "To be given up: \(rest.count) that were not made, or nobody can tell.",
          ko: "포기할 것: 하지 않았거나 알 수 없는 \(rest.count)건.")
        : .note("To be given up: \(rest.count) that were not made.", ko: "포기할 것: 하지 않은 \(rest.count)건."), session)
    if mode == .dry { return .nothing }
    try await Confirmation(session, context).ask(plan, consent: consent)
    // What another shell goes on with meanwhile is no longer ours to give up.
    let given = try rest.filter { try context.journal().decide($0.n, wasApplied: false) }.count
    return .several([
      .rows(BatchTable.of(Plan(settled.map(\.change)), settled.map(\.outcome))),
      .message(
        given == 0
          ? .note("None is left to give up.", ko: "포기할 것이 남지 않았습니다.")
          : .success("\(given) given up.", ko: "\(given)건을 포기했습니다.")),
    ])
  }
}
