import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import ShellRuntime
import Text
import WriteJournal

/// `rm`: deletes products with the requests that the edition requires.
package struct RmCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "rm", aliases: ["delete"], group: .change, summary: LocalizedText("delete products", ko: "상품 삭제"),
    details: LocalizedText(
      "Shows the products with their names and asks before it deletes them. undo creates them again with a new number, as far as the images could be saved.",
      ko: "상품을 이름과 함께 보여 주고 물은 뒤 삭제합니다. undo는 새 번호로 다시 등록하며, 저장된 사진만 복원됩니다."), writesToMarket: true,
    producesData: true,
    traits: [.daily],
    parameters: [
      Parameter(
        "TARGETS", .positional(required: true), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      .showingAll, .pages,
    ],
    examples: [
      .init("rm 42", "deletes product 42 after asking", ko: "확인한 뒤 42번 상품 삭제"),
      .init("ls mine; rm @1-3 yes", "deletes the first three rows without asking", ko: "처음 세 행을 확인 없이"),
    ])

  package let consent: WriteOptions
  private let target: ProductSelector
  private let pages: Int?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    pages = invocation.number("pages")
    target = invocation.target("TARGETS") ?? .last
  }

  /// Saves the images, so that the delete can be undone.
  ///
  /// A product that doesn't exist any more because this home deleted it is unchanged.
  ///
  /// Images that can't be saved are reported before the question.
  ///
  /// - Throws: The errors of reading the products; `CommandError` for a product of another vendor.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    try market.service.dialect.requireDescribed([.delete], [])
    var plan = Plan()
    var target = target
    if case .ids = target {
      let ids = try TargetResolver(target).known(in: scope.session)
      let gone: Set<Product.ID>
      (plan, gone) = try await PlanExecutor(market, consent).deletedBefore(ids, in: scope)
      if gone.count == ids.count { return plan }
      if !gone.isEmpty { target = .ids(ids.filter { !gone.contains($0) }.map { $0...$0 }) }
    }
    let pictures = PictureBackup(market, scope)
    let targets = TargetResolver(
      target, .init(consent, pages: pages, scope.mode), writtenBy: scope.mode == .curl ? nil : "rm")
    let products = try await targets.products(from: market, requiring: [.images], in: &scope)
    for product in products {
      await pictures.save(of: product)
      plan.rows.append(Plan.Row(.delete(product)))
    }
    return plan
  }
}
