import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Finds products of the vendor that have the name of a product that is about to be created.
struct SameNames {
  /// The maximum number of names that are searched for one by one; for more the list is read once.
  private static let maximumSearches = 8
  /// Products that are named in the note.
  private static let maximumNamed = 5

  private let market: Client<MarketService>
  private let context: CommandContext

  init(_ market: Client<MarketService>, _ context: CommandContext) {
    self.market = market
    self.context = context
  }

  /// Returns a warning that the market has products with these names, or `nil` if it has none.
  ///
  /// A list that cannot be read gives no warning: the import itself says what is wrong with the server.
  ///
  /// - Throws: `CancellationError`.
  func note(on drafts: [ProductDraft], _ session: Session) async throws -> Message? {
    let found = try await products(named: Set(drafts.map(\.name)), session)
    guard !found.isEmpty else { return nil }
    let names = Set(found.compactMap(\.name))
    let (count, all) = (drafts.count { names.contains($0.name) }, drafts.count)
    let listed = found.prefix(SameNames.maximumNamed).map { "\($0.id) \($0.name ?? "")" }.joined(separator: ", ")
    let rest = found.count - SameNames.maximumNamed
    let english: StyledText = rest > 0 ? " and \(rest) more" : ""
    let korean: StyledText = rest > 0 ? " 외 \(rest)개" : ""
    return .warning(
      "\(count) of \(all) new \(all == 1 ? StyledText("product") : "products") \(count == 1 ? StyledText("has") : "have") the name of an existing product: \(.foreign(listed))\(english).",
      ko: "새 상품 \(all)개 중 \(count)개는 같은 이름의 상품이 이미 있습니다: \(.foreign(listed))\(korean)."
    ).next(
      "To update a product instead, write its number in the column \(.field(ProductField.id)).",
      ko: "그 상품을 수정하려면 \(.field(ProductField.id)) 열에 번호를 적으세요.")
  }

  /// Shows a warning before the only product of a plan is created, if the vendor has a product of its name.
  ///
  /// Editions without a search are not asked, because all pages would have to be read.
  ///
  /// - Throws: `CancellationError`.
  func warn(of plan: Plan, in scope: CommandScope) async throws {
    guard scope.mode != .curl, market.service.dialect.supports(.search), case .create(let draft)? = plan.changes.first
    else { return }
    let found = try await products(named: [draft.name], scope.session)
    guard let first = found.first else { return }
    let ids = found.prefix(SameNames.maximumNamed).map { String($0.id) }.joined(separator: ", ")
    scope.say(
      .warning(
        "A product named \(.foreign(draft.name)) already exists: \(ids).",
        ko: "같은 이름의 상품이 이미 있습니다: \(.foreign(draft.name)), \(ids)번."
      ).next(
        "Run \(.command("show \(first.id)")) to see it, or \(.command("patch \(first.id) FIELD=VALUE")) to update it instead.",
        ko:
          "그 상품은 \(.command("show \(first.id)"), .toward) 볼 수 있고, \(.command("patch \(first.id) 필드=값"), .toward) 수정할 수 있습니다."
      ))
  }

  /// The vendor's products of exactly these names, by their numbers.
  ///
  /// - Throws: `CancellationError`.
  func products(named names: Set<String>, _ session: Session) async throws -> [Product] {
    guard !names.isEmpty else { return [] }
    let isSearched = names.count <= SameNames.maximumSearches && market.service.dialect.supports(.search)
    var found: [Product.ID: Product] = [:]
    for search in isSearched ? names.sorted().map(Optional.some) : [nil] {
      let result = try await MarketScan(market, search: search, isSilent: isSearched, CommandScope(session, context))
        .forEachBatch {
          for product in $0 where isOwn(product, session) && product.name.map(names.contains) == true {
            found[product.id] = product
          }
          return true
        }
      if case .interrupted = result.stopReason { throw CancellationError() }
    }
    return found.values.sorted { $0.id < $1.id }
  }

  private func isOwn(_ product: Product, _ session: Session) -> Bool {
    guard let me = session.credentials.vendorID, let vendor = product.vendorID else { return true }
    return me == vendor
  }
}
