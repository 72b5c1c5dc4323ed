import Catalog
import Engine
import Language
import Presentation
import Text

/// `assert`: ends the line with exit code 6 when something is not so.
package struct Assert: Checkable {
  package static let declaration = Declaration(
    "assert", group: .scripting,
    summary: Wording("stop when something is not so", ko: "그렇지 않으면 멈추기"),
    parameters: [
      Parameter(
        "EXPR", .rest(required: false), .expression,
        Wording(
          "holds for the last product; values compare with values: $count = 20",
          ko: "마지막 상품에 맞아야 함; 값끼리도 비교: $count = 20")),
      Parameter("of", .option, .target, Wording("holds for each of these products instead", ko: "대신 이 상품마다 맞아야 함")),
      Parameter("all", .flag, .none, Wording("holds for every row of the last listing", ko: "마지막 목록의 모든 행에")),
      Parameter("any", .flag, .none, Wording("holds for at least one row", ko: "적어도 한 행에")),
      Parameter("none", .flag, .none, Wording("holds for no row", ko: "어느 행에도 맞지 않아야 함")),
      Parameter(
        "status", .option, .line,
        Wording("CODE: COMMAND; the server answers the command so", ko: "CODE: COMMAND; 명령에 서버가 그렇게 답함")),
    ],
    examples: [
      .init("assert price = 3500 and stock > 0", "of the last product", ko: "마지막 상품의 값"),
      .init("assert name ~ 텀블러 of @3", "of row 3", ko: "3행의 값"),
      .init("assert all price > 0", "every row of the last listing", ko: "마지막 목록의 모든 행"),
      .init(
        "assert $count = 20", "rows; also $total, $page, $pages, $status", ko: "행의 수; $total, $page, $pages, $status도"),
      .init("assert $before != _.price", "two values", ko: "두 값"),
      .init("assert status 404: show 999999", "what the server answers", ko: "서버의 답"),
    ])

  private let claim: any Claim

  package init(_ invocation: Invocation) throws {
    if let text = invocation.text("status") {
      claim = try StatusClaim(text)
      return
    }
    guard let condition = invocation.condition("EXPR") else {
      throw ParseError(
        Wording("\(.command("assert")) needs a condition.", ko: "\(.command("assert"))에는 조건이 있어야 합니다."),
        next: Wording("\(.command("assert price = 3500"))", ko: "\(.command("assert price = 3500"))"))
    }
    claim = try ProductClaim(
      condition, typed: invocation.text, of: invocation.target("of"),
      quantity: ProductClaim.Quantity.allCases.filter { invocation.has($0.rawValue) })
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try await claim.prove(&session, execution.mode, in: context)
    return .nothing
  }

  package func check(_ session: inout Session, in context: Context) throws { try claim.check(&session, in: context) }
}
