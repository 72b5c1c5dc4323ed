import Catalog
import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `api`: shows the requests of the session's market, and checks or derives a file that describes one.
package struct ApiCommand: Command {
  package static let declaration = CommandDeclaration(
    "api", group: .api,
    summary: LocalizedText(
      "show the requests of the API in use; check or derive a file that describes one",
      ko: "쓰고 있는 API의 요청 보기, API를 설명하는 파일 검사·추측"),
    usage: ["api [ENDPOINT]", "api show", "api check FILE", "api from FILE [FILE]"],
    details: LocalizedText(
      "Lists the requests of the API. With ENDPOINT, shows one with its fields beside those of openmarket, limits, errors, curl line, Swift and the JSON that the market sends now. A file can describe the API of another product server; see help markets. check and from read files only and send nothing. from makes a description of an OpenAPI document, or of a saved page of the list and a saved product; every line is a guess, and a comment says why.",
      ko:
        "API의 요청을 표시합니다. ENDPOINT를 적으면 그 요청의 필드와 openmarket의 이름, 한도, 오류, curl 명령, Swift 코드, 마켓이 지금 보내는 JSON을 표시합니다. 다른 상품 서버의 API를 파일로 설명할 수 있습니다(help markets 참고). check와 from은 파일만 읽고 아무것도 보내지 않습니다. from은 OpenAPI 문서, 또는 저장해 둔 목록 한 쪽과 상품 하나의 응답으로 설명을 만듭니다. 줄마다 추측이며, 이유는 주석에 있습니다."
    ),
    producesData: true,
    parameters: EndpointReading.parameters + [
      Parameter("show", .flag, kind: .none, summary: LocalizedText("show the API in use", ko: "쓰고 있는 API 보기")),
      Parameter(
        "check", .option, kind: .file,
        summary: LocalizedText("find the faults of a file, with line and column", ko: "파일의 오류를 줄, 열과 함께 찾음"),
        placeholder: "FILE"),
      Parameter(
        "from", .option, kind: .file,
        summary: LocalizedText(
          "derive a description from an OpenAPI document in JSON, or from a saved page of the list",
          ko: "JSON인 OpenAPI 문서나 저장한 목록 한 쪽으로 설명 만들기"),
        placeholder: "FILE"),
      Parameter(
        "FILE", .positional(required: false), kind: .file,
        summary: LocalizedText("after from FILE: a saved product", ko: "from FILE 뒤에: 저장한 상품 하나"),
        neededOption: "from"),
    ],
    examples: [
      .init("api", "the requests of the market in use", ko: "쓰고 있는 마켓의 요청"),
      .init("api create", "what a create needs and returns", ko: "등록에 필요한 값과 응답"),
      .init("api check shop.toml", "finds the faults without sending anything", ko: "아무것도 보내지 않고 오류를 찾음"),
      .init("api from openapi.json to shop.toml", "a description to be corrected", ko: "고쳐서 쓸 설명"),
      .init("api from page.json product.json to shop.toml", "the same from two saved responses", ko: "저장한 응답 두 개로"),
      .init("api show", "the requests and fields of the market in use", ko: "쓰고 있는 마켓의 요청과 필드"),
    ])

  /// The task of a line.
  private enum Action {
    case show
    case read(EndpointReading)
    case check(String)
    /// The files: a document, or a page of the list and possibly a product.
    case derive([String])
  }

  private let action: Action

  /// - Throws: `ParseError` for two tasks, and for a file without `from`.
  package init(_ invocation: ParsedCommand) throws {
    let (checked, source, second) = (invocation.text("check"), invocation.text("from"), invocation.text("FILE"))
    var actions = EndpointReading.words.filter { invocation.has($0) }.map { Action.read(EndpointReading($0)) }
    if invocation.has("show") { actions.append(.show) }
    if let checked { actions.append(.check(checked)) }
    if let source { actions.append(.derive([source, second].compactMap(\.self))) }
    guard actions.count <= 1 else {
      throw ParseError(
        LocalizedText(
          "\(.command("api")) does one task: an endpoint, \(.field("show")), \(.field("check")) or \(.field("from")).",
          ko:
            "\(.command("api"), .topic) 요청 하나, \(.field("show")), \(.field("check")), \(.field("from")) 가운데 하나만 합니다."))
    }
    if let file = second, source == nil {
      throw ParseError(
        LocalizedText(
          "\(.value(file)) is not a task of \(.command("api")).", ko: "\(.value(file)) 작업은 \(.command("api"))에 없습니다."),
        suggestion: LocalizedText(
          "Use \(.command("api check FILE")), \(.command("api from FILE")), or one of \(EndpointReading.words.joined(separator: ", ")).",
          ko:
            "\(.command("api check FILE")), \(.command("api from FILE")) 또는 \(EndpointReading.words.joined(separator: ", ")) 가운데 하나를 쓰세요."
        ))
    }
    action = actions.first ?? .read(EndpointReading(nil))
  }

  /// - Throws: `DescriptionError` with the faults of a file, `FileError` if it can't be read, `CommandError` for a document
  ///   without a list of products and for an operation that the API lacks, and the errors of opening and reading the market.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let home = scope.context.program.environment["HOME"]
    switch action {
    case .check(let file):
      return CommandResult(ApiCommand.report(try DescriptionReader.read(path: APIWord.path(file, home: home))))
    case .derive(let files):
      return try ApiCommand.derive(try files.map { try DerivationSource($0, home: home) }, in: scope)
    case .read(let reading):
      if let result = try await reading.run(in: &scope) { return result }
      return try await show(in: &scope)
    case .show: return try await show(in: &scope)
    }
  }

  private func show(in scope: inout CommandScope) async throws -> CommandResult {
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

  private static func derive(_ sources: [DerivationSource], in scope: CommandScope) throws -> CommandResult {
    let text = try DerivationSource.text(of: sources)
    let plain = text[scope.session.settings.language].plain
    guard !scope.context.stores.secrets.occur(in: plain) else {
      throw CommandError(
        .blocked,
        .failure("The description would contain a secret. Nothing was written.", ko: "설명에 시크릿이 들어갑니다. 아무것도 쓰지 않았습니다.")
          .because("The file contains a stored secret in a name or a path.", ko: "파일의 이름이나 경로에 저장된 시크릿이 있습니다.")
          .next("Remove it from the file.", ko: "파일에서 지우세요."))
    }
    // What is derived can be read, whatever the document contains.
    let market = try DescriptionReader.read(plain, named: sources[0].name)
    var result = CommandResult.text(text)
    let (fields, words) = (market.fields.count, ApiCommand.words(market))
    var note = Message.note(
      "\(fields) \(fields == 1 ? StyledText("field") : "fields"), \(words)", ko: "필드 \(fields)개, \(words)")
    let count = market.unchecked.count
    if count > 0 {
      note = note.because(
        "\(count) \(count == 1 ? StyledText("guess") : "guesses") about money: nothing is written to the market until the comments with CHECK are removed.",
        ko: "금액에 대한 추측 \(count)개: CHECK 주석을 지우기 전에는 마켓에 아무것도 쓰지 않습니다.")
    }
    result.closingMessages = [
      note.next(
        "Read the comments and correct the lines, then run \(.command("api check FILE")).",
        ko: "주석을 읽고 줄을 고친 뒤 \(.command("api check FILE"), .object) 실행하세요.")
    ]
    return result
  }

  private static func words(_ market: MarketDescription) -> String {
    (["list", "read"] + market.writes.map { ApiCommand.word($0.operation) }).joined(separator: ", ")
  }

  private static func report(_ market: MarketDescription) -> Report {
    let count = market.fields.count
    let words = ApiCommand.words(market)
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
