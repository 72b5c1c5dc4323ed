import Catalog
import Language
import Presentation

/// `history`: the lines typed before, oldest first.
struct ShowHistory: Command {
  static let declaration = Declaration(
    "history", group: .session, summary: Wording("lines typed before", ko: "전에 친 줄"), prints: true,
    parameters: [
      Parameter("N", .positional(required: false), .number(1...1_000_000), Wording("only the last N", ko: "마지막 N줄만"))
    ],
    examples: [.init("history 20", "the last twenty lines", ko: "마지막 스무 줄")])

  private let count: Int?

  init(_ invocation: Invocation) { count = invocation.number("N") }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    let lines = await context.history()
    let first = max(0, lines.count - (count ?? lines.count))
    return .rows(
      Table(
        [.init("n", Wording("#", ko: "#"), isNumber: true), .init("line", Wording("line", ko: "줄"))],
        rows: lines.indices.dropFirst(first).map { [.number($0 + 1), .text(lines[$0])] }))
  }
}
