import Catalog
import Engine
import Language
import Networking
import Presentation
import Text

/// `raw`: any request of the target, as typed; one that writes is asked about, written down first and sent once.
package struct Raw: Command {
  package static let declaration = Declaration(
    "raw", group: .requests, summary: Wording("any request of the server", ko: "서버에 아무 요청이나 보내기"), writes: true,
    prints: true,
    traits: [.anyEdition, .sendsAsTyped],
    parameters: [
      Parameter(
        "METHOD", .positional(required: true), .choice(RawLine.methods), Wording("GET, POST …", ko: "GET, POST …")),
      Parameter("PATH", .positional(required: true), .text, Wording("from the server's own /", ko: "서버의 /부터")),
      Parameter(
        "BODY", .rest(required: false), .text,
        Wording("a body, @file, or headers as name:value", ko: "본문, @파일, 또는 이름:값 꼴의 헤더")),
      Parameter(
        "FIELD=VALUE", .assignments, .assignment(["*"]),
        Wording("members of a JSON body; of the query with GET", ko: "JSON 본문의 값; GET에서는 쿼리")),
      Parameter("auth", .flag, .none, Wording("with the vendor's headers", ko: "판매자 헤더를 붙여")),
    ],
    examples: [
      .init("raw GET /api/products?page_no=1", "what the server says, as it says it", ko: "서버의 답을 그대로"),
      .init(
        "raw PATCH /api/products/42 price=3500 secret=@secret.txt auth", "a JSON body, the secret from a file",
        ko: "JSON 본문, 비밀 값은 파일에서"),
      .init("raw POST /api/products '{\"name\":\"x\"}' accept:text/html yes", "a body as typed", ko: "적은 그대로의 본문"),
      .init(
        "raw POST /item content-type:multipart/form-data title=x images[]=@a.jpg yes", "a form with a file",
        ko: "파일이 든 양식"),
    ])

  package let consent: Consent
  private let line: RawLine

  package init(_ invocation: Invocation) throws {
    consent = Consent(invocation)
    line = try RawLine(invocation, method: invocation.text("METHOD") ?? "GET")
  }

  package var writes: Bool { !line.method.isRead }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    if writes { try Guards.requireWritable(session, execution.mode) }
    let base = try await context.address(of: session)
    let request = try RawRequest(line, session, context).make()
    guard writes, execution.mode != .curl else {
      let reply = try await context.door(session).send(request, to: base, with: SendOptions())
      return try RawAnswer(reply, to: request, line, context).report(session, &execution)
    }
    return try await RawWrite(request, line, consent).run(session, &execution, in: context)
  }
}
