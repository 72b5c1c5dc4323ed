import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `copy TARGETS to PROFILE`: creates or updates products of another market.
package struct CopyCommand: Command {
  package static let declaration = CommandDeclaration(
    "copy", group: .view, summary: LocalizedText("copy products to another market", ko: "다른 마켓으로 상품 복사"),
    usage: ["copy TARGETS to PROFILE [folder DIR] [all] [pages N]"],
    details: LocalizedText(
      "Creates products of this market on the market of another profile, with their images, or updates the copies that were made before. What the other edition cannot store is shown first.",
      ko: "현재 마켓의 상품을 사진까지 다른 프로필의 마켓에 등록하거나, 전에 만든 사본을 갱신합니다. 그 API 버전이 저장할 수 없는 것은 먼저 알립니다."),
    writesToMarket: true, producesData: true,
    parameters: [
      Parameter(
        "TARGETS", .positional(required: true), kind: .target,
        summary: LocalizedText("products to use (see help targets)", ko: "대상 상품")),
      Parameter(
        "to", .option, kind: .profile, summary: LocalizedText("profile of the other market", ko: "다른 마켓의 프로필"),
        placeholder: "PROFILE"),
      Parameter(
        "folder", .option, kind: .file,
        summary: LocalizedText(
          "pulled folder that also records which product is whose copy", ko: "복사 기록을 함께 둘, pull한 폴더"),
        placeholder: "DIR"),
      .showingAll, .pages,
    ],
    examples: [
      .init("copy 42 to shop", "product 42, to the market of profile shop", ko: "42번 상품을 shop 프로필의 마켓으로"),
      .init("copy mine to shop", "a second time it updates the copies", ko: "다시 실행하면 사본을 갱신"),
    ])

  private let consent: WriteOptions
  private let target: ProductSelector
  private let profile: String
  private let folder: String?
  private let pages: Int?

  /// - Throws: `ParseError` without a profile.
  package init(_ invocation: ParsedCommand) throws {
    consent = WriteOptions(invocation)
    target = invocation.target("TARGETS") ?? .last
    folder = invocation.text("folder")
    pages = invocation.number("pages")
    guard let profile = invocation.text("to") else {
      throw ParseError(
        LocalizedText("copy needs a profile.", ko: "copy에는 프로필이 필요합니다."),
        suggestion: LocalizedText(
          "For example: \(.command("copy 42 to shop"))", ko: "예: \(.command("copy 42 to shop"))"))
    }
    self.profile = profile
  }

  /// - Throws: `CommandError` for an unknown profile or the session's own market, and if the changes aren't approved; the
  ///   errors of reading the products.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    var other = try await OtherMarket(profile, writes: true, in: scope)
    try other.scope.requireWritable()
    try await scope.readGeneration(of: market)
    let address = scope.session.marketLogin(at: market.service.baseURL).baseURL
    let here = scope.session.market(at: market.service.baseURL)
    guard !other.market.isSame(as: here) else {
      throw CommandError(
        .usageError,
        .failure(
          "\(.value(profile)) is the market of this session. Nothing was sent.",
          ko: "\(.value(profile), .topic) 현재 세션의 마켓입니다. 아무것도 보내지 않았습니다."))
    }
    let ids = try await TargetResolver(target, .init(consent, pages: pages, scope.mode)).ids(
      from: market, in: scope)
    let products = try await ProductReader(market, scope).read(ids, &scope.session)
    var map = try ProductIDMap(
      from: ProductIDMap.Side(address, here), to: other.side,
      others: (try formerMarkets(at: here, scope), try formerMarkets(at: other.market, scope)),
      in: scope.context.stores.home,
      and: try await productFolder(of: market, scope))
    try await findCreated(products, from: address, &map, other: other)
    if !consent.again { try checkFormerCopies(of: products, map) }
    let copies = products.compactMap { map[$0.id] }
    let there = try await ProductReader(other.client, scope).find(copies, optional: Set(copies))
    let others = products.compactMap { product in
      map.mismatches(product, map[product.id].flatMap { there[$0] }).first.map { (product.id, $0) }
    }
    if consent.again {
      map = map.forgetting(Set(others.map(\.0)))
    } else {
      try CommandError.throwIfOther(
        others.map(\.1), of: copies.count,
        next: LocalizedText(
          "Add \(.command("again")) to create new copies of these products.",
          ko: "이 상품의 사본을 새로 만들려면 \(.command("again"), .object) 붙이세요."))
    }
    var planner = CopyPlanner(map, to: other.client.service, scope.session.limits)
    let (pictures, otherPictures) = (
      CopiedPictures(market, stores: scope.context.stores, clock: scope.context.clock),
      CopiedPictures(other.client, stores: scope.context.stores, clock: scope.context.clock)
    )
    let progress = ProgressLine(LocalizedText("Preparing", ko: "준비하는 중"), after: 0.5, scope)
    for (index, product) in products.enumerated() {
      progress.show(index, of: products.count)
      try Task.checkCancellation()
      let copy = map[product.id].flatMap { there[$0] }
      let isRead = planner.readsPictures(of: product, onto: copy)
      let digests: [String]? = if isRead, let copy { await otherPictures.digests(of: copy) } else { nil }
      let files: [PictureFile]? = isRead ? await pictures.files(of: product) : []
      planner.plan(product, pictures: files, onto: copy, targetDigests: digests)
    }
    progress.clear()
    return try await send(planner, from: address, map: map, other: &other)
  }

  /// Returns the other markets that this home has seen at the addresses of a market.
  private func formerMarkets(at market: MarketIdentity, _ scope: CommandScope) throws -> [ProductIDMap.Side] {
    guard Journal.exists(in: scope.context.stores.home.journalFolder) else { return [] }
    return try scope.context.stores.journal().otherMarkets(at: market).map { ProductIDMap.Side($0.name, $0.market) }
  }

  /// Checks that no product was copied from or to a market before its reset: the copy doesn't exist, or the number named another
  /// product.
  ///
  /// - Throws: `CommandError` with exit status 4 that names both markets.
  private func checkFormerCopies(of products: [Product], _ map: ProductIDMap) throws {
    let former = products.compactMap { map.formerCopy(of: $0.id) }
    guard let first = former.first, let mismatch = first.here.mismatch(with: first.record) else { return }
    let (count, all) = (former.count, products.count)
    let message =
      first.isOfSource
      ? Message.failure(
        "\(count) of \(all) product \(all == 1 ? StyledText("number") : "numbers") \(count == 1 ? StyledText("was") : "were") copied from another market. Nothing was sent.",
        ko: "상품 번호 \(all)개 중 \(count)개는 다른 마켓에서 복사한 것입니다. 아무것도 보내지 않았습니다.")
      : .failure(
        "\(count) of \(all) \(all == 1 ? StyledText("product") : "products") \(count == 1 ? StyledText("was") : "were") copied to another market. Nothing was sent.",
        ko: "상품 \(all)개 중 \(count)개는 다른 마켓으로 복사한 것입니다. 아무것도 보내지 않았습니다.")
    throw CommandError(
      .blocked,
      message.because(mismatch, of: first.record, at: first.here, profile: nil).next(
        "Add \(.command("again")) to create new copies of these products.",
        ko: "이 상품의 사본을 새로 만들려면 \(.command("again"), .object) 붙이세요."),
      code: .otherDestination)
  }

  /// Returns the text by which the log recognizes copies between the same two markets.
  private func source(from address: String, to other: OtherMarket) -> String { "copy \(address) \(other.address)" }

  /// Adds the copies that an interrupted run created to the map: the source of a copy is its place, whatever became of its
  /// values since.
  private func findCreated(
    _ products: [Product], from address: String, _ map: inout ProductIDMap, other: OtherMarket
  ) async throws {
    let scope = other.scope
    let missing = products.filter { map[$0.id] == nil }
    guard !missing.isEmpty, !consent.again, scope.mode == .write else { return }
    let made = try await Reconciler.created(
      from: source(from: address, to: other), at: other.client, in: scope
    ) { missing.map { "\($0.id) " } }
    for (product, known) in zip(missing, made) {
      guard let copy = known?.product else { continue }
      try map.append(product, copy)
      map.add(product.id, copy.id)
    }
  }

  /// Returns the folder of the line, which must be one of this market.
  private func productFolder(
    of market: Client<MarketService>, _ scope: CommandScope
  ) async throws -> ProductFolder? {
    guard let folder else { return nil }
    let products = ProductFolder(folder, home: scope.context.program.environment["HOME"])
    guard let origin = try products.origin() else {
      throw CommandError(
        .usageError,
        .failure("\(.value(folder)) is no folder of products.", ko: "\(.value(folder), .topic) 상품 폴더가 아닙니다.")
          .next("Run \(.command("pull \(folder)")) first.", ko: "먼저 \(.command("pull \(folder)"), .object) 실행하세요."))
    }
    try await products.checkMarket(origin, is: market, in: scope)
    try products.copies.createFolder()
    return products
  }

  private func send(
    _ planner: CopyPlanner, from address: String, map: ProductIDMap, other: inout OtherMarket
  ) async throws -> CommandResult {
    let (market, sources) = (other.client, planner.sources)
    @Sendable func source(of row: Plan.Row) -> Product? {
      if case .product(let id)? = row.place { sources[id] } else { nil }
    }
    let ids = CreatedIDs { row, copy throws(FileError) in
      if let product = source(of: row) { try map.append(product, copy) }
    }
    let reconciler = Reconciler(self.source(from: address, to: other), at: market, consent, recording: ids)
    let plan = try await reconciler.leavingOutCreated(
      planner.plan, since: { source(of: $0)?.created }, in: other.scope)
    var notes = planner.lossMessage(profile).map { [$0] } ?? []
    let (same, count) = (planner.same, planner.same + plan.rows.count)
    if same > 0 {
      notes.append(
        .note(
          "\(same) of \(count) \(same == 1 ? StyledText("is") : "are") already up to date.",
          ko: "\(count)건 중 \(same)건은 이미 같은 값입니다."))
    }
    let status: ExitStatus = planner.skipped > 0 ? .partialFailure : .success
    var result = try await reconciler.run(
      plan, notes: notes, in: &other.scope,
      unsent: { plan, scope in
        guard plan.rows.isEmpty else { return try await PlanExecutor(market, consent).report(plan, in: &scope) }
        return .message(.note("Nothing to copy. Nothing was sent.", ko: "복사할 것이 없습니다. 아무것도 보내지 않았습니다."))
      })
    if result.isSuccess, plan.rows.isEmpty || !plan.changes.isEmpty { result.status = status }
    return result
  }
}
