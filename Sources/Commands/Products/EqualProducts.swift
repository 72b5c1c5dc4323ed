import Catalog
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The products of the vendor that are equal to those that a plan, file, folder or copy is about to create, although this
/// home didn't create them from there.
///
/// Somebody else, or another home, may have executed the same: a CI job's home is always new.
struct EqualProducts {
  private static let maximumNamed = 5

  private let market: Client<MarketService>
  private let consent: WriteOptions

  init(_ market: Client<MarketService>, _ consent: WriteOptions) {
    self.market = market
    self.consent = consent
  }

  /// Returns the changes without the creates whose products are there, if the user leaves them out.
  ///
  /// Of n equal rows and k equal products, k rows are found.
  ///
  /// - Parameters:
  ///   - verdicts: The changes.
  ///   - origins: The origin of each that has a change.
  ///   - earliest: Returns the time before which a product for a verdict can't have been created, by its index; `nil` for
  ///     any time.
  ///   - scope: The scope of the command.
  /// - Throws: `CommandError` with exit status 4 if the user can't be asked; the errors of reading.
  func leavingOut(
    _ verdicts: [RevalidatedChange], _ origins: [WriteOrigin], since earliest: (Int) -> Timestamp? = { _ in nil },
    in scope: CommandScope
  ) async throws -> (verdicts: [RevalidatedChange], origins: [WriteOrigin]) {
    guard !consent.again, scope.mode != .curl else { return (verdicts, origins) }
    let found = try await products(for: verdicts, since: earliest, in: scope)
    guard !found.isEmpty else { return (verdicts, origins) }
    let creates = verdicts.count { $0.change != nil && $0.planned.product == nil }
    let what = EqualProducts.message(found.values.sorted { $0.id < $1.id }, of: creates)
    guard scope.mode == .write else {
      scope.say(what)
      return (verdicts, origins)
    }
    guard scope.context.asker != nil, !consent.yes, !scope.context.assumesYes else {
      throw CommandError(
        .blocked,
        what.because("Nothing was sent.", ko: "아무것도 보내지 않았습니다.").next(
          "Add \(.command("again")) to create \(found.count == 1 ? StyledText("it") : "them") anyway.",
          ko: "그래도 등록하려면 \(.command("again"), .object) 붙이세요."))
    }
    let question = LocalizedText(
      "Create \(found.count == 1 ? StyledText("it") : "them") anyway? Otherwise \(found.count == 1 ? StyledText("it is") : "they are") left out. [y/N] ",
      ko: "그래도 등록할까요? 아니면 제외합니다. [y/N] ")
    scope.say(what)
    if await scope.isConfirmed(question) { return (verdicts, origins) }
    return EqualProducts.without(found, verdicts, origins)
  }

  private static func without(
    _ found: [Int: Product], _ verdicts: [RevalidatedChange], _ origins: [WriteOrigin]
  ) -> (verdicts: [RevalidatedChange], origins: [WriteOrigin]) {
    var (result, left) = (verdicts, [WriteOrigin]())
    var rest = origins[...]
    for index in verdicts.indices where verdicts[index].change != nil {
      let origin = rest.popFirst()
      if let product = found[index] {
        result[index] = .unchanged(verdicts[index].planned, product)
        result[index].line = verdicts[index].line
      } else if let origin {
        left.append(origin)
      }
    }
    return (result, left)
  }

  /// Returns the equal products, by the index of the verdict.
  private func products(
    for verdicts: [RevalidatedChange], since earliest: (Int) -> Timestamp?, in scope: CommandScope
  ) async throws -> [Int: Product] {
    let drafts = verdicts.indices.compactMap { index in
      if case .create(let draft)? = verdicts[index].change, draft.replaces == nil { (index, draft) } else { nil }
    }
    guard !drafts.isEmpty else { return [:] }
    let named = try await SameNames(market, scope.context).products(
      named: Set(drafts.map(\.1.name)), scope.session)
    let known = Set(verdicts.compactMap { $0.change == nil ? $0.outcome.product?.id : nil })
    var rest = named.filter { !known.contains($0.id) }
    var found: [Int: Product] = [:]
    for (index, draft) in drafts {
      while let position = rest.firstIndex(where: { draft.mayBe($0) && $0.isCreated(after: earliest(index)) }) {
        let product = rest.remove(at: position)
        // A list may lack the description.
        let whole = product.description == nil ? try await market.send(GetProduct(product.id)) : product
        guard whole.description.map(draft.description.equalsIgnoringWhiteSpace) ?? false else { continue }
        found[index] = whole
        break
      }
    }
    return found
  }

  private static func message(_ products: [Product], of count: Int) -> Message {
    let found = products.count
    return Message.failure(
      "\(found) of \(count) new \(count == 1 ? StyledText("product") : "products") \(found == 1 ? StyledText("is") : "are") there already, equal in name, description and price. This log has no record of creating \(found == 1 ? StyledText("it") : "them") from here.",
      ko: "새 상품 \(count)개 중 \(found)개는 이름, 설명, 가격이 같은 상품이 이미 있습니다. 이 로그에는 여기에서 등록한 기록이 없습니다."
    ).because(first: maximumNamed, of: products) { product in
      let created = product.created?.description ?? "-"
      return LocalizedText(
        "product \(product.id) \(.foreign(product.name ?? "-")), created \(created)",
        ko: "\(product.id)번 상품 \(.foreign(product.name ?? "-")), 등록 \(created)")
    }
  }
}

extension ProductDraft {
  /// Returns whether a row of a list shows the values of this product, besides those that buyers change.
  fileprivate func mayBe(_ row: Product) -> Bool {
    row.name.map(name.equalsIgnoringWhiteSpace) ?? false && row.price == price && (row.discount ?? .zero) == discount
      && (row.currency == nil || row.currency == currency)
      && (row.description.map(description.equalsIgnoringWhiteSpace) ?? true)
  }
}

extension Product {
  /// Returns whether the product may have been created after a time.
  ///
  /// Times without a zone are those of the server, and some name a day only, so that a day is allowed for.
  fileprivate func isCreated(after earliest: Timestamp?) -> Bool {
    guard let earliest, let created else { return true }
    return created.isUTC == earliest.isUTC ? created > earliest : created.seconds > earliest.seconds - 86_400
  }
}
