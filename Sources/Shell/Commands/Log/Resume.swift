import Catalog
import Journal
import Language
import Marketplace
import Networking
import Presentation

/// `resume`: settles what is unknown by reading, and goes on with what was not begun or not sent.
struct Resume: Command {
  static let declaration = Declaration(
    "resume", group: .products, summary: Wording("go on with what is unfinished", ko: "남은 것을 이어 하기"), writes: true,
    prints: true, examples: [.init("resume", "after an interruption", ko: "중단된 다음에")])

  private let consent: Consent

  init(_ invocation: Invocation) { consent = Consent(invocation) }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    try Guards.requireWritable(session)
    let runner = try await context.runner(&session)
    let settled = try await runner.recover()
    let binding = session.binding(at: try await context.market(&session).service.baseURL)
    let rest = try context.journal().unfinished(binding).compactMap(\.change)
    var done: [Recovered] = []
    if !rest.isEmpty {
      try await Guards.admit(Plan(rest), consent: consent, session: session, in: context)
      done = try await runner.resume(pace: consent.pace)
    }
    let all = settled + done
    guard !all.isEmpty else {
      return .message(.note("Nothing is unfinished or unknown.", ko: "남은 것도 모르는 것도 없습니다."))
    }
    return try await Writer(context).report(Plan(all.map(\.change)), all.map(\.outcome), into: &session)
  }
}
