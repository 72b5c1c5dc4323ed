import Catalog
import Engine
import Foundation
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `get PATH`: reads any URL of the server.
package struct Get: Command {
  package static let declaration = Declaration(
    "get", group: .requests, summary: LocalizedText("read any address of the server", ko: "서버의 임의 주소 읽기"),
    prints: true,
    traits: [.anyEdition],
    parameters: [
      Parameter("PATH", .positional(required: true), .text, LocalizedText("from the server's own /", ko: "서버의 /부터")),
      Parameter(
        "HEADER", .rest(required: false), .text, LocalizedText("headers as name:value", ko: "이름:값 형태의 헤더")),
      Parameter(
        "NAME=VALUE", .assignments, .assignment(["*"]), LocalizedText("of the query", ko: "쿼리의 값")),
      Parameter("auth", .flag, .none, LocalizedText("with the vendor's headers", ko: "판매자 헤더를 붙임")),
    ],
    examples: [
      .init("get /api/products page_no=1 items_per_page=2", "a page as the server spells it", ko: "서버가 보낸 페이지 그대로"),
      .init("get /api/products as table", "the list in it as a table", ko: "응답 속의 목록을 표로"),
      .init("get /healthChecker", "status, headers, body", ko: "상태, 헤더, 본문"),
      .init("get /openapi.json to openapi.json", "the body into a file, byte for byte", ko: "본문을 그대로 파일에"),
    ])

  private let line: RawLine

  /// - Throws: `ParseError` for a URL, header or body that can't be sent, and for a typed secret.
  package init(_ invocation: Invocation) throws { line = try RawLine(invocation, method: "GET") }

  /// - Throws: `TransportFailure` without a response; `MarketError` for a missing login; `FileError` for its files.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    let base = try await line.base(session, in: context)
    let request = try RawRequest(line, session, context).make()
    return try await RawRead(request, line).run(&session, &execution, to: base, in: context)
  }
}

extension Context {
  /// Returns the base URL of the session's server, whatever edition it has.
  ///
  /// - Throws: The errors of opening the embedded market.
  package func address(of session: Session) async throws -> URL {
    if let url = session.server.url?.value { return url }
    return try await embedded(session.server.edition?.value ?? .open)
  }
}
