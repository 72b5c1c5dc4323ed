import Catalog
import Journal
import Language
import Presentation

/// `log`: every write, newest first, with what was before, after, and how it ended.
struct ShowLog: Command {
  static let declaration = Declaration(
    "log", group: .products, summary: Wording("every write, with before and after", ko: "쓴 것 모두, 앞뒤와 함께"), prints: true,
    parameters: [
      Parameter("N", .positional(required: false), .number(1...1_000_000), Wording("only the last N", ko: "마지막 N개만")),
      Parameter("show", .option, .number(1...Int.max), Wording("one entry, with how it went", ko: "한 기록의 자세한 경과")),
    ],
    examples: [
      .init("log 5", "the last five writes", ko: "마지막 다섯 개"),
      .init("log show 12", "entry 12 and its course", ko: "기록 12번의 경과"),
      .init("log 1 as json", "the last one as an object", ko: "마지막 것을 JSON으로"),
    ])

  private let count: Int?
  private let entry: Int?

  init(_ invocation: Invocation) {
    count = invocation.number("N")
    entry = invocation.number("show")
  }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    let journal = try context.journal()
    if let entry { return try show(entry, in: journal) }
    return .rows(LogTable.of(try journal.entries(limit: count ?? 100), isSingle: count == 1))
  }

  private func show(_ number: Int, in journal: Journal) throws -> Report {
    guard let entry = try journal.entry(number) else {
      throw Failure(.refused, .failure("The log has no entry \(number).", ko: "기록에 \(number)번이 없습니다."))
    }
    let events = try journal.events(of: number).map { event -> [Table.Cell] in
      [
        .text(event.time.description), .number(event.attempt), .text(event.state),
        event.evidence.map { .text($0) } ?? .none,
      ]
    }
    let course = Table(
      [
        .init("time", Wording("time", ko: "때")), .init("attempt", Wording("attempt", ko: "시도"), isNumber: true),
        .init("state", Wording("state", ko: "상태")), .init("evidence", Wording("evidence", ko: "근거")),
      ], rows: events)
    return .several([.rows(LogTable.of([entry], isSingle: true)), .rows(course)])
  }
}
