import Catalog
import Journal
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// Carries a plan out through the one runner that writes, says how each change ended, and brings the session up to date.
package struct WriteReporter {
  private let market: Client<Market>
  private let context: Context

  package init(_ market: Client<Market>, _ context: Context) {
    self.market = market
    self.context = context
  }

  /// Runs a plan that the guards have admitted, as fast as the line says.
  ///
  /// - Parameter origins: where each change is from; see `RepetitionGuard.reduced`.
  /// - Throws: `Failure` for a single change that did not take effect; a batch says so in its rows and its exit code.
  package func carryOut(
    _ plan: Plan, from origins: [WriteOrigin] = [], _ consent: Consent, into session: inout Session,
    _ execution: inout Execution
  ) async throws -> Report {
    let outcomes = await context.runner(for: market, session).run(
      plan, origins: origins, note: consent.note, pace: consent.pace)
    return try await report(plan, outcomes, into: &session, &execution)
  }

  /// Says how each change ended, and brings the session up to date.
  ///
  /// - Parameters:
  ///   - returned: of creates that bring a deleted product back, the id it had, by the place of the change.
  ///   - command: what takes a single change back.
  /// - Throws: `Failure` for a single change that did not take effect.
  package func report(
    _ plan: Plan, _ outcomes: [Outcome], returned: [Int: Product.ID] = [:], takenBackBy command: String = "undo",
    into session: inout Session, _ execution: inout Execution
  ) async throws -> Report {
    for (change, outcome) in zip(plan.changes, outcomes) { absorb(change, outcome, into: &session) }
    if plan.count == 1 {
      return try await single(plan.changes[0], outcomes[0], returned[0], takenBackBy: command, &session, &execution)
    }
    if outcomes.contains(where: { !$0.isFine }) { execution.ending = .incomplete }
    for (place, write) in plan.earlier { take(write, plan.unchanged[place], into: &session) }
    let all = outcomes + plan.unchanged.map { Outcome.unchanged($1, earlier: plan.earlier[$0]) }
    return BatchTable.report(
      plan, outcomes, returned: returned, summary: BatchSummary.message(all, batch: batch(plan, outcomes)))
  }

  /// The number the journal gave this batch: that of the newest write to a product of ours.
  package func batch(_ plan: Plan, _ outcomes: [Outcome]) -> Int? {
    guard plan.changes.count > 1 else { return nil }
    let ids = Set(zip(plan.changes, outcomes).compactMap { $0.product?.id ?? $1.product?.id })
    guard !ids.isEmpty, outcomes.contains(where: \.isDone) else { return nil }
    let newest = try? context.journal().entries(limit: 1) { entry in
      entry.batch != nil && entry.product.map(ids.contains) == true
    }
    return newest?.first?.batch
  }

  /// A plan of which nothing is to be written: the product as it stands, or a row a target.
  package func unchanged(_ plan: Plan) -> Report {
    guard plan.count == 1, let product = plan.unchanged[0] else { return BatchTable.report(plan, [], summary: nil) }
    return .written(.unchanged(product, plan.earlier[0], now: Timestamp(context.now())))
  }

  /// A plan of which everything was made before or is as wanted; nothing is sent.
  package func earlier(_ plan: Plan, into session: inout Session) -> Report {
    for (place, write) in plan.earlier { take(write, plan.unchanged[place], into: &session) }
    guard plan.count > 1 else { return unchanged(plan) }
    let outcomes = (0..<plan.count).compactMap { place in
      plan.unchanged[place].map { Outcome.unchanged($0, earlier: plan.earlier[place]) }
    }
    return BatchTable.report(plan, [], summary: BatchSummary.message(outcomes))
  }

  /// A product that an earlier command made is the last one, as one that is made now is.
  func take(_ write: EarlierWrite, _ product: Product?, into session: inout Session) {
    guard let product else { return }
    if write.isCreate { session.welcome(product) } else { session.remember(product) }
  }

  /// What a finished change means for the remembered listing and the last product.
  private func absorb(_ change: Change, _ outcome: Outcome, into session: inout Session) {
    if case .unrecorded(let known, _) = outcome { return absorb(change, known, into: &session) }
    if case .unchanged(let product, let write?) = outcome { return take(write, product, into: &session) }
    guard case .done(let product, _) = outcome else { return }
    switch change {
    case .create:
      guard let product else { return }
      session.welcome(product)
      if session.credentials.vendorID == nil, let me = product.vendorID { learn(me, &session) }
    case .edit: if let product { session.remember(product) }
    case .delete(let product): session.forget(product.id)
    }
  }

  /// No edition tells a vendor its own number; the first product made does, and the profile keeps it.
  private func learn(_ vendorID: Int, _ session: inout Session) {
    session.credentials.vendorID = vendorID
    session.origins.vendorID = .detected
    guard let name = session.server.profile?.value else { return }
    // Not being able to keep it is no failure of the write; it is learnt again next time.
    try? ProfileStore(context.home).learn(about: name, at: session.server.url?.value) { $0.vendorID = vendorID }
  }

  private func single(
    _ change: Change, _ outcome: Outcome, _ returned: Product.ID?, takenBackBy command: String,
    _ session: inout Session, _ execution: inout Execution
  ) async throws -> Report {
    guard case .done(let answered, let differences) = outcome else {
      if case .unchanged(let product, let write) = outcome {
        return .written(.unchanged(product, write, now: Timestamp(context.now())))
      }
      throw outcome.failure(of: change)
    }
    var remarks: [Message] = []
    if let returned, let id = answered?.id {
      remarks.append(.note("Product \(returned) is product \(id) now.", ko: "\(returned)번 상품은 이제 \(id)번입니다."))
    }
    if let warning = WriteMessages.warning(differences) { remarks.append(warning) }
    if differences.isPartial { execution.ending = .incomplete }
    let product: Product?
    switch change {
    case .delete(let old): product = old
    case .edit(let old, _, _):
      let isGone = differences.contains { $0.kind == .gone }
      product =
        if let answered { answered } else if isGone { nil } else { try await market.send(ShowProduct(old.id)) }
    case .create: product = answered
    }
    let words = [WriteMessages.message(change, answered)] + remarks
    let whole = Report.several(words.map(Report.message) + (product.map { [.product($0, fields: nil)] } ?? []))
    let row = WriteReceipt.Row(
      id: product?.id, name: product?.name ?? change.name, change: change, product: product, end: .done)
    return .written(
      WriteReceipt(
        .init(1) { _ in row }, isBatch: false, takenBackBy: command, remarks: remarks
      ) { whole })
  }
}

extension WriteReceipt {
  /// A receipt for a product that was as wanted already, which was said before, or that an earlier write made so.
  fileprivate static func unchanged(_ product: Product, _ write: EarlierWrite?, now: Timestamp) -> WriteReceipt {
    let remarks = write.map { [SettledWords.message($0, now: now)] } ?? []
    return WriteReceipt(
      Rows(1) { _ in Row(id: product.id, name: product.name, change: nil, product: product, end: .unchanged) },
      isBatch: false, remarks: remarks
    ) {
      remarks.isEmpty
        ? .product(product, fields: nil) : .several(remarks.map { .message($0) } + [.product(product, fields: nil)])
    }
  }
}
