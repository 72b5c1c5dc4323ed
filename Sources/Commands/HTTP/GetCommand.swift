import CommandLanguage
import Foundation
import MarketAPI
import Presentation
import ShellRuntime
import Text

/// `get PATH`: reads any URL of the server.
package struct GetCommand: Command {
  package static let declaration = CommandDeclaration(
    "get", group: .api, summary: LocalizedText("send a GET request to any path", ko: "서버의 경로에 GET 요청 보내기"),
    usage: ["get PATH [HEADER:VALUE...] [NAME=VALUE...] [auth]"],
    details: LocalizedText(
      "Shows status, headers and body. NAME=VALUE adds query parameters. The response is available as _ in the next commands: _[0].id.",
      ko: "상태 코드, 헤더, 본문을 표시합니다. NAME=VALUE는 쿼리에 들어갑니다. 다음 명령에서 응답을 _로 쓸 수 있습니다: _[0].id."),
    producesData: true,
    traits: [.capturesResponse, .editionIndependent],
    parameters: [
      Parameter(
        "PATH", .positional(required: true), kind: .text,
        summary: LocalizedText("path on the server, starting with /", ko: "/로 시작하는 서버 경로")),
      Parameter(
        "HEADER", .rest(required: false), kind: .text,
        summary: LocalizedText("headers as name:value", ko: "이름:값 형태의 헤더")),
      Parameter(
        "NAME=VALUE", .assignments, kind: .productAssignments(["*"]),
        summary: LocalizedText("query parameters", ko: "쿼리의 값")),
      Parameter(
        "auth", .flag, kind: .none, summary: LocalizedText("add the vendor's credentials as headers", ko: "판매자 헤더를 붙임")),
    ],
    variantOf: "raw",
    examples: [
      .init(
        "get /api/products page_no=1 items_per_page=2", "a page exactly as the server sends it", ko: "서버가 보낸 페이지 그대로"),
      .init("get /api/products as table", "shows the list in the response as a table", ko: "응답 속의 목록을 표로"),
      .init("get /healthChecker", "prints status, headers and body", ko: "상태, 헤더, 본문"),
      .init("get /openapi.json to openapi.json", "saves the body unchanged", ko: "본문을 그대로 파일에"),
    ])

  private let line: RawRequestArguments

  /// - Throws: `ParseError` for a URL, header or body that can't be sent, and for a typed secret.
  package init(_ invocation: ParsedCommand) throws { line = try RawRequestArguments(invocation, method: "GET") }

  /// - Throws: `TransportError` without a response; `MarketError` for a missing login; `FileError` for its files.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let base = try await line.base(in: scope)
    let request = try await RawRequestBuilder(line, scope).make(for: base)
    return try await RawRead(request, line).run(to: base, in: &scope)
  }
}
