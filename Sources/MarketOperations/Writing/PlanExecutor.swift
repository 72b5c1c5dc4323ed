import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Executes a plan, reports how each change ended, and updates the session.
package struct PlanExecutor {
  private let market: Client<MarketService>
  private let context: CommandContext

  package init(_ market: Client<MarketService>, _ context: CommandContext) {
    self.market = market
    self.context = context
  }

  /// Executes an approved plan with the limits of the line.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - origins: The origin of each change; see `RepetitionGuard.reduced`.
  ///   - consent: The options of the line.
  ///   - session: The session, which is updated.
  ///   - execution: The state of the command.
  /// - Returns: The report.
  /// - Throws: `CommandError` for a single change that wasn't applied. A batch reports failures in its rows and its exit
  ///   status.
  package func execute(
    _ plan: Plan, from origins: [WriteOrigin] = [], _ consent: WriteOptions, into session: inout Session,
    _ execution: inout Execution
  ) async throws -> Report {
    let outcomes = await context.planRunner(for: market, session).run(
      plan, origins: origins, note: consent.note, pace: consent.pace)
    return try await report(plan, outcomes, into: &session, &execution)
  }

  /// Reports how each change ended, and updates the session.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - outcomes: The outcomes.
  ///   - returned: The previous ids of restored products, by index of the change.
  ///   - command: The command that undoes a single change.
  ///   - session: The session, which is updated.
  ///   - execution: The state of the command.
  /// - Returns: The report.
  /// - Throws: `CommandError` for a single change that wasn't applied.
  package func report(
    _ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:], takenBackBy command: String = "undo",
    into session: inout Session, _ execution: inout Execution
  ) async throws -> Report {
    for (change, outcome) in zip(plan.changes, outcomes) { updateSession(change, outcome, into: &session) }
    if plan.count == 1 {
      return try await reportSingle(
        plan.changes[0], outcomes[0], returned[0], takenBackBy: command, &session, &execution)
    }
    if outcomes.contains(where: { !$0.isSuccess }) { execution.ending = .partialFailure }
    for (place, write) in plan.earlier { take(write, plan.unchanged[place], into: &session) }
    let all = outcomes + plan.unchanged.map { Outcome.unchanged($1, earlier: plan.earlier[$0]) }
    return BatchTable.report(
      plan, outcomes, returned: returned, summary: BatchSummary.message(all, batch: batch(plan, outcomes)))
  }

  /// Returns the number of this batch in the journal, found by its newest write.
  package func batch(_ plan: Plan, _ outcomes: [Outcome]) -> Int? {
    guard plan.changes.count > 1 else { return nil }
    let ids = Set(zip(plan.changes, outcomes).compactMap { $0.product?.id ?? $1.product?.id })
    guard !ids.isEmpty, outcomes.contains(where: \.isDone) else { return nil }
    let newest = try? context.journal().entries(limit: 1) { entry in
      entry.batch != nil && entry.product.map(ids.contains) == true
    }
    return newest?.first?.batch
  }

  /// Returns the report of a plan without changes: the product, or one row per target.
  package func unchanged(_ plan: Plan) -> Report {
    guard plan.count == 1, let product = plan.unchanged[0] else { return BatchTable.report(plan, [], summary: nil) }
    return .receipt(.unchanged(product, plan.earlier[0], now: Timestamp(context.now())))
  }

  /// Returns the report of a plan whose changes were all made before or aren't needed.
  ///
  /// Nothing is sent.
  package func earlier(_ plan: Plan, into session: inout Session) -> Report {
    for (place, write) in plan.earlier { take(write, plan.unchanged[place], into: &session) }
    guard plan.count > 1 else { return unchanged(plan) }
    let outcomes = (0..<plan.count).compactMap { place in
      plan.unchanged[place].map { Outcome.unchanged($0, earlier: plan.earlier[place]) }
    }
    return BatchTable.report(plan, [], summary: BatchSummary.message(outcomes))
  }

  /// Makes a product of an earlier command the last one, as if it was written now.
  func take(_ write: EarlierWrite, _ product: Product?, into session: inout Session) {
    guard let product else { return }
    if write.isCreate { session.recordCreated(product) } else { session.remember(product) }
  }

  /// Updates the stored listing and the last product after a change.
  private func updateSession(_ change: Change, _ outcome: Outcome, into session: inout Session) {
    if case .unrecorded(let known, _) = outcome { return updateSession(change, known, into: &session) }
    if case .unchanged(let product, let write?) = outcome { return take(write, product, into: &session) }
    guard case .done(let product, _) = outcome else { return }
    switch change {
    case .create:
      guard let product else { return }
      session.recordCreated(product)
      if session.credentials.vendorID == nil, let me = product.vendorID { saveVendorID(me, &session) }
    case .edit: if let product { session.remember(product) }
    case .delete(let product): session.recordDeleted(product.id)
    }
  }

  /// Sets the vendor's number.
  ///
  /// No edition provides it directly, but the first created product contains it, and the profile stores it.
  private func saveVendorID(_ vendorID: Int, _ session: inout Session) {
    session.credentials.vendorID = vendorID
    session.credentialOrigins.vendorID = .detected
    guard let name = session.server.profile?.value else { return }
    // If it can't be saved, the write hasn't failed; it is found out again the next time.
    try? ProfileStore(context.home).update(about: name, at: session.server.url?.value) { $0.vendorID = vendorID }
  }

  private func reportSingle(
    _ change: Change, _ outcome: Outcome, _ returned: Product.ID?, takenBackBy command: String,
    _ session: inout Session, _ execution: inout Execution
  ) async throws -> Report {
    guard case .done(let answered, let differences) = outcome else {
      if case .unchanged(let product, let write) = outcome {
        return .receipt(.unchanged(product, write, now: Timestamp(context.now())))
      }
      throw outcome.failure(of: change)
    }
    var remarks: [Message] = []
    if let returned, let id = answered?.id {
      remarks.append(.note("Product \(returned) is now product \(id).", ko: "\(returned)번 상품은 이제 \(id)번입니다."))
    }
    if let warning = WriteMessages.warning(differences) { remarks.append(warning) }
    if differences.isPartial { execution.ending = .partialFailure }
    let product: Product?
    switch change {
    case .delete(let old): product = old
    case .edit(let old, _, _):
      let isGone = differences.contains { $0.kind == .gone }
      product =
        if let answered { answered } else if isGone { nil } else { try await market.send(GetProduct(old.id)) }
    case .create: product = answered
    }
    let words = [WriteMessages.message(change, answered)] + remarks
    let whole = Report.group(words.map(Report.message) + (product.map { [.product($0, fields: nil)] } ?? []))
    let row = WriteReceipt.Row(
      id: product?.id, name: product?.name ?? change.name, change: change, product: product, end: .done)
    return .receipt(
      WriteReceipt(
        .init(1) { _ in row }, isBatch: false, takenBackBy: command, remarks: remarks
      ) { whole })
  }
}

extension WriteReceipt {
  /// Returns the receipt of a product that was already as wanted, or that an earlier write changed.
  fileprivate static func unchanged(_ product: Product, _ write: EarlierWrite?, now: Timestamp) -> WriteReceipt {
    let remarks = write.map { [SettledWords.message($0, now: now)] } ?? []
    return WriteReceipt(
      Rows(1) { _ in Row(id: product.id, name: product.name, change: nil, product: product, end: .unchanged) },
      isBatch: false, remarks: remarks
    ) {
      remarks.isEmpty
        ? .product(product, fields: nil) : .group(remarks.map { .message($0) } + [.product(product, fields: nil)])
    }
  }
}
