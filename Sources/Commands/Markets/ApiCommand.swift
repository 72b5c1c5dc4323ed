import Catalog
import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `api`: shows the requests of the session's market, and checks a file that describes one.
package struct ApiCommand: Command {
  package static let declaration = CommandDeclaration(
    "api", group: .api,
    summary: LocalizedText(
      "show the requests of the API in use, or check a file that describes one", ko: "쓰고 있는 API의 요청 보기, API를 설명하는 파일 검사"
    ),
    usage: ["api [ENDPOINT]", "api show", "api check FILE"],
    details: LocalizedText(
      "Lists the requests of the API. With ENDPOINT, shows one with its fields beside those of openmarket, limits, errors, curl line, Swift and the JSON that the market sends now. A file can describe the API of another product server; see help markets. check reads the file only and sends nothing.",
      ko:
        "API의 요청을 표시합니다. ENDPOINT를 적으면 그 요청의 필드와 openmarket의 이름, 한도, 오류, curl 명령, Swift 코드, 마켓이 지금 보내는 JSON을 표시합니다. 다른 상품 서버의 API를 파일로 설명할 수 있습니다(help markets 참고). check는 파일만 읽고 아무것도 보내지 않습니다."
    ),
    producesData: true,
    parameters: [
      Parameter(
        "ENDPOINT", .positional(required: false), kind: .choice(EndpointReading.words),
        summary: LocalizedText("the request to show", ko: "표시할 요청")),
      Parameter("show", .flag, kind: .none, summary: LocalizedText("show the API in use", ko: "쓰고 있는 API 보기")),
      Parameter(
        "check", .option, kind: .file,
        summary: LocalizedText("find the faults of a file, with line and column", ko: "파일의 오류를 줄, 열과 함께 찾음"),
        placeholder: "FILE"),
    ],
    examples: [
      .init("api", "the requests of the market in use", ko: "쓰고 있는 마켓의 요청"),
      .init("api create", "what a create needs and returns", ko: "등록에 필요한 값과 응답"),
      .init("api check shop.toml", "finds the faults without sending anything", ko: "아무것도 보내지 않고 오류를 찾음"),
      .init("api show", "the requests and fields of the market in use", ko: "쓰고 있는 마켓의 요청과 필드"),
    ])

  private let file: String?
  /// The requests to show, or `nil` for the facts that the session has of its API.
  private let reading: EndpointReading?

  package init(_ invocation: ParsedCommand) {
    file = invocation.text("check")
    reading = invocation.has("show") ? nil : EndpointReading(invocation.text("ENDPOINT"))
  }

  /// - Throws: `DescriptionError` with the faults of a file, `FileError` if it can't be read, and the errors of opening
  ///   the market.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let file {
      let path = APIWord.path(file, home: scope.context.environment["HOME"])
      return CommandResult(ApiCommand.report(try DescriptionReader.read(path: path)))
    }
    if let reading, let result = try await reading.run(in: &scope) { return result }
    let dialect = try await scope.marketClient().service.dialect
    let table = Report.rows(ApiCommand.table(dialect))
    guard dialect.edition != nil else { return CommandResult(table) }
    scope.say(
      .note(
        "The requests: \(.command("api")). Those of a command: \(.command("curl ls")). The OpenAPI document of the built-in market: \(.command("get /openapi.json")).",
        ko:
          "요청 목록: \(.command("api")). 명령의 요청: \(.command("curl ls")). 내장 마켓의 OpenAPI 문서: \(.command("get /openapi.json"))."
      ))
    return CommandResult(table)
  }

  private static func report(_ market: MarketDescription) -> Report {
    let count = market.fields.count
    let words = (["list", "read"] + market.writes.map { ApiCommand.word($0.operation) }).joined(separator: ", ")
    var messages: [Message] = [
      .success(
        "\(.value(market.file))  \(market.name): \(count) \(count == 1 ? StyledText("field") : "fields"), \(words)",
        ko: "\(.value(market.file))  \(market.name): 필드 \(count)개, \(words)")
    ]
    let missing = [ProductField.price, .discount, .stock].filter { field in
      market.fields[field] == nil && !(field == .discount && market.fields[.sale] != nil)
    }
    for field in missing {
      messages.append(
        .note(
          "no \(.field(field.rawValue)): a condition on it selects nothing",
          ko: "\(.field(field.rawValue)) 없음: 이 필드의 조건에 맞는 상품이 없습니다"))
    }
    if let note = ApiCommand.paging(market) { messages.append(note) }
    if case .query = market.authentication {
      messages.append(
        .warning(
          "The secret is a part of the URL, which servers and proxies log.",
          ko: "시크릿이 주소에 들어가므로 서버와 프록시의 기록에 남습니다."))
    }
    for line in market.unchecked {
      messages.append(
        .warning(
          "\(market.file):\(line): a guess that nobody confirmed (# CHECK)",
          ko: "\(market.file):\(line): 확인하지 않은 추측(# CHECK)"))
    }
    messages += ApiCommand.changes(market)
    return .group(messages.map { .message($0) })
  }

  /// Returns the notes about missing changes, and about missing checks of the server.
  private static func changes(_ market: MarketDescription) -> [Message] {
    let changes: [MarketAPI.Operation] = [.create, .edit, .delete]
    let missing = changes.filter { market.write($0) == nil }.map { "[\(word($0))]" }.joined(separator: ", ")
    var notes: [Message] = []
    if !missing.isEmpty {
      notes.append(
        .note("no \(missing): such changes are refused", ko: "\(missing) 없음: 그런 변경은 할 수 없습니다"))
    }
    if market.write(.edit).map({ !$0.usesETag }) == true {
      notes.append(
        .note(
          "no precondition: a change between the last look and the write is overwritten",
          ko: "precondition 없음: 마지막으로 읽은 뒤의 변경은 덮어씁니다"))
    }
    if let create = market.write(.create) {
      notes.append(
        create.mark.map { mark in
          .note(
            "the id of each create stays in \(mark.description), where people see it",
            ko: "등록 번호가 \(mark.description)에 남아 사람에게 보입니다")
        }
          ?? .note(
            "no mark: a create whose response is lost may become a question",
            ko: "mark 없음: 응답을 잃은 등록은 직접 확인해야 할 수 있습니다"))
    }
    return notes
  }

  private static func paging(_ market: MarketDescription) -> Message? {
    switch market.list.page.kind {
    case .none where market.list.page.total == nil:
      .note("no pages: every list is read as a whole", ko: "페이지 없음: 목록을 매번 전부 읽습니다")
    case .cursor, .link:
      .note("pages are read one after the other: page 9 needs nine requests", ko: "페이지를 차례로 읽습니다: 9쪽을 보려면 요청 9번")
    case .page, .offset, .none: nil
    }
  }

  /// Returns the name of the table of an operation in a file.
  private static func word(_ operation: MarketAPI.Operation) -> String {
    operation == .edit ? "update" : operation.rawValue
  }

  private static func table(_ dialect: Dialect) -> Table {
    var rows: [(String, String)] = [("api", dialect.name)]
    if let market = dialect.marketDescription {
      let path = { (path: RequestPath) in market.base.appending(path).description }
      rows += [
        ("file", market.file), ("auth", ApiCommand.authentication(market.authentication)),
        ("list", path(market.list.path)), ("read", path(market.read.path)),
        ("pages", market.list.page.kind.rawValue),
      ]
      if let total = market.list.page.total { rows.append(("total", total.description)) }
      if let search = market.list.search {
        rows.append(("search", path(search.path ?? market.list.path) + "?" + search.parameter))
      }
      rows.append(("id", market.id.description))
      for field in ProductField.allCases {
        guard let rule = market.fields[field] else { continue }
        rows.append((field.rawValue, rule.constant ?? "\(rule.at) \(rule.notation.rawValue)"))
      }
    } else {
      rows.append(("operations", dialect.capabilities.operations.map(\.rawValue).joined(separator: ", ")))
    }
    return Table(
      [.init("name", LocalizedText("name", ko: "이름")), .init("value", LocalizedText("value", ko: "값"))],
      rows: rows.map { [.text($0.0), .text($0.1)] })
  }

  private static func authentication(_ authentication: MarketDescription.Authentication) -> String {
    switch authentication {
    case .none: "none"
    case .basic: "basic"
    case .bearer: "bearer"
    case .header(let name, _): "header \(name)"
    case .query(let name): "query \(name)"
    }
  }
}
