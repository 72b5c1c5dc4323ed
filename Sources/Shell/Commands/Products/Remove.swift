import Catalog
import Journal
import Language
import Marketplace
import Networking
import Presentation

/// `rm`: deletes products, with whatever calls the edition needs.
struct Remove: EditCommand {
  static let declaration = Declaration(
    "rm", aliases: ["delete"], group: .products, summary: Wording("delete products", ko: "상품 지우기"), writes: true,
    prints: true,
    parameters: [
      Parameter("TARGETS", .positional(required: true), .target, Wording("which ones", ko: "어느 것"))
    ],
    examples: [
      .init("rm 42", "delete product 42 after asking", ko: "물어본 뒤 42번 상품 지우기"),
      .init("rm @1-3 yes", "the first three rows, without asking", ko: "처음 세 행을 묻지 않고"),
    ])

  let consent: Consent
  private let target: Target

  init(_ invocation: Invocation) throws {
    consent = Consent(invocation)
    target = try Target.read(invocation.text("TARGETS") ?? "_")
  }

  /// Saves the pictures first, so that the delete can be taken back; what could not be saved is said before the question.
  func plan(_ session: inout Session, in context: Context) async throws -> Plan {
    var changes: [Change] = []
    let runner = try await context.runner(&session)
    for id in try await Targets(target).ids(&session, in: context) {
      let product = try await context.market(&session).send(ShowProduct(id))
      let lost = await runner.keepPictures(of: product)
      if !lost.isEmpty {
        context.say(
          .warning(
            "Pictures of product \(id) could not be saved (\(lost.count)); an undo would come back without them.",
            ko: "\(id)번 상품의 그림 \(lost.count)장을 남겨 두지 못해, 되돌려도 그 그림은 돌아오지 않습니다."), session)
      }
      changes.append(.delete(product))
    }
    return Plan(changes)
  }
}
