import Catalog
import Engine
import Language
import Platform
import Presentation
import Text

/// `history`: the lines typed before, oldest first.
package struct ShowHistory: Command {
  package static let declaration = Declaration(
    "history", group: .session, summary: LocalizedText("lines typed before", ko: "입력 기록"), prints: true,
    traits: [.leftOutOfScripts],
    parameters: [
      Parameter(
        "N", .positional(required: false), .number(1...1_000_000), LocalizedText("only the last N", ko: "마지막 N줄만")),
      Parameter(
        "session", .flag, .none,
        LocalizedText("the commands of this session, with the numbers save takes", ko: "이 세션의 명령과 save에 쓰는 번호")),
    ],
    examples: [
      .init("history session", "this session's commands", ko: "이 세션의 명령"),
      .init("history 20", "the last twenty lines", ko: "마지막 스무 줄"),
    ])

  private let count: Int?

  private let ofSession: Bool

  package init(_ invocation: Invocation) {
    count = invocation.number("N")
    ofSession = invocation.has("session")
  }

  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async -> Report {
    if ofSession { return deeds(session) }
    let lines = await context.history()
    let first = max(0, lines.count - (count ?? lines.count))
    return .rows(
      Table(
        [.init("n", LocalizedText("#", ko: "#"), isNumber: true), .init("line", LocalizedText("line", ko: "줄"))],
        rows: lines.indices.dropFirst(first).map { [.number($0 + 1), .text(lines[$0])] }))
  }

  private func deeds(_ session: Session) -> Report {
    let deeds = session.deeds.all.suffix(count ?? Int.max)
    return .rows(
      Table(
        [
          .init("n", LocalizedText("#", ko: "#"), isNumber: true), .init("line", LocalizedText("line", ko: "줄")),
          .init("exit", LocalizedText("exit", ko: "종료 코드"), isNumber: true),
        ],
        rows: deeds.map { [.number($0.number), $0.line.map { .text($0) } ?? .none, .number(Int($0.code.rawValue))] }))
  }
}
