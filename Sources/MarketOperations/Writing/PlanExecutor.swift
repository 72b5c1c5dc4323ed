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
  /// Sends the changes of an approved plan, and returns how each one ended.
  package typealias Send = (ApprovedPlan, PlanRunner) async throws -> [Outcome]
  /// Reports how the changes of an approved plan ended.
  package typealias MakeReport = (ApprovedPlan, [Outcome], inout CommandScope) async throws -> CommandResult

  package let market: Client<MarketService>
  private let consent: WriteOptions

  package init(_ market: Client<MarketService>, _ consent: WriteOptions) {
    self.market = market
    self.consent = consent
  }

  /// Executes a plan, or reports that there is nothing to change.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - question: The confirmation.
  ///   - scope: The scope of the command.
  /// - Returns: The result.
  /// - Throws: The errors of `execute` before anything is sent.
  package func executeOnce(
    _ plan: Plan, question: WriteQuestion = .ofProfile, in scope: inout CommandScope
  ) async throws -> CommandResult {
    guard !plan.changes.isEmpty else {
      try supersede(plan, in: scope)
      if !plan.earlier.isEmpty { return CommandResult(earlier(plan, in: &scope)) }
      let note = Report.message(.note("Nothing to change. Nothing was sent.", ko: "바꿀 것이 없습니다. 아무것도 보내지 않았습니다."))
      return CommandResult(
        plan.unchanged.isEmpty || scope.mode != .write
          ? note : .group([note, unchanged(plan)]))
    }
    return try await execute(
      plan, from: origins(of: plan), notes: plan.unchangedNote.map { [$0] } ?? [], question: question, in: &scope)
  }

  /// Discards pending edits whose values the products of a plan have already.
  private func supersede(_ plan: Plan, in scope: CommandScope) throws {
    guard scope.mode == .write, !plan.dependsOnObservedState, !plan.statedFields.isEmpty,
      Journal.exists(in: scope.context.home.journalFolder)
    else { return }
    let journal = try scope.context.journal()
    let binding = scope.session.binding(at: market.service.baseURL)
    for product in plan.unchanged.values { try journal.supersede(plan.statedFields, of: product.id, binding) }
  }

  /// Returns the changes of a plan, file, folder or copy without the creates that were made from the same row before and
  /// whose products exist.
  ///
  /// A product that this home created and that is gone now, although this home didn't delete it, isn't created again: the
  /// row is reported, and `again` creates it.
  ///
  /// - Parameters:
  ///   - verdicts: The changes.
  ///   - source: The plan or file; see `CreateSource.name`.
  ///   - digests: A digest for each verdict, which identifies a create instead of its content.
  ///   - scope: The scope of the command.
  /// - Returns: The verdicts, and the origin of each that has a change.
  /// - Throws: The errors of reading the products; `JournalError` if the log can't be read or written.
  package func withoutEarlierCreates(
    _ verdicts: [RevalidatedChange], of source: String, digests: [String]? = nil, in scope: CommandScope
  ) async throws -> (verdicts: [RevalidatedChange], origins: [WriteOrigin]) {
    let positions = verdicts.indices.filter { verdicts[$0].change != nil }
    let sources = CreateSource.of(
      positions.map { verdicts[$0].planned }, in: source, digests: digests.map { all in positions.map { all[$0] } })
    let origins = sources.map { WriteOrigin($0, isAnother: consent.again) }
    guard Journal.exists(in: scope.context.home.journalFolder), scope.mode != .curl else { return (verdicts, origins) }
    if scope.mode == .write {
      let settled = try await scope.planRunner(for: market).settle(source: source)
      for one in settled where !one.outcome.isUnknown { scope.say(RunMessages.outcome(of: one)) }
    }
    guard !consent.again, verdicts.contains(where: { $0.planned.product == nil && $0.change != nil }) else {
      return (verdicts, origins)
    }
    let journal = try scope.context.journal()
    let made = try journal.creates(of: sources, scope.session.binding(at: market.service.baseURL))
    let ids = made.compactMap { $0?.product }
    guard !ids.isEmpty else { return (verdicts, origins) }
    let present = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    var result = verdicts
    var left: [WriteOrigin] = []
    for (index, position) in positions.enumerated() {
      guard let write = made[index], verdicts[position].planned.product == nil else {
        left.append(origins[index])
        continue
      }
      let planned = verdicts[position].planned
      if let now = present[write.product] {
        let mismatch = write.reference?.mismatch(with: now)
        result[position] =
          mismatch.map { .gone(planned, write.product, $0) } ?? .earlier(planned, write, product: now)
      } else {
        result[position] = .gone(planned, write.product)
      }
      result[position].line = verdicts[position].line
    }
    return (result, left)
  }

  /// Returns those of the products that a read doesn't find any more and that this home has deleted, as a plan without
  /// changes.
  ///
  /// Deletes with an unknown outcome are resolved by that.
  ///
  /// - Throws: The errors of reading; `JournalError` if the log can't be read.
  package func deletedBefore(_ ids: [Product.ID], in scope: CommandScope) async throws -> Plan {
    var plan = Plan([])
    guard scope.mode == .write, Journal.exists(in: scope.context.home.journalFolder) else { return plan }
    let journal = try scope.context.journal()
    let binding = scope.session.binding(at: market.service.baseURL)
    // The old number of a product that was brought back means that product.
    let lasting = try ids.filter { try journal.identity(of: $0, binding) == $0 }
    let deletes = try journal.deletes(of: lasting, binding)
    guard !deletes.isEmpty else { return plan }
    let optional = Set(deletes.compactMap(\.product))
    let present = try await ProductReader(market, scope).find(Array(optional), optional: optional)
    let gone = deletes.filter { entry in entry.product.map { present[$0] == nil } ?? false }
    _ = try await scope.planRunner(for: market).settle(entries: gone.filter { $0.state != .done }.map(\.id))
    for entry in gone {
      guard let id = entry.product else { continue }
      let index = plan.count
      plan.unchanged[index] = entry.snapshot ?? entry.change?.product ?? Product(id: id)
      plan.earlier[index] = EarlierWrite(entry: entry.id, product: id, reason: .delete)
    }
    return plan
  }

  /// Checks and shows a plan, asks for confirmation, and sends what is approved.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - origins: The origin of each change; see `withoutEarlierCreates`.
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
    _ plan: Plan, from origins: [WriteOrigin] = [], note: String? = nil, notes: [Message] = [],
    question: WriteQuestion = .ofProfile, namesSales: Bool = true, in scope: inout CommandScope, send: Send? = nil,
    report: MakeReport? = nil
  ) async throws -> CommandResult {
    let binding = scope.session.binding(at: market.service.baseURL)
    let left = try await RunAdmission(at: binding, isAgain: consent.again, in: scope).admit(
      plan.changes, origins, runner: scope.planRunner(for: market))
    if left.count == plan.changes.count, left.count > 0 { return .message(PlanExecutor.leftToRun(left.count)) }
    try plan.validateRequests(for: market.service)
    let notes =
      notes + (namesSales ? ScheduledSale.notes(on: plan, at: binding.baseURL, in: scope) : [])
      + (left.isEmpty ? [] : [PlanExecutor.leftToRun(left.count)])
    let approval = try await WriteApproval.approve(
      plan, leavingOut: left, notes: notes, consent: consent, question: question, in: scope)
    switch approval {
    case .shown(let result): return result
    case .approved(let approved):
      var result: CommandResult
      do {
        let runner = scope.planRunner(for: market)
        let outcomes =
          if let send {
            try await send(approved, runner)
          } else {
            await runner.run(
              approved.plan, origins: approved.remaining(of: origins), note: consent.note ?? note, pace: consent.pace)
          }
        result =
          if let report {
            try await report(approved, outcomes, &scope)
          } else {
            try await self.report(approved.plan, outcomes, in: &scope)
          }
      } catch {
        result = CommandResult(error: error)
      }
      result.hasOutliers = approved.hasOutliers
      return result
    }
  }

  /// Returns a plan that isn't sent now, without the changes that the user leaves to an interrupted run.
  ///
  /// - Throws: `CommandError` with exit status 4 if it would repeat a part of a run and the user can't be asked.
  package func admitted(_ plan: Plan, in scope: CommandScope) async throws -> Plan {
    let binding = scope.session.binding(at: market.service.baseURL)
    let left = try await RunAdmission(at: binding, isAgain: consent.again, in: scope).admit(
      plan.changes, origins(of: plan), runner: scope.planRunner(for: market))
    return plan.removingChanges(left)
  }

  private func origins(of plan: Plan) -> [WriteOrigin] {
    plan.changes.map { change in
      WriteOrigin(formulas: change.product.flatMap { plan.formulas[$0.id] } ?? [], isAnother: consent.again)
    }
  }

  private static func leftToRun(_ count: Int) -> Message {
    .note(
      "\(count) \(count == 1 ? StyledText("change is") : "changes are") left out: the interrupted run has made or may have made \(count == 1 ? StyledText("it") : "them").",
      ko: "중단된 실행이 적용했거나 적용했을 수 있는 \(count)건은 뺐습니다.")
  }

  /// Checks and shows a plan that is saved instead of sent.
  ///
  /// - Parameters:
  ///   - plan: The plan.
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

  /// Reports how each change ended, and updates the session.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - outcomes: The outcomes.
  ///   - returned: The previous ids of restored products, by index of the change.
  ///   - command: The command that undoes a single change.
  ///   - scope: The scope of the command.
  /// - Returns: The result. A batch reports failures in its rows and its exit status.
  /// - Throws: `CommandError` for a single change that wasn't applied.
  package func report(
    _ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:], undoCommand command: String = "undo",
    in scope: inout CommandScope
  ) async throws -> CommandResult {
    for (change, outcome) in zip(plan.changes, outcomes) { updateSession(change, outcome, in: &scope) }
    if plan.count == 1 {
      return try await reportSingle(
        plan.changes[0], outcome: outcomes[0], returned: returned[0], undoCommand: command)
    }
    for (index, write) in plan.earlier { take(write, plan.unchanged[index], into: &scope.session) }
    let all = outcomes + plan.unchanged.map { Outcome.unchanged($1, earlier: plan.earlier[$0]) }
    let report = BatchTable.report(
      plan, outcomes, returned: returned,
      summary: BatchSummary.message(
        all, undo: undoLine(plan, outcomes, in: scope.context), isUndo: command == "redo"))
    return CommandResult(report, status: outcomes.batchStatus)
  }

  /// Reports how each change of a plan ended that was checked against the current products first, and updates the
  /// session.
  ///
  /// - Parameters:
  ///   - verdicts: The results of the check, in the order of the rows.
  ///   - plan: The changes that were sent.
  ///   - outcomes: The outcomes of `plan`.
  ///   - scope: The scope of the command.
  /// - Returns: The result.
  /// - Throws: `CommandError` for a single change that wasn't applied.
  package func report(
    _ verdicts: [RevalidatedChange], plan: Plan, outcomes: [Outcome], in scope: inout CommandScope
  ) async throws -> CommandResult {
    if verdicts.count == 1, outcomes.count == 1, !verdicts[0].isDrifted {
      return try await report(plan, outcomes, in: &scope)
    }
    for case .unchanged(let product, let write?) in verdicts.map(\.outcome) {
      take(write, product, into: &scope.session)
    }
    for (change, outcome) in zip(plan.changes, outcomes) { updateSession(change, outcome, in: &scope) }
    var rest = outcomes[...]
    let whole = verdicts.map { $0.combinedOutcome($0.change == nil ? nil : rest.popFirst()) }
    let report = BatchTable.report(
      Plan(verdicts.map(\.planned)), whole,
      summary: BatchSummary.message(whole, undo: undoLine(plan, outcomes, in: scope.context)))
    return CommandResult(report, status: whole.batchStatus)
  }

  /// Returns the line that undoes this batch, found by its newest write, or `nil` if nothing was done.
  func undoLine(_ plan: Plan, _ outcomes: [Outcome], in context: CommandContext) -> String? {
    guard plan.changes.count > 1 else { return nil }
    let ids = Set(zip(plan.changes, outcomes).compactMap { $0.product?.id ?? $1.product?.id })
    guard !ids.isEmpty, outcomes.contains(where: \.isDone) else { return nil }
    let newest = try? context.journal().entries(limit: 1) { entry in
      entry.batch != nil && entry.product.map(ids.contains) == true
    }
    return newest?.first.flatMap { try? RunMessages.undoLine(ofBatchOf: $0, context.journal()) }
  }

  /// Returns the report of a plan without changes: the product, or one row per target.
  private func unchanged(_ plan: Plan) -> Report {
    guard plan.count == 1, let product = plan.unchanged[0] else { return BatchTable.report(plan, [], summary: nil) }
    return .receipt(.unchanged(product, plan.earlier[0]))
  }

  /// Returns the report of a plan whose changes were all made before or aren't needed.
  ///
  /// Nothing is sent.
  package func earlier(_ plan: Plan, in scope: inout CommandScope) -> Report {
    for (index, write) in plan.earlier { take(write, plan.unchanged[index], into: &scope.session) }
    guard plan.count > 1 else { return unchanged(plan) }
    let outcomes = (0..<plan.count).compactMap { index in
      plan.unchanged[index].map { Outcome.unchanged($0, earlier: plan.earlier[index]) }
    }
    return BatchTable.report(plan, [], summary: BatchSummary.message(outcomes))
  }

  /// Makes a product of an earlier command the last one, as if it was written now.
  func take(_ write: EarlierWrite, _ product: Product?, into session: inout Session) {
    guard let product else { return }
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
    try? ProfileStore(scope.context.home).update(about: name, at: scope.session.server.url?.value) {
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
