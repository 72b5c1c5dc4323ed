import Catalog
import Engine
import Language
import Marketplace
import Networking
import Presentation
import Text

/// `show`: one product, whole or some fields of it.
package struct Show: Command {
  package static let declaration = Declaration(
    "show", group: .products, summary: Wording("show one product", ko: "상품 하나 보기"), prints: true,
    traits: [.capturesProduct],
    parameters: [
      Parameter(
        "TARGET", .positional(required: false), .target,
        Wording("which one; the last without it", ko: "어느 것; 없으면 마지막 것")),
      Parameter("FIELD", .rest(required: false), .field, Wording("only these fields", ko: "이 필드만")),
    ],
    examples: [
      .init("show 42", "product 42", ko: "42번 상품"),
      .init("show @3 name price", "two fields of row 3", ko: "3행의 두 필드"),
      .init("show _ as json", "the last product as JSON", ko: "마지막 상품을 JSON으로"),
    ])

  private let target: Target
  private let fields: [Field]?

  package init(_ invocation: Invocation) throws {
    target = invocation.target("TARGET") ?? .last
    fields = invocation.fields("FIELD")
  }

  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    var reports: [Report] = []
    for id in try await Targets(target).ids(&session, in: context) {
      let market = try await context.market(&session)
      let product = try await market.send(ShowProduct(id))
      session.remember(product)
      LateWatch(market.service, context).look(at: [product], &session)
      reports.append(.product(product, fields: fields))
    }
    return reports.count == 1 ? reports[0] : .several(reports)
  }
}
