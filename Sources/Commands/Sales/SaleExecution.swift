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

/// The start or the end of a sale: every product is read, and what is read decides what is sent.
///
/// The start computes the discount from the current price. The end restores the discount of before for products that
/// still have the discount of the sale. What cannot be done is reported each time, until it is done or dismissed.
struct SaleExecution {
  /// The part of a sale that is applied.
  enum Phase { case start, end }

  /// The change that a product needs, as it was read.
  private enum Finding {
    /// Its discount is changed.
    case edit(Change, SaleProgress.Entry)
    /// Nothing is sent.
    case decided(SaleProgress.Entry)
    /// It can't be done now.
    case left(LocalizedText)
  }

  private let sale: ScheduledSale
  private let plan: ScheduledPlanStore.ScheduledPlan
  private let rule: SaleRule
  private let phase: Phase
  private let others: [ScheduledSale]
  private let store: ScheduledPlanStore
  private let consent: WriteOptions

  /// Creates the start or the end of a sale.
  ///
  /// - Parameters:
  ///   - plan: Its file.
  ///   - rule: Its rule.
  ///   - phase: The part to be applied.
  ///   - others: The sales that aren't over, which may have the same products.
  ///   - store: The store of its files, which is locked.
  ///   - consent: The options of the line.
  init(
    _ sale: ScheduledSale, plan: ScheduledPlanStore.ScheduledPlan, rule: SaleRule, phase: Phase,
    among others: [ScheduledSale], in store: ScheduledPlanStore, consent: WriteOptions
  ) {
    self.sale = sale
    self.plan = plan
    self.rule = rule
    self.phase = phase
    self.others = others.filter { $0 != sale }
    self.store = store
    self.consent = consent
  }

  /// The products as they were when the sale was planned.
  private var planned: [Product.ID: ProductReference] {
    let products = plan.contents.plan.changes.compactMap(\.product)
    return Dictionary(products.map { ($0.id, ProductReference($0)) }) { first, _ in first }
  }

  /// The source of its writes in the log.
  private var source: String { PendingSaleWrites(of: plan).source }

  /// Reads the products, asks, sends and records the progress.
  ///
  /// - Returns: The result, with the exit status of a partial failure if anything is left to do, and what that is.
  /// - Throws: `CommandError` for a sale of another market or vendor, and if it isn't approved.
  func run(at market: Client<MarketService>, in scope: inout CommandScope) async throws -> (
    result: CommandResult, left: SaleLeftover?
  ) {
    try await DestinationCheck(plan.contents.destination).check(market, named: plan.path, in: scope)
    let (attribution, question) = try await PlanApproval(plan.contents, from: plan.source, named: plan.path)
      .check(in: scope)
    var context = scope.context
    context.program.attribution = attribution
    return try await scope.with(context) { scope in try await run(at: market, question, in: &scope) }
  }

  private func run(
    at market: Client<MarketService>, _ question: WriteQuestion, in scope: inout CommandScope
  ) async throws -> (result: CommandResult, left: SaleLeftover?) {
    if plan.contents.isEdited {
      scope.say(
        .note(
          "\(.value(plan.name)) was edited after it was created.", ko: "\(.value(plan.name), .topic) 저장한 뒤에 수정된 계획입니다."
        ))
    }
    var progress = try store.progress(of: plan)
    let inDoubt = try await PendingSaleWrites(of: plan).resolve(at: market, in: scope)
    let ids = wanted(progress)
    let (found, unread) = try await read(ids, market, in: scope)
    let planned = planned
    let others = ids.compactMap { id in
      found[id].flatMap { now in now.id == id ? planned[id]?.mismatch(with: now) : nil }
    }
    if !others.isEmpty, others.count == ids.count {
      try CommandError.throwIfOther(
        others, of: ids.count,
        next: LocalizedText(
          "Run \(.command("sale dismiss \(sale.number)")) to drop the sale.",
          ko: "할인을 그만두려면 \(.command("sale dismiss \(sale.number)"), .object) 실행하세요."))
    }
    var batch = Plan()
    batch.computesPrices = phase == .start
    var sent: [Product.ID: SaleProgress.Entry] = [:]
    var left: [(id: Product.ID, reason: LocalizedText)] = []
    var skipped: [Product.ID] = []
    for id in ids {
      if let reason = unread[id] {
        left.append((id, reason))
        continue
      }
      switch finding(id, now: found[id], planned[id], entry: progress[id], inDoubt: inDoubt) {
      case .edit(let change, let entry):
        var row = Plan.Row(change)
        row.place = .product(id)
        batch.rows.append(row)
        sent[id] = entry
      case .decided(let entry):
        if entry.state == .skipped, progress[id]?.state != .skipped { skipped.append(id) }
        progress[id] = entry
      case .left(let reason): left.append((id, reason))
      }
    }
    leaveOutUnusualChanges(of: &batch, left: &left, in: scope)
    let missed = phase == .end ? sale.products.filter { progress[$0] == nil } : []
    for id in missed { progress[id] = SaleProgress.Entry(.ended) }
    if scope.mode == .write, progress != SaleProgress(), missed.isEmpty { try store.save(progress, of: plan) }
    var notes: [Message] = []
    if !skipped.isEmpty { notes.append(SaleExecution.alreadyCheaper(skipped)) }
    if !missed.isEmpty { scope.say(SaleExecution.missed(missed, isWhole: missed.count == sale.products.count)) }
    var result = try await send(
      batch, sent: sent, progress: &progress, left: &left, notes: notes, question: question, market: market, in: &scope)
    if let error = result.error {
      _ = scope.report(error)
      result.error = nil
      result.status = .partialFailure
    }
    if !left.isEmpty || !missed.isEmpty { result.status = .partialFailure }
    if phase == .end, scope.mode == .write {
      if sale.products.allSatisfy({ progress[$0].map { !$0.mayBeLowered } ?? true }) {
        store.archive(plan.path)
      } else {
        try store.save(progress, of: plan)
        result.status = .partialFailure
      }
    }
    let isLeft = !left.isEmpty && scope.mode != .curl
    return (result, isLeft ? SaleLeftover(phase: phase, count: sale.products.count, products: left) : nil)
  }

  /// The products that the phase still has to look at.
  private func wanted(_ progress: SaleProgress) -> [Product.ID] {
    sale.products.filter { id in
      switch phase {
      case .start: progress[id].map { $0.state == .starting } ?? true
      case .end: progress[id].map(\.mayBeLowered) ?? false
      }
    }
  }

  /// Reads products by their ids at the time of planning.
  ///
  /// - Returns: The products that exist, with their current ids, and the reasons why others can't be read.
  /// - Throws: The error of a server that can't be reached, and `CancellationError`.
  private func read(_ ids: [Product.ID], _ market: Client<MarketService>, in scope: CommandScope) async throws -> (
    found: [Product.ID: Product], unread: [Product.ID: LocalizedText]
  ) {
    var current: [Product.ID: Product.ID] = [:]
    if Journal.exists(in: scope.context.stores.home.journalFolder), let journal = try? scope.context.stores.journal() {
      let returned = try ReturnedProducts(journal, at: journal.name(of: plan.contents.destination.market))
      for id in ids where returned.current(id) != id {
        current[id] = returned.current(id)
        scope.say(
          .note(
            "Product \(id) is now product \(returned.current(id)).", ko: "\(id)번 상품은 이제 \(returned.current(id))번입니다."))
      }
    }
    let wanted = ids.map { current[$0] ?? $0 }
    let reader = ProductReader(market, scope)
    var products: [Product.ID: Product] = [:]
    var failures: [Product.ID: LocalizedText] = [:]
    do {
      products = try await reader.find(wanted, optional: Set(wanted))
    } catch  where SaleExecution.isOfOneProduct(error) {
      // One product that the server can't show must not stop the others.
      for id in wanted {
        do {
          products.merge(try await reader.find([id], optional: [id])) { $1 }
        } catch  where SaleExecution.isOfOneProduct(error) {
          failures[id] = CommandError(describing: error).message.what
        }
      }
    }
    var found: [Product.ID: Product] = [:]
    var unread: [Product.ID: LocalizedText] = [:]
    for (id, now) in zip(ids, wanted) {
      found[id] = products[now]
      unread[id] = failures[now]
    }
    return (found, unread)
  }

  /// Returns whether a failed read says nothing about the other products.
  private static func isOfOneProduct(_ error: any Error) -> Bool {
    guard let error = error as? MarketError else { return false }
    switch error {
    case .refused, .notFound, .unreadable, .redirected, .unsuitedProduct: return true
    case .undescribed, .tooManyRequests, .notLoggedIn, .invalidCredential, .unsupported, .needsCurrentProduct,
      .invalidDeletionURL,
      .unknownEdition:
      return false
    }
  }

  private func finding(
    _ id: Product.ID, now: Product?, _ planned: ProductReference?, entry: SaleProgress.Entry?,
    inDoubt: Set<Product.ID>
  ) -> Finding {
    if inDoubt.contains(now?.id ?? id) {
      return .left(
        LocalizedText(
          "the outcome of an earlier change is unknown (see status)", ko: "이전 변경의 결과를 알 수 없음(status로 확인)"))
    }
    guard let now else { return .left(LocalizedText("it was deleted", ko: "삭제됨")) }
    // A product that was restored under another number has another time of creation.
    if now.id == id, let mismatch = planned?.mismatch(with: now) { return .left(mismatch.wording) }
    switch phase {
    case .start: return start(id, now: now, entry: entry)
    case .end: return end(now, entry)
    }
  }

  private func start(_ id: Product.ID, now: Product, entry: SaleProgress.Entry?) -> Finding {
    let discount = now.discount ?? .zero
    // The discount that an interrupted start was about to set shows that it was set.
    if let entry, entry.discount == discount {
      return .decided(SaleProgress.Entry(.started, before: entry.before, discount: discount))
    }
    if let other = others.first(where: { $0.isAt(plan.contents.destination) && $0.hasLowered(id) }) {
      return .left(
        LocalizedText(
          "another sale of it is not over: \(.command(other.command))",
          ko: "같은 상품의 다른 할인이 아직 끝나지 않음: \(.command(other.command))"))
    }
    do throws(ParseError) {
      guard let lowered = try rule.discount(of: now), lowered > discount else {
        return .decided(SaleProgress.Entry(.skipped))
      }
      return .edit(
        .edit(now, from: ProductValues(discount: discount), to: ProductValues(discount: lowered)),
        SaleProgress.Entry(.starting, before: discount, discount: lowered))
    } catch {
      return .left(error.message)
    }
  }

  private func end(_ now: Product, _ entry: SaleProgress.Entry?) -> Finding {
    let discount = now.discount ?? .zero
    guard let entry, let before = entry.before, let lowered = entry.discount, discount != before else {
      return .decided(SaleProgress.Entry(.ended))
    }
    guard discount == lowered else {
      return .left(
        LocalizedText(
          "its discount was changed during the sale: \(.before(lowered)) -> \(.after(discount)) (before the sale: \(before))",
          ko: "할인 기간에 할인액이 바뀜: \(.before(lowered)) -> \(.after(discount))(할인 전: \(before))"))
    }
    return .edit(.edit(now, from: ProductValues(discount: lowered), to: ProductValues(discount: before)), entry)
  }

  /// Removes unusual changes if there is no user to ask, so that these don't stop the others.
  private func leaveOutUnusualChanges(
    of batch: inout Plan, left: inout [(id: Product.ID, reason: LocalizedText)], in scope: CommandScope
  ) {
    guard scope.mode == .write, batch.rows.count > 1, !consent.outliers, scope.context.program.asker == nil else {
      return
    }
    let unusual = batch.unusualChanges
    guard unusual.count < batch.rows.count else { return }
    for id in batch.removeChanges(at: unusual).compactMap(\.productOfSale) {
      left.append((id, LocalizedText("an unusual value, which needs outliers", ko: "평소와 크게 다른 값이라 outliers가 필요함")))
    }
  }

  /// Sends the changes, and records them before and after.
  private func send(
    _ batch: Plan, sent: [Product.ID: SaleProgress.Entry], progress: inout SaleProgress,
    left: inout [(id: Product.ID, reason: LocalizedText)], notes: [Message], question: WriteQuestion,
    market: Client<MarketService>, in scope: inout CommandScope
  ) async throws -> CommandResult {
    guard !batch.changes.isEmpty else {
      for note in notes { scope.say(note) }
      return .empty
    }
    let executor = PlanExecutor(market, consent)
    var batch = batch
    for index in batch.rows.indices {
      batch.rows[index].origin.source = CreateSource(name: source, part: scope.context.stores.freshName())
    }
    let (store, plan, phase) = (store, plan, phase)
    // A product that the server refuses must not keep the others in the sale.
    var pace = consent.pace
    pace.stopsWhenForbidden = false
    let note = consent.note ?? "sale \(rule.percent)% \(phase == .start ? "begins" : "ends")"
    var current = progress
    var failed: [(id: Product.ID, reason: LocalizedText)] = []
    let result = try await executor.execute(
      batch, notes: notes, question: question, namesSales: false, in: &scope,
      send: { approved, runner in
        for id in approved.rows.compactMap(\.productOfSale) where phase == .start { current[id] = sent[id] }
        try store.save(current, of: plan)
        return await runner.run(approved, note: note, pace: pace)
      },
      report: { made, scope in
        for row in made.rows {
          guard let id = row.productOfSale, let entry = sent[id] else { continue }
          current[id] = SaleExecution.entry(after: row.result, entry, phase)
          if !row.result.isSuccess { failed.append((id, row.result.detail ?? row.result.kind.words)) }
        }
        try store.save(current, of: plan)
        return try await executor.report(made, in: &scope)
      })
    progress = current
    left += failed
    return result
  }

  /// Returns the state of a product in the sale after its change, or `nil` if the sale hasn't started for it.
  private static func entry(after outcome: Outcome, _ entry: SaleProgress.Entry, _ phase: Phase) -> SaleProgress.Entry?
  {
    switch outcome {
    case .done(_, let differences) where !differences.isPartial:
      guard phase == .start else { return SaleProgress.Entry(.ended) }
      // A server that rounds stores another discount, which is then the one of the sale.
      let stored = differences.first { $0.field == .discount && $0.kind == .stored }?.now?.numericValue
      return SaleProgress.Entry(.started, before: entry.before, discount: stored ?? entry.discount)
    case .unchanged(_, earlier: nil):
      return phase == .start
        ? SaleProgress.Entry(.started, before: entry.before, discount: entry.discount) : SaleProgress.Entry(.ended)
    case .refused, .notSent, .aborted, .journalUnavailable, .locked, .notStarted, .drifted, .notApplied,
      .otherProduct, .createdAndGone:
      return phase == .start ? nil : entry
    case .done, .unchanged, .unknown, .needsDecision, .unrecorded, .notStored:
      // The next run reads the product again.
      return entry
    }
  }

  // MARK: Messages

  static func alreadyCheaper(_ ids: [Product.ID]) -> Message {
    let count = ids.count
    return .note(
      "\(count) already \(count == 1 ? StyledText("sells") : "sell") at or below the sale price and will be skipped: \(ScheduledSale.listed(ids)).",
      ko: "\(count)개는 이미 그 가격 이하라서 그대로 둡니다: \(ScheduledSale.listed(ids)).")
  }

  private static func missed(_ ids: [Product.ID], isWhole: Bool) -> Message {
    isWhole
      ? .warning(
        "The sale was missed: its end came before it was started. No price was changed.",
        ko: "할인을 시작하기 전에 기간이 끝났습니다. 가격은 바꾸지 않았습니다.")
      : .warning(
        "The sale was never started for these products: \(ScheduledSale.listed(ids)).",
        ko: "할인을 시작하지 못한 상품: \(ScheduledSale.listed(ids)).")
  }
}

/// The products for which the start or the end of a sale could not be applied.
struct SaleLeftover {
  private static let maximumReasons = 100

  fileprivate var phase: SaleExecution.Phase
  /// The number of products of the sale.
  fileprivate var count: Int
  fileprivate var products: [(id: Product.ID, reason: LocalizedText)]

  /// Returns the warning that names every product, with the number of the sale.
  func message(_ number: Int) -> Message {
    var message =
      phase == .start
      ? Message.warning(
        "Sale \(number) could not be started for \(products.count) of \(count) products.",
        ko: "\(number)번 할인을 상품 \(count)개 중 \(products.count)개에서 시작하지 못했습니다.")
      : Message.warning(
        "Sale \(number) could not be ended for \(products.count) of \(count) products.",
        ko: "\(number)번 할인을 상품 \(count)개 중 \(products.count)개에서 끝내지 못했습니다.")
    for (id, reason) in products.prefix(SaleLeftover.maximumReasons) {
      message = message.because(
        LocalizedText("product \(id): \(reason[.english])", ko: "\(id)번 상품: \(reason[.korean])"))
    }
    let rest = products.dropFirst(SaleLeftover.maximumReasons)
    if !rest.isEmpty {
      let ids = rest.map { String($0.id) }.joined(separator: ", ")
      message = message.because("and products \(ids)", ko: "그 밖의 상품 \(ids)")
    }
    return message.next(SaleLeftover.hint(number))
  }

  /// Returns the hint how to finish or dismiss a sale whose start or end wasn't applied to every product.
  static func hint(_ number: Int) -> LocalizedText {
    LocalizedText(
      "The next \(.command("due apply")) tries again. Run \(.command("sale dismiss \(number)")) to leave the rest as it is.",
      ko:
        "다음 \(.command("due apply")) 때 다시 시도합니다. 나머지를 그대로 두려면 \(.command("sale dismiss \(number)"), .object) 실행하세요."
    )
  }
}

extension CommandScope {
  /// Runs a body at the market of a scheduled plan: in this session, or in a temporary one of its profile.
  mutating func atMarket<Result>(
    of destination: PlanFile.Destination,
    _ body: (Client<MarketService>, inout CommandScope) async throws -> Result
  ) async throws -> Result {
    if destination.profile == session.server.name {
      let market = try await marketClient()
      return try await body(market, &self)
    }
    var other = try context.opening.session(
      profile: Sourced(destination.profile, .profile), settings: session.settings)
    if session.server.access == Sourced(.readOnly, .option) { other.server.access = session.server.access }
    context.stores.remember(other.secrets)
    context.stores.recording.exchanges?.configure(other)
    defer { context.stores.recording.exchanges?.configure(session) }
    other.script.run = session.script.run
    var inner = CommandScope(other, context, mode: mode)
    try inner.requireWritable(checksApproval: true)
    try await inner.resolveSecret()
    let market = try await inner.marketClient()
    return try await body(market, &inner)
  }
}

extension ScheduledSale {
  fileprivate func isAt(_ destination: PlanFile.Destination) -> Bool {
    self.destination?.market.isSame(as: destination.market) ?? false
  }

  /// Returns whether the product may have the discount of this sale.
  fileprivate func hasLowered(_ id: Product.ID) -> Bool {
    switch form {
    case .rule(_, _, let progress): progress[id]?.mayBeLowered ?? false
    case .plans(let start, _): start == nil && products.contains(id)
    }
  }
}

extension SaleRule {
  /// Returns the discount of a product at its current price, or `nil` if the product has that discount already.
  ///
  /// - Throws: `ParseError` for a product without a price, and for a result that no product can have.
  func discount(of product: Product) throws(ParseError) -> Amount? {
    var assignment = Assignment(ProductField.sale.rawValue, .set, to: "", range: 0..<0)
    assignment.formula = .binary(.field(.price), .multiply, .percent(Amount(100) - percent))
    let whole = product.currency?.minorUnitDigits == 0 ? "1" : nil
    let edit = try ProductEdit([assignment], round: step?.description ?? whole, limits: .documented)
    return try edit.changes(of: product).to.discount
  }
}

extension Plan.Row {
  /// The number by which a sale names the product.
  fileprivate var productOfSale: Product.ID? { if case .product(let id)? = place { id } else { nil } }
}
