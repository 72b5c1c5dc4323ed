import CommandLanguage
import Foundation
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text

/// `raw`: sends any request as typed.
///
/// A write is confirmed, recorded in the journal first and sent once.
package struct RawCommand: Command {
  package static let declaration = CommandDeclaration(
    "raw", group: .api, summary: LocalizedText("send any HTTP request", ko: "원하는 HTTP 요청 보내기"),
    usage: ["raw METHOD PATH [BODY | FIELD=VALUE...] [HEADER:VALUE...] [auth]", "raw curl ..."],
    details: LocalizedText(
      "Sends the request exactly as typed. Requests that change data are shown first, asked about and logged, but cannot be undone. The vendor's credentials are sent only with auth.",
      ko: "요청을 입력한 그대로 보냅니다. 데이터를 바꾸는 요청은 먼저 보여 주고 물으며 로그에 저장하지만, 되돌릴 수 없습니다. 판매자의 로그인 정보는 auth가 있어야 보냅니다."),
    writesToMarket: true,
    producesData: true,
    traits: [.editionIndependent, .sendsAsTyped],
    parameters: [
      Parameter(
        "METHOD", .positional(required: true), .choice(RawRequestArguments.methods),
        LocalizedText("HTTP method", ko: "HTTP 메서드")),
      Parameter(
        "PATH", .positional(required: true), .text,
        LocalizedText("path on the server, starting with /, or a full URL", ko: "서버의 /부터, 또는 전체 주소")),
      Parameter(
        "BODY", .rest(required: false), .text,
        LocalizedText("body, @file, or headers as name:value", ko: "본문, @파일, 또는 이름:값 형태의 헤더")),
      Parameter(
        "FIELD=VALUE", .assignments, .productAssignments(["*"]),
        LocalizedText("JSON body values; query parameters for GET", ko: "JSON 본문의 값; GET에서는 쿼리")),
      Parameter("auth", .flag, .none, LocalizedText("add the vendor's credentials as headers", ko: "판매자 헤더를 붙임")),
      Parameter(
        "pasted", .option, .text,
        LocalizedText(
          "a curl command, pasted unchanged. You can also paste it at the prompt directly",
          ko: "그대로 붙여 넣은 curl 명령. 프롬프트에 바로 붙여 넣어도 됨")),
    ],
    examples: [
      .init("raw GET /api/products?page_no=1", "prints the response unchanged", ko: "서버의 응답 그대로"),
      .init(
        "raw PATCH /api/products/42 price=3500 secret=@secret.txt auth", "a JSON body, with the secret from a file",
        ko: "JSON 본문, 시크릿은 파일에서"),
      .init(
        "raw POST /api/products '{\"name\":\"x\"}' accept:text/html yes", "a body, sent as typed", ko: "적은 그대로의 본문"),
      .init(
        "raw POST /item content-type:multipart/form-data title=x images[]=@a.jpg yes", "a form with a file",
        ko: "파일을 포함한 폼"),
    ])

  package let consent: WriteOptions
  private let line: RawRequestArguments

  /// - Throws: `ParseError` for a URL, header or body that can't be sent, and for a typed secret.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    line = try RawRequestArguments(invocation, method: invocation.text("METHOD") ?? "GET")
  }

  package var writes: Bool { !line.method.isSafe }

  /// - Throws: The errors of `get`; for a write also `CommandError` of the checks and `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if writes { try scope.requireWritable() }
    let base = try await line.base(scope.session, in: scope.context)
    let request = try RawRequestBuilder(line, scope.session, scope.context).make()
    guard writes, scope.mode != .curl else {
      return try await RawRead(request, line).run(to: base, in: &scope)
    }
    // An invalid URL is reported before the confirmation.
    _ = try request.url(at: base)
    return try await JournaledRawRequest(request, line, consent).run(to: base, in: &scope)
  }
}

extension JSON {
  /// The texts of members named secret or password, at any depth.
  package var secrets: [String] {
    switch self {
    case .object(let object):
      object.keys.flatMap { key -> [String] in
        if case .string(let text) = object[key], !text.isEmpty, Assignment.mentionsSecretName(key) { return [text] }
        return object[key]?.secrets ?? []
      }
    case .array(let elements): elements.flatMap(\.secrets)
    case .null, .bool, .number, .string, .invalidLiteral: []
    }
  }
}
