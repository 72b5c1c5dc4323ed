import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `class URL`: shows what the vendors of `openmarket serve` requested, or the requests of their apps as they come.
///
/// The teacher's key in the URL is a secret: the line is not stored, and the key is masked wherever the request is shown.
package struct ClassCommand: Command {
  package static let declaration = CommandDeclaration(
    "class", group: .api,
    summary: LocalizedText("show the requests of a class", ko: "수업의 요청 보기"),
    usage: ["class URL", "class URL follow"],
    details: LocalizedText(
      "Shows what each vendor of openmarket serve requested: responses by status, mistakes, and the last request. The URL is that of the teacher's page, which serve prints. follow prints the requests of apps as they come, until Ctrl-C; those of openmarket and pictures are left out.",
      ko:
        "openmarket serve의 판매자마다 요청, 상태별 응답, 실수, 마지막 요청을 표시합니다. 주소는 serve가 출력하는 교사용 페이지의 주소입니다. follow는 앱의 요청을 오는 대로 Ctrl-C를 누를 때까지 표시하고, openmarket의 요청과 사진은 뺍니다."
    ),
    producesData: true,
    traits: [.editionIndependent, .acceptsSecret],
    parameters: [
      Parameter(
        "URL", .positional(required: true), kind: .text,
        summary: LocalizedText("URL of the teacher's page, with its key", ko: "키가 있는 교사용 페이지의 주소")),
      Parameter(
        "follow", .flag, kind: .none,
        summary: LocalizedText("print requests as they come, until Ctrl-C", ko: "Ctrl-C를 누를 때까지 요청을 오는 대로 표시")),
    ],
    examples: [
      .init(
        "class 'http://127.0.0.1:8080/?key=KEY'", "a row for each vendor with requests",
        ko: "요청을 보낸 판매자마다 한 줄"),
      .init(
        "class 'http://127.0.0.1:8080/?key=KEY' follow", "who sends what, and with which mistake",
        ko: "누가 무엇을 보내고 어디서 틀리는지"),
      .init("class 'http://127.0.0.1:8080/?key=KEY' to class.csv", "as CSV, for a spreadsheet", ko: "스프레드시트용 CSV"),
    ])

  /// The keys of the report's columns, which are the first line of its CSV.
  package static let columnKeys = columns.map(\.key)

  private static let columns: [Table.Column] = [
    .init("vendor_id", LocalizedText("vendor_id", ko: "vendor_id"), isNumber: true),
    .init("name", LocalizedText("name", ko: "이름")),
    .init("requests", LocalizedText("requests", ko: "요청"), isNumber: true),
    .init("last_seen", LocalizedText("last request", ko: "마지막 요청"), dropOrder: 1),
    .init("statuses", LocalizedText("responses", ko: "응답")),
    .init("mistakes", LocalizedText("mistakes", ko: "실수"), minimumWidth: 20),
  ]

  private let origin: String?
  private let key: Secret
  private let follows: Bool
  private let clauses: Clauses
  /// The time between two readings of the requests.
  private static let interval = Duration.seconds(1)

  /// - Throws: `ParseError` for a URL without a key.
  package init(_ invocation: ParsedCommand) throws {
    let (origin, path, query) = try RawRequestArguments.address(invocation.text("URL") ?? "")
    guard let key = query.first(where: { $0.name == "key" }).flatMap({ Secret($0.value) }),
      [[""], ["class"]].contains(path)
    else {
      throw ParseError(
        LocalizedText("The URL is not that of a teacher's page.", ko: "교사용 페이지의 주소가 아닙니다."),
        suggestion: LocalizedText(
          "Use the URL that \(.command("openmarket serve")) prints, such as \(.command("http://127.0.0.1:8080/?key=…")).",
          ko: "\(.command("openmarket serve"), .subject) 출력하는 \(.command("http://127.0.0.1:8080/?key=…")) 같은 주소를 쓰세요."))
    }
    (self.origin, self.key) = (origin, key)
    (follows, clauses) = (invocation.has("follow"), invocation.clauses)
    if follows, clauses.isRedirected {
      throw ParseError(
        LocalizedText(
          "The requests never end, so they cannot be saved to a file or piped.",
          ko: "요청은 끝없이 이어지므로 파일이나 프로그램에 넘기지 않습니다."))
    }
  }

  /// - Throws: `CommandError` for a wrong key, and for a response that is not a report; `TransportError` without one.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let secret = NamedSecret("OPENMARKET_CLASS_KEY", key)
    scope.context.stores.secrets.add([secret])
    let base = try await server(scope)
    try await WriteApproval.admitPlainHTTP(to: base, in: scope)
    if follows { return try await follow(secret, at: base, in: scope) }
    return .rows(try ClassCommand.table(try await report([QueryItem("format", "csv")], secret, at: base, in: scope)))
  }

  /// Prints requests of apps until the task is cancelled.
  private func follow(_ secret: NamedSecret, at base: URL, in scope: CommandScope) async throws -> CommandResult {
    func rows(after number: Int) async throws -> [ReceivedCallRow] {
      let query = [QueryItem("format", "calls"), QueryItem("after", String(number))]
      return try ClassCommand.requests(try await report(query, secret, at: base, in: scope))
    }
    var last = try await rows(after: 0).last?.number ?? 0
    let writer = ReceivedCallWriter(clauses, in: scope)
    scope.say(CallFollower.start(base.absoluteString))
    while true {
      for row in try await rows(after: last) {
        last = row.number
        try writer.write(row)
      }
      try await scope.context.program.spinner.hidden { try await scope.context.clock.pause(ClassCommand.interval) }
    }
  }

  /// Returns a report of the server.
  private func report(
    _ query: [QueryItem], _ secret: NamedSecret, at base: URL, in scope: CommandScope
  ) async throws -> String {
    let request = Request(
      .get, ["class"], query: [QueryItem("key", key.reveal())] + query,
      headers: [HeaderField("Accept-Language", scope.session.settings.language.rawValue)], secrets: [secret])
    let response = try await scope.transport().send(request, to: base, with: SendOptions())
    guard response.status == 200 else { throw ClassCommand.refusal(response.status) }
    return String(decoding: response.body, as: UTF8.self)
  }

  /// Returns the requests in a server's CSV.
  private static func requests(_ text: String) throws -> [ReceivedCallRow] {
    guard let cells = try? CSVReader.rows(of: text).map({ $0.cells.map(\.text) }), cells.first == ReceivedCallRow.keys
    else { throw notAReport }
    return try cells.dropFirst().map { cells in
      guard let row = ReceivedCallRow(cells) else { throw notAReport }
      return row
    }
  }

  private static let notAReport = CommandError(
    .refused, .failure("The response is not the report of a class.", ko: "수업 보고서가 아닌 응답이 왔습니다."))

  private func server(_ scope: CommandScope) async throws -> URL {
    guard let origin else { return try await scope.address() }
    guard let url = URL(string: origin) else { throw TransportError(.invalidURL(origin), extent: .none) }
    return url
  }

  private static func table(_ text: String) throws -> Table {
    guard let rows = try? CSVReader.rows(of: text).map({ $0.cells.map(\.text) }), rows.first == columnKeys,
      rows.allSatisfy({ $0.count == columns.count })
    else { throw notAReport }
    return Table(columns, rows: rows.dropFirst().map { row in zip(columns, row).map(cell) })
  }

  private static func cell(_ column: Table.Column, _ text: String) -> Table.Cell {
    if column.key == "last_seen" { return Timestamp(text).map { .timestamp($0) } ?? .text(text) }
    guard column.isNumber else { return .text(CSVInjection.unescape(text)) }
    return Int(text).map { .number($0) } ?? .none
  }

  private static func refusal(_ status: Int) -> CommandError {
    let message = Message.failure(
      "The server did not send the report (\(HTTPStatus.described(status))).",
      ko: "서버가 보고서를 보내지 않았습니다(\(HTTPStatus.described(status))).")
    return CommandError(
      .refused,
      message.next(
        "The key changes whenever \(.command("openmarket serve")) starts; use the one that it printed last.",
        ko: "키는 \(.command("openmarket serve"), .subject) 시작할 때마다 바뀝니다. 마지막에 출력한 것을 쓰세요."))
  }
}
