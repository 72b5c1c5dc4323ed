import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The path of every write of products: checks, preview, confirmation, journal, requests, report.
///
/// Commands differ only in how they make their plan, and in the arguments of `execute`.
package struct PlanExecutor {
  /// Sends the changes of an approved plan, and returns it with their outcomes.
  package typealias Send = (Plan, PlanRunner) async throws -> Plan
  /// Reports how the changes of an approved plan ended.
  package typealias MakeReport = (Plan, inout CommandScope) async throws -> CommandResult

  package let market: Client<MarketService>
  private let consent: WriteOptions

  package init(_ market: Client<MarketService>, _ consent: WriteOptions) {
    self.market = market
    self.consent = consent
  }

  /// Executes a plan, or reports that there is nothing to change.
  ///
  /// - Parameters:
  ///   - question: The confirmation.
  ///   - scope: The scope of the command.
  /// - Returns: The result.
  /// - Throws: The errors of `execute` before anything is sent.
  package func executeOnce(
    _ plan: Plan, question: WriteQuestion = .ofProfile, in scope: inout CommandScope
  ) async throws -> CommandResult {
    var plan = plan
    for index in plan.rows.indices { plan.rows[index].origin.isAnother = consent.again }
    guard !plan.changes.isEmpty else { return try await unsent(plan, in: &scope) }
    return try await execute(
      plan, notes: plan.unchangedNote().map { [$0] } ?? [], question: question, in: &scope)
  }

  /// Reports a plan without changes to send: the reasons, or the products as they are.
  private func unsent(_ plan: Plan, in scope: inout CommandScope) async throws -> CommandResult {
    try supersede(plan, in: scope)
    let single = plan.rows.count == 1 ? plan.rows[0] : nil
    let receipt = single?.unchangedProduct.map { Report.receipt(.unchanged($0, single?.earlierWrite)) }
    if plan.rows.contains(where: { $0.isDrifted || $0.earlierWrite != nil }) {
      guard let receipt else { return try await report(plan, in: &scope) }
      takeEarlierWrites(plan, into: &scope.session)
      return CommandResult(receipt)
    }
    let note = Report.message(.note("Nothing to change. Nothing was sent.", ko: "바꿀 것이 없습니다. 아무것도 보내지 않았습니다."))
    guard scope.mode == .write, !plan.rows.isEmpty else { return CommandResult(note) }
    return CommandResult(.group([note, receipt ?? BatchTable.report(plan, summary: nil)]))
  }

  /// Discards the pending edits of products that have the values that a line states already.
  ///
  /// Otherwise `resume` would send an older value over the one that the line confirmed.
  private func supersede(_ plan: Plan, in scope: CommandScope) throws {
    let rows = plan.rows.filter { $0.unchangedProduct != nil && !$0.statedFields.isEmpty }
    guard scope.mode == .write, !rows.isEmpty, Journal.exists(in: scope.context.stores.home.journalFolder) else {
      return
    }
    let journal = try scope.context.stores.journal()
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    for row in rows {
      if let product = row.unchangedProduct { try journal.supersede(row.statedFields, of: product.id, binding) }
    }
  }

  /// Returns a plan of a file, folder or copy without the creates that were made from the same row before and whose products
  /// exist.
  ///
  /// A product that a row names by its id, such as one that was written back, isn't that of an equal row without one, too.
  ///
  /// A product that this home created and that doesn't exist any more, although this home didn't delete it, isn't created again: the
  /// row is reported, and `again` creates it.
  ///
  /// - Parameters:
  ///   - source: The plan or file; see `CreateSource.name`.
  ///   - scope: The scope of the command.
  /// - Returns: The plan, with the source of each row that has a change.
  /// - Throws: The errors of reading the products; `JournalError` if the log can't be read or written.
  package func withoutEarlierCreates(
    _ plan: Plan, of source: String, in scope: CommandScope
  ) async throws -> Plan {
    var plan = plan
    plan.setSource(source, isAnother: consent.again)
    guard Journal.exists(in: scope.context.stores.home.journalFolder), scope.mode != .curl else { return plan }
    if scope.mode == .write {
      scope.say(resolved: try await scope.planRunner(for: market).resolve(source: source))
    }
    guard !consent.again, plan.rows.contains(where: { $0.draft != nil }) else { return plan }
    let journal = try scope.context.stores.journal()
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    let named = plan.namedProducts
    let creates = plan.rows.indices.filter { plan.rows[$0].draft != nil && plan.rows[$0].origin.source != nil }
    let sources = try journal.numbered(creates.compactMap { plan.rows[$0].origin.source }, besides: named, binding)
    for (index, source) in zip(creates, sources) { plan.rows[index].origin.source = source }
    var made = try journal.creates(of: sources, besides: named, binding)
    let spare = try journal.createsOfRemovedRows(equalTo: sources, besides: named, binding)
    let ids = (sources.compactMap { made[$0] } + spare.sorted { $0.key < $1.key }.flatMap(\.value)).map(\.product)
    guard !ids.isEmpty else { return plan }
    let present = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    replaceVanished(in: &made, of: sources, by: spare.mapValues { $0.filter { present[$0.product] != nil } }, present)
    for (index, row) in plan.rows.enumerated() {
      guard row.draft != nil, let source = row.origin.source, let write = made[source] else { continue }
      guard let now = present[write.product] else {
        plan.rows[index].skip(as: .createdAndGone(write.product))
        continue
      }
      let mismatch = write.reference?.mismatch(with: now)
      plan.rows[index].skip(
        as: mismatch.map { .createdAndGone(write.product, $0) } ?? .unchanged(now, earlier: write))
    }
    return plan
  }

  /// Replaces creates whose products don't exist any more by those of equal rows that were taken out: of n equal rows, those that still
  /// have a product are done, whichever row it was made from.
  private func replaceVanished(
    in made: inout [CreateSource: EarlierWrite], of sources: [CreateSource], by spare: [String: [EarlierWrite]],
    _ present: [Product.ID: Product]
  ) {
    var spare = spare
    for source in sources where made[source].map({ present[$0.product] == nil }) ?? true {
      if let other = spare[source.content]?.popLast() { made[source] = other }
    }
  }

  /// Returns those of the products that a read doesn't find any more and that this home has deleted, as a plan without
  /// changes, and the numbers that mean them.
  ///
  /// The old number of a product that was brought back means that product, which may have been deleted since. Deletes with an
  /// unknown outcome are resolved by the read.
  ///
  /// - Throws: The errors of reading; `JournalError` if the log can't be read.
  package func deletedBefore(
    _ ids: [Product.ID], in scope: CommandScope
  ) async throws -> (plan: Plan, gone: Set<Product.ID>) {
    guard scope.mode == .write, Journal.exists(in: scope.context.stores.home.journalFolder) else { return (Plan(), []) }
    let journal = try scope.context.stores.journal()
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    let current = try ids.map { (id: $0, now: try journal.identity(of: $0, binding)) }
    var seen: Set<Product.ID> = []
    let numbers = current.map { $0.now }.filter { seen.insert($0).inserted }
    let deletes = try journal.deletes(of: numbers, binding)
    guard !deletes.isEmpty else { return (Plan(), []) }
    let deleted = Set(deletes.compactMap(\.product))
    let meant = current.filter { deleted.contains($0.now) }
    // A server may give an old number to a new product, which it means then.
    let asked = deleted.union(meant.map { $0.id })
    let present = try await ProductReader(market, scope).find(asked.sorted(), optional: asked)
    let gone = meant.filter { present[$0.id] == nil && present[$0.now] == nil }
    let missing = Set(gone.map { $0.now })
    let entries = deletes.filter { $0.product.map(missing.contains) ?? false }
    _ = try await scope.planRunner(for: market).resolve(entries: entries.filter { $0.state != .done }.map(\.id))
    for (id, now) in gone where id != now { scope.say(ReturnedProductReader.note(id, now: now)) }
    var plan = Plan()
    for entry in entries {
      guard let id = entry.product else { continue }
      let product = entry.snapshot ?? entry.change?.product ?? Product(id: id)
      let write = EarlierWrite(entry: entry.id, product: id, reason: .delete)
      plan.rows.append(Plan.Row(.delete(product), unsent: .unchanged(product, earlier: write)))
    }
    return (plan, Set(gone.map { $0.id }))
  }

  /// Checks and shows a plan, asks for confirmation, and sends what is approved.
  ///
  /// - Parameters:
  ///   - note: The note for the log, unless the line contains one.
  ///   - notes: Messages shown between the rows and the confirmation.
  ///   - question: The confirmation.
  ///   - namesSales: Whether to say that products are in a sale, which the sale itself doesn't.
  ///   - scope: The scope of the command.
  ///   - send: Sends the changes instead of a new batch of the journal, such as the rest of an old one.
  ///   - report: Reports the outcomes instead of the report of the plan.
  /// - Returns: The result. It contains the error of a write that failed after the confirmation.
  /// - Throws: `ParseError`, `MarketError` and `CommandError` of the checks and the confirmation. Nothing was sent then.
  package func execute(
    _ plan: Plan, note: String? = nil, notes: [Message] = [], question: WriteQuestion = .ofProfile,
    namesSales: Bool = true, in scope: inout CommandScope, send: Send? = nil, report: MakeReport? = nil
  ) async throws -> CommandResult {
    try await scope.recognizeForJournal(market)
    let watch = MarketWatch(scope.session.server, at: market.service.baseURL, for: scope.references.first?.market)
    let admitted = try await admit(plan, in: scope)
    let left = plan.rows.count - admitted.rows.count
    if left > 0, admitted.changes.isEmpty { return .message(PlanExecutor.leftToRun(left)) }
    try admitted.validateRequests(for: market.service)
    let address = scope.session.market(at: market.service.baseURL)
    let notes =
      notes
      + (namesSales
        ? ScheduledSale.notes(
          on: admitted, at: address,
          of: ScheduledPlanStore(scope.context.stores.home).sales(scope.session.limits).sales,
          now: scope.context.clock.timestamp) : [])
      + (left == 0 ? [] : [PlanExecutor.leftToRun(left)])
    let approval = try await WriteApproval.approve(
      admitted, notes: notes, consent: consent, question: question, in: scope)
    switch approval {
    case .shown(let result): return result
    case .approved(let approved, let hasOutliers):
      var result: CommandResult
      do {
        if watch.isOtherMarket { throw PlanExecutor.otherMarket }
        sayNewHome(approved, in: scope)
        try supersede(approved, in: scope)
        let runner = scope.planRunner(for: market, watch: watch)
        let made =
          if let send {
            try await send(approved, runner)
          } else {
            await runner.run(approved, note: consent.note ?? note, pace: consent.pace)
          }
        sayNotStored(made, in: scope)
        result = if let report { try await report(made, &scope) } else { try await self.report(made, in: &scope) }
      } catch {
        result = CommandResult(error: error)
      }
      if watch.isOtherMarket {
        if result.error != nil { result = CommandResult(error: PlanExecutor.otherMarket) }
        if result.error == nil { scope.say(PlanExecutor.otherMarket.message) }
      }
      result.hasOutliers = hasOutliers
      return result
    }
  }

  /// Says once, before the first change in continuous integration that another run would make again, that a new home doesn't
  /// know what earlier jobs have made.
  private func sayNewHome(_ plan: Plan, in scope: CommandScope) {
    let hasFurtherEffect = plan.rows.contains { row in
      row.change != nil && (row.draft != nil || !row.origin.formulas.isEmpty)
    }
    guard hasFurtherEffect, scope.context.program.environment.isContinuousIntegration,
      (try? scope.context.stores.journal().newestEntry()) == 0
    else { return }
    scope.say(
      .note(
        "This home folder is new: what an earlier job was stopped in is not known here.",
        ko: "새 홈 폴더이므로 앞선 작업이 어디서 중단되었는지 알 수 없습니다."
      ).next(
        "A job that is run again makes the change again. Run \(.command("plan … to FILE")) in one job and \(.command("apply FILE")) in the next: that has its effect once.",
        ko:
          "작업을 다시 실행하면 다시 적용합니다. 한 작업에서 \(.command("plan … to FILE"), .object), 다음 작업에서 \(.command("apply FILE"), .object) 실행하면 한 번만 적용합니다."
      ))
  }

  /// Reports that a server confirmed changes without storing them, with the key of the description that states it.
  private func sayNotStored(_ plan: Plan, in scope: CommandScope) {
    guard let description = market.service.dialect.marketDescription,
      plan.rows.contains(where: { if case .notStored? = $0.outcome { true } else { false } })
    else { return }
    if description.keepsWrites {
      let line = "keeps-writes = false"
      scope.say(
        .note(
          "If this server never keeps writes, say so in \(.value(description.file)): \(.command(line)).",
          ko: "변경을 저장하지 않는 서버라면 \(.value(description.file))에 \(.command(line)) 줄을 쓰세요."))
    } else {
      scope.say(.keepsNothing(description))
    }
  }

  /// Returns a plan without the changes that the user leaves to an interrupted run.
  ///
  /// - Throws: `CommandError` with exit status 4 if it would repeat a part of a run and the user can't be asked.
  package func admitted(_ plan: Plan, in scope: CommandScope) async throws -> Plan {
    try await scope.recognizeForJournal(market)
    return try await admit(plan, in: scope)
  }

  /// Returns a plan as `admitted` does, for a market whose generation is known already.
  private func admit(_ plan: Plan, in scope: CommandScope) async throws -> Plan {
    let binding = scope.session.marketLogin(at: market.service.baseURL)
    return try await RunAdmission(at: binding, isAgain: consent.again, in: scope).admit(
      plan, runner: scope.planRunner(for: market))
  }

  /// The error for a market that was reset or replaced after its products were read.
  private static var otherMarket: CommandError {
    CommandError(
      .blocked,
      .failure(
        "Another market responded than the one that was read. Nothing more was sent.",
        ko: "읽었던 마켓이 아닌 다른 마켓이 응답했습니다. 더 이상 보내지 않았습니다."
      ).because(
        "The market was reset in the meantime, or another server listens at its address now. The same numbers name other products.",
        ko: "그사이 마켓이 초기화되었거나 그 주소에 다른 서버가 있습니다. 같은 번호라도 다른 상품입니다."
      ).next(
        "Read the products again, for example with \(.command("ls")).", ko: "\(.command("ls"), .toward) 상품을 다시 읽어 보세요."),
      code: .otherDestination)
  }

  private static func leftToRun(_ count: Int) -> Message {
    .note(
      "\(count) \(count == 1 ? StyledText("change is") : "changes are") left out: the interrupted run has made or may have made \(count == 1 ? StyledText("it") : "them").",
      ko: "중단된 실행이 적용했거나 적용했을 수 있는 \(count)건은 뺐습니다.")
  }

  /// Checks and shows a plan that is saved instead of sent.
  ///
  /// - Parameters:
  ///   - notes: Messages shown after the rows.
  ///   - scope: The scope of the command.
  /// - Returns: The outliers.
  /// - Throws: `MarketError` and `CommandError` of the checks.
  @discardableResult
  package func preview(_ plan: Plan, notes: [Message] = [], in scope: CommandScope) async throws -> [Outlier] {
    try plan.validateRequests(for: market.service)
    return try await WriteApproval.preview(
      plan, notes: notes, consent: consent, in: scope)
  }

  /// Reports how each row of a plan ended, and updates the session.
  ///
  /// - Parameters:
  ///   - plan: The plan with its outcomes.
  ///   - command: The command that undoes a single change.
  ///   - scope: The scope of the command.
  /// - Returns: The result. A batch reports failures in its rows and its exit status.
  /// - Throws: `CommandError` for a single change that wasn't applied.
  package func report(
    _ plan: Plan, undoCommand command: String = "undo", in scope: inout CommandScope
  ) async throws -> CommandResult {
    takeEarlierWrites(plan, into: &scope.session)
    for row in plan.rows {
      if let change = row.change, let outcome = row.outcome { updateSession(change, outcome, in: &scope) }
    }
    if let row = plan.rows.first, plan.rows.count == 1, let change = row.change, !row.isDrifted {
      return try await reportSingle(
        change, outcome: row.result, returned: row.returned, undoCommand: command)
    }
    let report = BatchTable.report(
      plan,
      summary: BatchSummary.message(plan, undo: undoLine(plan, in: scope.context.stores), isUndo: command == "redo"))
    return CommandResult(report, status: plan.batchStatus)
  }

  /// Returns the line that undoes the batch of these rows, or `nil` if there was none or nothing was applied.
  private func undoLine(_ plan: Plan, in stores: Stores) -> String? {
    guard plan.changes.count > 1, plan.rows.contains(where: { $0.outcome?.isDone == true }) else { return nil }
    let entries = plan.rows.compactMap(\.entry).sorted(by: >)
    guard !entries.isEmpty, let journal = try? stores.journal() else { return nil }
    let newest = entries.lazy.compactMap { number in (try? journal.entry(number)) ?? nil }.first { $0.batch != nil }
    return newest.flatMap { try? RunMessages.undoLine(ofBatchOf: $0, journal) }
  }

  private func takeEarlierWrites(_ plan: Plan, into session: inout Session) {
    for row in plan.rows {
      if let write = row.earlierWrite, let product = row.unchangedProduct { take(write, product, into: &session) }
    }
  }

  /// Makes a product of an earlier command the last one, as if it was written now.
  private func take(_ write: EarlierWrite, _ product: Product, into session: inout Session) {
    switch write.reason {
    case .plan, .file: session.recordCreated(product)
    case .delete: session.recordDeleted(product.id)
    }
  }

  /// Updates the stored listing and the last product after a change.
  private func updateSession(_ change: Change, _ outcome: Outcome, in scope: inout CommandScope) {
    if case .unrecorded(let known, _) = outcome { return updateSession(change, known, in: &scope) }
    if case .unchanged(let product, let write?) = outcome { return take(write, product, into: &scope.session) }
    guard case .done(let product, _) = outcome else { return }
    switch change {
    case .create:
      guard let product else { return }
      scope.session.recordCreated(product)
      if scope.session.credentials.vendorID == nil, let me = product.vendorID { saveVendorID(me, in: &scope) }
    case .edit: if let product { scope.session.remember(product) }
    case .delete(let product): scope.session.recordDeleted(product.id)
    }
  }

  /// Sets the vendor's number.
  ///
  /// No edition provides it directly, but the first created product contains it, and the profile stores it.
  private func saveVendorID(_ vendorID: Int, in scope: inout CommandScope) {
    scope.session.credentials.vendorID = vendorID
    scope.session.credentialOrigins.vendorID = .detected
    guard let name = scope.session.server.profile?.value else { return }
    // If it can't be saved, the write hasn't failed; it is found out again the next time.
    try? ProfileStore(scope.context.stores.home).update(about: name, at: scope.session.server.url?.value) {
      $0.vendorID = vendorID
    }
  }

  private func reportSingle(
    _ change: Change, outcome: Outcome, returned: Product.ID?, undoCommand command: String
  ) async throws -> CommandResult {
    guard case .done(let answered, let differences) = outcome else {
      if case .unchanged(let product, let write) = outcome {
        return .receipt(.unchanged(product, write))
      }
      throw outcome.failure(of: change)
    }
    var remarks: [Message] = []
    if let returned, let id = answered?.id {
      remarks.append(.note("Product \(returned) is now product \(id).", ko: "\(returned)번 상품은 이제 \(id)번입니다."))
    }
    if let warning = WriteMessages.warning(differences) { remarks.append(warning) }
    let product: Product?
    switch change {
    case .delete(let old): product = old
    case .edit(let old, _, _):
      let isGone = differences.contains { $0.kind == .gone }
      // The write is done, whatever a read of the product says.
      product =
        if let answered { answered } else if isGone { nil } else { try? await market.send(GetProduct(old.id)) }
    case .create: product = answered
    }
    let words = [WriteMessages.message(change, answered)] + remarks
    let whole = Report.group(words.map(Report.message) + (product.map { [.product($0, fields: nil)] } ?? []))
    let row = WriteReceipt.Row(
      id: product?.id, name: product?.name ?? change.name, change: change, product: product, outcome: .done)
    let receipt = WriteReceipt(.init(1) { _ in row }, isBatch: false, undoCommand: command, remarks: remarks) { whole }
    return CommandResult(.receipt(receipt), status: differences.isPartial ? .partialFailure : .success)
  }
}

extension WriteReceipt {
  /// Returns the receipt of a product that was already as wanted, or that an earlier write changed.
  fileprivate static func unchanged(_ product: Product, _ write: EarlierWrite?) -> WriteReceipt {
    let remarks = write.map { [EarlierWriteMessages.message($0)] } ?? []
    return WriteReceipt(
      Rows(1) { _ in Row(id: product.id, name: product.name, change: nil, product: product, outcome: .unchanged) },
      isBatch: false, remarks: remarks
    ) {
      remarks.isEmpty
        ? .product(product, fields: nil) : .group(remarks.map { .message($0) } + [.product(product, fields: nil)])
    }
  }
}
