import Catalog
import Journal
import Language
import Marketplace
import Networking
import Presentation

/// `log`: every write, newest first, with what was before, after, and how it ended.
struct ShowLog: Command {
  static let declaration = Declaration(
    "log", group: .products, summary: Wording("every write, with before and after", ko: "쓴 것 모두, 앞뒤와 함께"), prints: true,
    parameters: [
      Parameter("N", .positional(required: false), .number(1...1_000_000), Wording("only the last N", ko: "마지막 N개만")),
      Parameter("where", .option, .expression, Wording("only those it holds for", ko: "조건에 맞는 것만")),
      Parameter("show", .option, .number(1...Int.max), Wording("one entry, with how it went", ko: "한 기록의 자세한 경과")),
      Parameter("curl", .option, .number(1...Int.max), Wording("its requests as curl commands", ko: "그 요청을 curl 명령으로")),
    ],
    columns: LogColumns.kinds,
    examples: [
      .init("log 5", "the last five writes", ko: "마지막 다섯 개"),
      .init("log where outcome=unknown or after.price<1000", "only some", ko: "조건에 맞는 것만"),
      .init("log show 12", "entry 12, its course and its requests", ko: "기록 12번의 경과와 주고받은 것"),
      .init("log curl 12", "the requests of entry 12 for a shell", ko: "기록 12번의 요청을 셸 명령으로"),
      .init("log 1 as json", "the last one as an object", ko: "마지막 것을 JSON으로"),
    ])

  private let count: Int?
  private let condition: Expression?
  private let shown: Int?
  private let curled: Int?

  init(_ invocation: Invocation) throws {
    count = invocation.number("N")
    condition = try invocation.text("where").map {
      try Expression.read($0, names: FieldNames(columns: LogColumns.kinds))
    }
    shown = invocation.number("show")
    curled = invocation.number("curl")
  }

  func run(_ session: inout Session, in context: Context) async throws -> Report {
    let journal = try context.journal()
    if let shown { return try LogEntry(journal: journal).report(shown) }
    if let curled {
      let embedded = session.place.isEmbedded ? try await context.market(&session).service.baseURL : nil
      return try LogCurl(journal: journal, embedded: embedded).report(curled)
    }
    guard let condition else {
      return .rows(LogTable.of(try journal.entries(limit: count ?? 100), isSingle: count == 1))
    }
    let found = try journal.entries(limit: count ?? .max) { entry in
      condition.holds { LogColumns.value($0, of: entry) }
    }
    return .rows(LogTable.of(found, isSingle: count == 1))
  }
}
