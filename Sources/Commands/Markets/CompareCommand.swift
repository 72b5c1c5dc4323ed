import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `compare PROFILE PROFILE`: lists the differences between the products of two markets.
package struct CompareCommand: Command {
  package static let declaration = CommandDeclaration(
    "compare", group: .review, summary: LocalizedText("compare the products of two markets", ko: "두 마켓의 상품 비교"),
    usage: ["compare PROFILE PROFILE [TARGETS] [fail-on any|deletes] [pages N]"],
    details: LocalizedText(
      "Lists the differences between the products of two profiles, one row per product and field. Products that were copied belong together; others do if a name occurs once on each side. Without TARGETS all products are compared.",
      ko:
        "두 프로필의 상품이 어떻게 다른지 상품과 필드마다 한 행으로 표시합니다. 복사한 상품끼리, 그 밖에는 양쪽에 하나씩 있는 같은 이름끼리 비교합니다. TARGETS가 없으면 모든 상품을 비교합니다."),
    producesData: true, traits: [.requiresFullScan],
    parameters: [
      Parameter(
        "FROM", .positional(required: true), kind: .profile, summary: LocalizedText("first profile", ko: "첫째 프로필")),
      Parameter(
        "TO", .positional(required: true), kind: .profile, summary: LocalizedText("second profile", ko: "둘째 프로필")),
      Parameter(
        "TARGETS", .positional(required: false), kind: .target,
        summary: LocalizedText("products of the first profile (default: all)", ko: "첫째 프로필의 상품; 없으면 전부")),
      .pages, .failOn,
    ],
    examples: [
      .init("compare demo shop", "all products of both markets", ko: "두 마켓의 모든 상품"),
      .init("compare demo shop mine", "your own products of demo with their copies", ko: "demo의 내 상품과 그 사본"),
    ])

  private let profiles: (from: String, to: String)
  private let target: ProductSelector?
  private let pages: Int?
  private let failOn: FailOnCondition?

  package init(_ invocation: ParsedCommand) {
    profiles = (invocation.text("FROM") ?? "", invocation.text("TO") ?? "")
    target = invocation.target("TARGETS")
    pages = invocation.number("pages")
    failOn = invocation.text(FailOnCondition.option).flatMap { FailOnCondition(rawValue: $0) }
  }

  /// - Throws: `CommandError` for an unknown profile; the errors of reading the lists.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    var (first, second) = (
      try await OtherMarket(profiles.from, in: scope), try await OtherMarket(profiles.to, in: scope)
    )
    let home = scope.context.stores.home
    var pairs = try ProductIDMap(from: first.side, to: second.side, in: home).all
    for (from, to) in try ProductIDMap(from: second.side, to: first.side, in: home).all where pairs[to] == nil {
      pairs[to] = from
    }
    let before = try await products(of: &first, target)
    if first.address == second.address { pairs = Dictionary(before.map { ($0.id, $0.id) }) { first, _ in first } }
    let isComplete = target == nil || before.contains { pairs[$0.id] == nil }
    var named = before
    var after: [Product]
    if isComplete {
      // A name that occurs once is only known from a whole list.
      if target != nil { named = try await products(of: &first, nil) }
      after = try await products(of: &second, nil)
    } else {
      let ids = before.compactMap { pairs[$0.id] }
      let found = try await ProductReader(second.client, scope).find(ids, optional: Set(ids))
      after = ids.compactMap { found[$0] }
    }
    let names = CompareCommand.unique(named), otherNames = CompareCommand.unique(after)
    for product in before where pairs[product.id] == nil {
      if let name = product.name, names[name] == product.id { pairs[product.id] = otherNames[name] }
    }
    if target != nil {
      let compared = Set(before.compactMap { pairs[$0.id] })
      after.removeAll { !compared.contains($0.id) }
    }
    let differences = try await differences(before, after, pairs: pairs, first: first, second: second, in: scope)
    let count = differences.count
    let summary = Message.note(
      "\(.value(profiles.from)) has \(before.count) \(before.count == 1 ? StyledText("product") : "products"), \(.value(profiles.to)) \(after.count): \(count) \(count == 1 ? StyledText("difference") : "differences").",
      ko:
        "\(.value(profiles.from)) 상품 \(before.count)개, \(.value(profiles.to)) 상품 \(after.count)개: 다른 것 \(count)건.")
    return CommandResult(
      .group([.message(summary), .rows(Table(differences, between: (profiles.from, profiles.to)))]),
      status: failOn?.isMet(by: differences) == true ? .drift : .success)
  }

  private func products(of market: inout OtherMarket, _ target: ProductSelector?) async throws -> [Product] {
    guard let target else {
      var all: [Product] = []
      _ = try await FolderScan(
        market.client, selection: .all, isFull: true, pages: pages, in: market.scope
      ).forEach { all += $0 }
      return all.sorted { $0.id < $1.id }
    }
    let ids = try await TargetResolver(target).ids(
      from: market.client, in: market.scope)
    let found = try await ProductReader(market.client, market.scope).find(ids, optional: Set(ids))
    return ids.compactMap { found[$0] }
  }

  // MARK: Comparison

  private func differences(
    _ before: [Product], _ after: [Product], pairs: [Product.ID: Product.ID], first: OtherMarket,
    second: OtherMarket, in scope: CommandScope
  ) async throws -> [ProductDifference] {
    var rest = Dictionary(after.map { ($0.id, $0) }) { first, _ in first }
    let (pictures, otherPictures) = (
      CopiedPictures(first.client, stores: scope.context.stores, clock: scope.context.clock),
      CopiedPictures(second.client, stores: scope.context.stores, clock: scope.context.clock)
    )
    var differences: [ProductDifference] = []
    let progress = ProgressLine(LocalizedText("Comparing", ko: "비교하는 중"), after: 0.5, scope)
    defer { progress.clear() }
    for (index, product) in before.enumerated() {
      progress.show(index, of: before.count)
      try Task.checkCancellation()
      guard let other = pairs[product.id].flatMap({ rest.removeValue(forKey: $0) }) else {
        differences += ProductDifference.of(product, nil, in: [])
        continue
      }
      differences += ProductDifference.of(product, other, in: ProductFile.fields.filter { $0 != .images })
      let digests = (await pictures.digests(of: product), await otherPictures.digests(of: other))
      if digests.0 != digests.1 {
        func value(_ digests: [String]?) -> FieldValue? { digests.map(FieldValue.references)?.withShortDigests }
        differences.append(
          ProductDifference(.images, from: (product, value(digests.0)), to: (other, value(digests.1))))
      }
    }
    for product in after where rest[product.id] != nil { differences += ProductDifference.of(nil, product, in: []) }
    return differences
  }

  /// Returns the products by names that occur once.
  private static func unique(_ products: [Product]) -> [String: Product.ID] {
    var counts: [String: Int] = [:]
    for product in products { counts[product.name ?? "", default: 0] += 1 }
    return Dictionary(
      products.compactMap { product in
        product.name.flatMap { counts[$0] == 1 ? ($0, product.id) : nil }
      }
    ) { first, _ in first }
  }
}
