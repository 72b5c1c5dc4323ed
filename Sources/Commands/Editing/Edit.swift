import Catalog
import Engine
import Failures
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `edit`: the writable fields of a product in the person's own editor; what comes back is a patch.
package struct Edit: EditCommand {
  package static let declaration = Declaration(
    "edit", group: .products, summary: LocalizedText("change a product in your editor", ko: "편집기에서 상품 변경"),
    writes: true,
    prints: true,
    traits: [.capturesProduct],
    parameters: [
      Parameter("TARGET", .positional(required: true), .target, LocalizedText("which one", ko: "대상 상품"))
    ],
    examples: [
      .init(
        "edit 42", "in $VISUAL or $EDITOR; nothing is sent before you say so",
        ko: "$VISUAL이나 $EDITOR에서; 확인하기 전에는 보내지 않음"),
      .init("edit _", "the last product shown", ko: "마지막으로 본 상품"),
    ])

  package let consent: Consent
  private let target: Target

  package init(_ invocation: Invocation) throws {
    consent = Consent(invocation)
    target = invocation.target("TARGET") ?? .last
  }

  /// The text is kept, and its file named, whenever the change was not made.
  package func run(
    _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Report {
    try Guards.requireWritable(session, execution.mode)
    let market = try await context.market(&session)
    let product = try await product(market, &session, context)
    let file = try file(product, context)
    do {
      let (plan, line) = try await decide(product, file, session, context)
      execution.spelling = line
      let report = try await act(on: plan, at: market, always: true, &session, &execution, in: context)
      file.remove()
      return report
    } catch {
      context.say(
        .note("What you typed is in \(.value(file.path)).", ko: "적은 내용은 \(.value(file.path))에 있습니다."), session)
      throw error
    }
  }

  package func plan(
    from market: Client<Market>, _ session: inout Session, _ execution: inout Execution, in context: Context
  ) async throws -> Plan {
    let product = try await product(market, &session, context)
    let file = try file(product, context)
    let (plan, line) = try await decide(product, file, session, context)
    execution.spelling = line
    file.remove()
    return plan
  }

  /// What the person made of it, and the line that would have done the same.
  private func decide(
    _ product: Product, _ file: EditFile, _ session: Session, _ context: Context
  ) async throws -> (Plan, line: String?) {
    let sheet = EditSheet(product, at: place(session), session.settings.tongue)
    let limits = session.settings.limits
    let edit = try await EditTalk(sheet, file, context.environment, context.interruption.departure).changes {
      assignments throws(ParseError) in
      let (from, to) = try FieldEdits(assignments, limits: limits).changes(of: product)
      return (from: from, to: to, line: SpelledLine.patch(product, assignments))
    }
    guard let edit, !edit.to.isEmpty else { return (Plan([]), nil) }
    return (Plan([.edit(product, from: edit.from, to: edit.to)]), edit.line)
  }

  /// The one product that is meant; another vendor's is refused before anybody types.
  private func product(
    _ market: Client<Market>, _ session: inout Session, _ context: Context
  ) async throws -> Product {
    guard context.asker != nil else {
      throw Failure(
        .heldBack,
        .failure("edit needs a terminal.", ko: "edit는 터미널에서만 쓸 수 있습니다.")
          .next("In a script, \(.command("patch")) does it.", ko: "스크립트에서는 \(.command("patch"))를 쓰세요."))
    }
    let ids = try await Targets(target, .init(consent)).ids(from: market, session, in: context)
    guard let id = ids.first, ids.count == 1 else {
      throw ParseError(
        LocalizedText(
          "edit takes one product, not \(ids.count).", ko: "edit에는 상품을 하나만 지정할 수 있는데 \(ids.count)개를 지정했습니다."),
        next: LocalizedText("\(.command("patch")) changes several.", ko: "여러 개는 \(.command("patch"))로 바꿉니다."))
    }
    let product = try await market.send(ShowProduct(id))
    session.remember(product)
    try Ownership.check(Plan([.edit(product, from: Fields(), to: Fields())]), session)
    return product
  }

  private func file(_ product: Product, _ context: Context) throws -> EditFile {
    try EditFile(in: context.home.editFolder, named: "product-\(product.id)-\(context.freshName().prefix(8)).txt")
  }

  private func place(_ session: Session) -> String {
    session.server.name + (session.credentials.vendorID.map { ", vendor \($0)" } ?? "")
  }
}
