import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `dupes`: finds the vendor's products that are equal in every field, as a create that was sent twice would leave
/// them.
package struct DupesCommand: Command {
  package static let declaration = CommandDeclaration(
    "dupes", group: .change, summary: LocalizedText("find duplicates among your products", ko: "중복 등록된 내 상품"),
    details: LocalizedText(
      "Finds products of yours that are equal, and asks about each whether to delete it.",
      ko: "내 상품 중 같은 상품을 찾아, 하나씩 삭제할지 묻습니다."),
    writesToMarket: true, producesData: true, traits: [.requiresFullScan], parameters: [.pages],
    examples: [.init("dupes", "lists them and asks about each", ko: "보여 주고 하나씩 확인하기")])

  private let consent: WriteOptions
  private let pages: Int?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    pages = invocation.number("pages")
  }

  /// - Throws: The errors that cut the list short; `JournalError`; the errors of deleting.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    let groups = try await find(market, scope)
    try await reportLateArrivals(market, scope)
    let pairs = groups.flatMap { group in group.dropFirst().map { (first: group[0], again: $0) } }
    let table = Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true),
        .init("same_as", LocalizedText("duplicate of", ko: "같은 상품"), isNumber: true),
        .init("name", LocalizedText("name", ko: "이름")),
        .init("created", LocalizedText("created", ko: "등록일")),
      ],
      rows: pairs.map { pair in
        [
          .number(pair.again.id), .number(pair.first.id), .text(pair.again.name ?? ""),
          pair.again.created.map { .timestamp($0) } ?? .none,
        ]
      })
    guard !pairs.isEmpty else {
      return .group([.message(.note("No duplicates found.", ko: "중복된 상품이 없습니다.")), .rows(table)])
    }
    guard scope.context.program.asker != nil, scope.mode != .dry, scope.session.server.access.value != .readOnly else {
      return .group([
        .rows(table),
        .message(
          .note("Found \(pairs.count). Nothing was deleted.", ko: "\(pairs.count)개를 찾았고, 삭제하지 않았습니다.")
            .next("Run \(.command("rm ID")) to delete one.", ko: "하나를 삭제하려면 \(.command("rm 번호"), .object) 실행하세요.")),
      ])
    }
    var whole = CommandResult()
    var reports: [Report] = [.rows(table)]
    for pair in pairs {
      guard let part = try await offerDeletion(pair.again, sameAs: pair.first, market, in: &scope) else { break }
      if let error = part.error { throw error }
      reports.append(part.report)
      whole.merge(part)
    }
    whole.report = .group(reports)
    return whole
  }

  /// Asks whether to delete a product, regardless of the profile and the line.
  ///
  /// Returns `nil` if the user wants no more questions.
  private func offerDeletion(
    _ product: Product, sameAs first: Product, _ market: Client<MarketService>, in scope: inout CommandScope
  ) async throws -> CommandResult? {
    let question = LocalizedText(
      "Delete product \(product.id), a duplicate of \(first.id)? [y/N] ",
      ko: "\(first.id)번과 같은 \(product.id)번을 삭제할까요? [y/N] ")
    guard let answer = await scope.answer(to: question), answer != "q" else { return nil }
    guard ConfirmationPrompt.isYes(answer) else { return .empty }
    _ = await scope.planRunner(for: market).savePictures(of: product)
    return try await PlanExecutor(market, consent).execute(Plan([.delete(product)]), question: .answered, in: &scope)
  }

  /// Reports products that equal an abandoned create, which may have arrived late.
  private func reportLateArrivals(_ market: Client<MarketService>, _ scope: CommandScope)
    async throws
  {
    let newest = try await JournalMarketAdapter(
      client: market, freshName: scope.context.stores.freshName, now: scope.context.clock.now
    )
    .newestProducts(
      100)
    let late = LateArrivalDetector(market.service, scope.context.stores)
    for warning in try late.warnings(of: newest, scope.session) { scope.say(warning) }
  }

  /// Returns groups of equal products, the oldest first in each.
  ///
  /// Candidates come from rows of the list; the products themselves are compared.
  private func find(
    _ market: Client<MarketService>, _ scope: CommandScope
  ) async throws -> [[Product]] {
    let me = scope.session.credentials.vendorID
    var products: [Product] = []
    try await MarketScan(market, pages: pages, scope).forEachBatchToEnd { products += $0 }.order(&products)
    let all = products.filter { me == nil || $0.vendorID == nil || $0.vendorID == me }
    let suspects = Dictionary(grouping: all) { DuplicateKey($0, isWhole: false) }.values.filter { $0.count > 1 }
    var groups: [[Product]] = []
    for suspect in suspects {
      var whole: [Product] = []
      for row in suspect { whole.append(try await market.send(GetProduct(row.id))) }
      groups += Dictionary(grouping: whole) { DuplicateKey($0, isWhole: true) }.values.filter { $0.count > 1 }
        .map { $0.sorted { $0.id < $1.id } }
    }
    return groups.sorted { $0[0].id < $1[0].id }
  }

  /// The values that make two products equal, without ids, dates and image addresses.
  private struct DuplicateKey: Hashable {
    private let fields: ProductValues
    private let vendor: Int?
    private let pictures: Int?

    init(_ product: Product, isWhole: Bool) {
      var fields = ProductValues(of: product)
      // Each product has its own image numbers, and some editions omit the description from lists.
      fields.thumbnailID = nil
      if !isWhole { fields.description = nil }
      self.fields = fields
      vendor = product.vendorID
      pictures = isWhole ? product.images?.count : nil
    }
  }
}
