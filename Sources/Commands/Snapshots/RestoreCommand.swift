import Catalog
import CommandLanguage
import Foundation
import FoundationEssentials
import Images
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `restore`: sets fields of products to their values in a snapshot, as a batch.
package struct RestoreCommand: ProductWriteCommand {
  package static let declaration = CommandDeclaration(
    "restore", group: .change, summary: LocalizedText("restore field values from a snapshot", ko: "스냅샷의 값으로 되돌리기"),
    usage: ["restore TARGETS [FIELD...] [from NAME] [all] [pages N]"],
    details: LocalizedText(
      "Sets fields of your products to the values of a snapshot. The changes are shown and confirmed like any batch.",
      ko: "내 상품의 필드를 스냅샷의 값으로 되돌립니다. 다른 일괄 작업처럼 변경을 보여 주고 확인합니다."),
    writesToMarket: true,
    producesData: true,
    parameters: [
      Parameter(
        "TARGETS", .positional(required: true), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      Parameter(
        "FIELD", .rest(required: false), kind: .fieldAmong(RestoreCommand.restorable),
        summary: LocalizedText(
          "\(ProductField.list(RestoreCommand.restorable, .english)) (default: all of them)",
          ko: "\(ProductField.list(RestoreCommand.restorable, .english)); 없으면 전부")),
      Parameter(
        "from", .option, kind: .snapshot,
        summary: LocalizedText("snapshot name (default: the latest)", ko: "스냅샷 이름(기본: 최신)")),
      .showingAll, .pages,
    ],
    examples: [
      .init(
        "restore mine price discount from monday", "restores price and discount of your products",
        ko: "내 상품의 정가와 할인을 스냅샷의 값으로"),
      .init("restore 42 stock", "restores stock from the latest snapshot", ko: "최신 스냅샷에서"),
    ])

  package let consent: WriteOptions
  /// The fields that can be restored.
  ///
  /// Lists don't contain image data.
  private static let restorable = ProductField.writableValues

  private let target: ProductSelector
  private let pages: Int?
  private let fields: [ProductField]
  private let name: String?

  /// - Throws: `ParseError` for a field that can't be restored.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    pages = invocation.number("pages")
    target = invocation.target("TARGETS") ?? .last
    name = invocation.text("from")
    fields = invocation.fields("FIELD") ?? RestoreCommand.restorable
    for field in fields where !RestoreCommand.restorable.contains(field) {
      let list = RestoreCommand.restorable.map(\.rawValue).joined(separator: ", ")
      throw ParseError(
        LocalizedText("\(.field(field)) cannot be restored.", ko: "\(.field(field), .topic) 되돌릴 수 없는 필드입니다."),
        suggestion: LocalizedText("Available: \(list).", ko: "되돌릴 수 있는 필드: \(list)."))
    }
  }

  /// Returns the plan.
  ///
  /// A deleted product is created again.
  ///
  /// - Throws: `CommandError` for an unknown snapshot, or one of another market; the errors of reading.
  package func plan(from market: Client<MarketService>, in scope: inout CommandScope) async throws -> Plan {
    try await scope.readGeneration(of: market)
    let saved = try await SavedVersions(in: &scope)
    let snapshot: Snapshot
    do {
      snapshot = try saved.snapshot(name, of: scope.session, in: scope.context.stores)
    } catch var error as CommandError {
      if let undo = try undoOfDeletion(at: market, in: scope) { error.message = error.message.next(undo) }
      throw error
    }
    if let name, !saved.has(name) { scope.say(snapshot.sentence) }
    let then = Dictionary(snapshot.products.map { ($0.id, $0) }) { first, _ in first }
    var plan = Plan()
    var others: [ProductMismatch] = []
    let ids = try await TargetResolver(target, .init(consent, pages: pages, scope.mode)).ids(
      from: market, in: scope)
    if !ids.isEmpty, ids.allSatisfy({ then[$0] == nil }) { throw RestoreCommand.missing(ids, snapshot) }
    for id in ids {
      guard let old = then[id] else {
        var message = RestoreCommand.missing(id, snapshot)
        if let undo = try undoOfDeletion(at: market, in: scope) { message = message.next(undo) }
        scope.say(message)
        continue
      }
      let product: Product
      do {
        product = try await market.send(
          GetProduct(RestoreCommand.current(id, at: market, scope)))
      } catch MarketError.notFound(_) {
        if let draft = await ProductRecreation(old, market: market, in: scope).draft() {
          plan.rows.append(Plan.Row(.create(draft)))
        }
        continue
      }
      // A product that was restored under another number has another time of creation.
      if product.id == id, let mismatch = ProductReference(old).mismatch(with: product) {
        others.append(mismatch)
        continue
      }
      scope.session.remember(product)
      let (from, to) = try ProductEdit(setting: try values(old), limits: scope.session.limits)
        .changes(of: product)
      plan.append(product, from: from, to: to)
    }
    try CommandError.throwIfOther(
      others, of: ids.count,
      next: LocalizedText(
        "Use a snapshot that was taken of the products that are there now.", ko: "지금 있는 상품을 저장한 스냅샷을 쓰세요."))
    return plan
  }

  /// Returns the current id of a deleted product that was restored, or whose deletion was undone.
  private static func current(
    _ id: Product.ID, at market: Client<MarketService>, _ scope: CommandScope
  ) throws -> Product.ID {
    guard Journal.exists(in: scope.context.stores.home.journalFolder) else { return id }
    return try scope.context.stores.journal().identity(of: id, scope.session.marketLogin(at: market.service.baseURL))
  }

  /// Returns the command that undoes the deletion of the only target, or `nil` if the log has none.
  private func undoOfDeletion(at market: Client<MarketService>, in scope: CommandScope) throws -> LocalizedText? {
    guard case .ids(let ranges) = target, ranges.count == 1, let id = ranges.first?.lowerBound,
      ranges.first?.count == 1, Journal.exists(in: scope.context.stores.home.journalFolder)
    else { return nil }
    let url = scope.session.marketLogin(at: market.service.baseURL).baseURL
    let deletion = try scope.context.stores.journal().entries(limit: 1) { entry in
      entry.action == .delete && entry.product == id && entry.baseURL == url && entry.status == .done
    }
    guard let entry = deletion.first else { return nil }
    return LocalizedText(
      "You deleted product \(id). Run \(.command("undo \(entry.id)")) to create it again.",
      ko: "\(id)번 상품은 삭제했습니다. 다시 등록하려면 \(.command("undo \(entry.id)"), .object) 실행하세요.")
  }

  /// Returns the old values, to which the same validation applies as to typed ones.
  ///
  /// - Throws: `CommandError` if the snapshot lacks a field that was requested by name.
  private func values(_ old: Product) throws(CommandError) -> Reconciliation.Values {
    if fields.count < RestoreCommand.restorable.count, let field = fields.first(where: { old[$0] == nil }) {
      throw CommandError(
        .refused,
        .failure(
          "The snapshot does not include the \(.field(field)) of product \(old.id).",
          ko: "스냅샷에는 \(old.id)번 상품의 \(.field(field)) 값이 없습니다."
        ).because("Lists in this edition do not include it.", ko: "이 API 버전의 목록에는 없는 필드입니다."))
    }
    return old.values(of: fields)
  }

  /// Returns the failure if the snapshot has none of the products.
  private static func missing(_ ids: [Product.ID], _ snapshot: Snapshot) -> CommandError {
    let name = snapshot.name ?? snapshot.takenAt.description
    let message =
      ids.count == 1
      ? Message.failure(
        "Product \(ids[0]) is not in snapshot \(.value(name)).", ko: "\(ids[0])번 상품은 \(.value(name)) 스냅샷에 없습니다.")
      : .failure(
        "None of the \(ids.count) products is in snapshot \(.value(name)).",
        ko: "상품 \(ids.count)개가 모두 \(.value(name)) 스냅샷에 없습니다.")
    return CommandError(.refused, message, code: .notFound)
  }

  private static func missing(_ id: Product.ID, _ snapshot: Snapshot) -> Message {
    let name = snapshot.name ?? ""
    return .warning(
      "Product \(id) is not in snapshot \(.value(name)) and will be skipped.",
      ko: "\(id)번 상품은 \(.value(name)) 스냅샷에 없어 그대로 둡니다.")
  }
}

/// The creation of a deleted product from a snapshot under a new id.
///
/// It uses the thumbnail, or an image of one pixel if that no longer exists.
struct ProductRecreation {
  private let old: Product
  private let market: Client<MarketService>
  private let scope: CommandScope

  init(_ old: Product, market: Client<MarketService>, in scope: CommandScope) {
    self.old = old
    self.market = market
    self.scope = scope
  }

  /// Returns the draft, or `nil` if the product belonged to another vendor or a field is missing.
  ///
  /// The user is notified in both cases, and that the product will be created again.
  func draft() async -> ProductDraft? {
    if scope.session.server.hasVendorAccounts, let me = scope.session.credentials.vendorID, let vendor = old.vendorID,
      vendor != me
    {
      say(
        "Product \(old.id) no longer exists. It belonged to another vendor.",
        ko: "\(old.id)번 상품은 없어졌고, 다른 판매자의 상품이었습니다.")
      return nil
    }
    if let writable = market.service.dialect.capabilities.writableFields, old.name != nil {
      say(
        "Product \(old.id) no longer exists. It will be recreated with a new ID.",
        ko: "\(old.id)번 상품이 없어져, 다른 번호로 다시 만듭니다.")
      var draft = ProductDraft(valuesOf: old, in: writable)
      draft.replaces = old.id
      return draft
    }
    guard let name = old.name, let description = old.description, let price = old.price, let currency = old.currency
    else {
      say(
        "Product \(old.id) no longer exists and cannot be recreated: the snapshot does not include all its fields.",
        ko: "\(old.id)번 상품은 없어졌고, 스냅샷에 모든 값이 없어 다시 만들 수 없습니다.")
      return nil
    }
    let picture = await picture()
    if picture == nil {
      say(
        "Product \(old.id) and its image no longer exist. It will be recreated with a blank image and a new ID.",
        ko: "\(old.id)번 상품과 사진이 없어져, 빈 사진을 넣어 다른 번호로 다시 만듭니다.")
    } else {
      say(
        "Product \(old.id) no longer exists. It will be recreated with a new ID.",
        ko: "\(old.id)번 상품이 없어져, 다른 번호로 다시 만듭니다.")
    }
    var draft = ProductDraft(
      name: name, description: description, price: price, currency: currency,
      pictures: [picture ?? PictureFile.onePixel], others: ProductValues(of: old))
    draft.replaces = old.id
    return draft
  }

  private func say(_ english: StyledText, ko korean: StyledText) { scope.say(.warning(english, ko: korean)) }

  /// Returns the image that is still at the thumbnail's address.
  ///
  /// The embedded market has another address after every start.
  private func picture() async -> PictureFile? {
    guard let text = old.thumbnailURL, var url = PictureURLPolicy.url(text, of: scope.session.server.url?.value) else {
      return nil
    }
    if scope.session.server.isEmbedded, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
      parts.port = market.service.baseURL.port
      url = parts.url ?? url
    }
    guard
      let data = try? await scope.context.network.images.cache.picture(
        at: url, of: scope.context.network.markets.generation(at: market.service.baseURL),
        through: scope.context.network.transport,
        deadline: scope.context.network.images.timeout),
      let format = PictureFormat.detect(data)
    else { return nil }
    return PictureFile(name: "restored-\(old.id).\(format.fileExtension)", type: format.mediaType, bytes: data)
  }
}
