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
/// Another user or another home may have executed the same: a CI job's home is always new.
struct EqualProducts {
  private static let maximumNamed = 5

  private let market: Client<MarketService>
  private let consent: WriteOptions

  init(_ market: Client<MarketService>, _ consent: WriteOptions) {
    self.market = market
    self.consent = consent
  }

  /// Returns the plan without the creates of products that the market has already, if the user leaves them out.
  ///
  /// Of n equal rows and k equal products, k rows are found.
  ///
  /// - Parameters:
  ///   - earliest: Returns the time before which a product of a row can't have been created; `nil` for any time.
  ///   - scope: The scope of the command.
  /// - Throws: `CommandError` with exit status 4 if the user can't be asked; the errors of reading.
  func leavingOut(
    _ plan: Plan, since earliest: (Plan.Row) -> Timestamp? = { _ in nil }, in scope: CommandScope
  ) async throws -> Plan {
    guard !consent.again, scope.mode != .curl else { return plan }
    let (rest, found) = try await leavingOutFound(plan, since: earliest, in: scope)
    guard !found.isEmpty else { return plan }
    let creates = plan.rows.count { $0.draft != nil }
    let what = EqualProducts.message(found.sorted { $0.id < $1.id }, of: creates)
    guard scope.mode == .write else {
      scope.say(what)
      return plan
    }
    guard scope.context.program.asker != nil, !consent.yes, !scope.context.program.assumesYes else {
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
    return await scope.isConfirmed(question) ? plan : rest
  }

  /// Returns the plan without the creates of products that the market has already, and these products.
  private func leavingOutFound(
    _ plan: Plan, since earliest: (Plan.Row) -> Timestamp?, in scope: CommandScope
  ) async throws -> (rest: Plan, found: [Product]) {
    let names = Set(plan.rows.compactMap { $0.draft?.replaces == nil ? $0.draft?.name : nil })
    guard !names.isEmpty else { return (plan, []) }
    let named = try await SameNames(market, scope.context).products(named: names, scope.session)
    let known = plan.namedProducts.union(plan.rows.compactMap { $0.change == nil ? $0.outcome?.product?.id : nil })
    var rest = named.filter { !known.contains($0.id) }
    var found: [Product] = []
    var plan = plan
    for (index, row) in plan.rows.enumerated() {
      guard let draft = row.draft, draft.replaces == nil else { continue }
      while let position = rest.firstIndex(where: { draft.mayBe($0) && $0.isCreated(after: earliest(row)) }) {
        let product = rest.remove(at: position)
        // A list may lack the description.
        let isRead = product.description != nil || draft.unset.contains(.description)
        let whole = isRead ? product : try await market.send(GetProduct(product.id))
        guard draft.isDescribed(as: whole.description) else { continue }
        found.append(whole)
        plan.rows[index].skip(as: .unchanged(whole))
        break
      }
    }
    return (plan, found)
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
  ///
  /// A field that isn't sent is empty or zero then, whatever the market calls that.
  fileprivate func mayBe(_ row: Product) -> Bool {
    row.name.map(name.equalsIgnoringWhiteSpace) ?? false
      && (row.price == price || unset.contains(.price) && row.price == nil) && (row.discount ?? .zero) == discount
      && (row.currency == nil || row.currency == currency || unset.contains(.currency))
      && (row.description == nil || isDescribed(as: row.description))
  }

  /// Returns whether a product has the description of this one.
  fileprivate func isDescribed(as other: String?) -> Bool {
    other.map(description.equalsIgnoringWhiteSpace) ?? unset.contains(.description)
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
