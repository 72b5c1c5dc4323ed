import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Removes from a plan the changes that an earlier command already made, before anything is shown or asked, so that a
/// command that is run again has its effect once.
package struct RepetitionGuard {
  /// An earlier write that is used for a change, with the product as it is now.
  package struct Prior: Hashable, Sendable {
    package var write: EarlierWrite
    package var product: Product
  }

  private let market: Client<MarketService>
  private let session: Session
  private let context: CommandContext
  private let mode: CommandScope.Mode
  private let line: String?
  private let isAnother: Bool

  package init(_ market: Client<MarketService>, _ consent: WriteOptions, in scope: CommandScope) {
    self.market = market
    session = scope.session
    context = scope.context
    mode = scope.mode
    line = scope.line
    isAnother = consent.again
  }

  private var binding: WriteScope { session.binding(at: market.service.baseURL) }

  /// The journal, or `nil` if there is none yet or if only requests are printed.
  private var journal: Journal? {
    guard mode != .curl, Journal.exists(in: context.home.journalFolder) else { return nil }
    let journal = try? context.journal()
    context.unshown.follow(journal)
    return journal
  }

  /// Resolves by reading the writes that an interrupted run of this command left with an unknown outcome, and reports
  /// how they ended.
  ///
  /// - Throws: `JournalError` if the log can't be read or written.
  package func settle(source: String? = nil) async throws {
    guard mode == .write, source != nil || line != nil, let journal else { return }
    let settled = try await context.planRunner(for: market, session).settle(source: source, line: line)
    for one in settled where !one.outcome.isUnknown { context.say(SettledWords.message(one), session) }
    try journal.markShown(settled.filter { !$0.outcome.isUnknown && $0.change.product != nil }.map(\.entry))
  }

  /// Returns the earlier write for each change, or `nil` for a change to be made.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - intents: Their identities.
  ///   - creates: The equal earlier creates that may be used.
  /// - Returns: One element per change.
  /// - Throws: `CommandError` with exit status 4 if an interrupted command created an equal product and the user can't be
  ///   asked whether it is the same; `JournalError` if the log can't be read.
  package func priors(
    of changes: [Change], _ intents: [Intent?], creates: EqualCreates = .unshown
  ) async throws -> [Prior?] {
    let isNeeded = intents.contains { $0 != nil } || changes.contains { $0.product == nil }
    guard isNeeded, let journal else { return changes.map { _ in nil } }
    // With `again`, an equal create isn't questioned any more.
    let matches = try journal.priors(of: changes, intents, isAnother ? .none : creates, binding)
    var priors: [Prior?] = []
    for (index, match) in matches.enumerated() {
      switch match {
      case .none: priors.append(nil)
      case .made(let write):
        let isOfLine = intents[index]?.line != nil && write.reason != .plan && intents[index]?.source == nil
        if mode == .write, isOfLine, try !journal.take(write) {
          priors.append(nil)
        } else {
          priors.append(Prior(write: write, product: try await product(write, isOnly: changes.count == 1)))
        }
      case .unshown(let write):
        priors.append(try await isSame(write, changes[index]) ? prior(of: write) : nil)
      }
    }
    return priors
  }

  /// Returns the plan without the changes that were made before, and the origins of the others.
  ///
  /// - Parameter plan: The plan.
  /// - Returns: The remaining plan and one origin per change.
  /// - Throws: The errors of `settle` and `priors`.
  package func reduced(_ plan: Plan) async throws -> (plan: Plan, origins: [WriteOrigin]) {
    try await settle()
    let intents = Intent.of(plan.changes, line: line)
    let priors = try await priors(of: plan.changes, intents)
    let origins = zip(intents, priors).filter { $1 == nil }.map { WriteOrigin($0.0, isAnother: isAnother) }
    guard priors.contains(where: { $0 != nil }) else { return (plan, origins) }
    let rest = plan.rebuilt { index, change in
      priors[index].map { .earlier($0.write, $0.product) } ?? .change(change)
    }
    return (rest, origins)
  }

  private func prior(of write: EarlierWrite) async throws -> Prior? {
    guard let journal else { return nil }
    if mode == .write { _ = try journal.take(write) }
    return Prior(write: write, product: try await product(write, isOnly: true))
  }

  /// Returns the current product, or with several changes the product as the journal knows it.
  private func product(_ write: EarlierWrite, isOnly: Bool) async throws -> Product {
    if isOnly {
      do {
        return try await market.send(GetProduct(write.product))
      } catch MarketError.notFound(_) {
        // Another client deleted it since; it was made nevertheless.
      }
    }
    return try journal?.recordedProduct(write) ?? Product(id: write.product)
  }

  /// Asks whether an equal product, created by an interrupted command, is the wanted one.
  ///
  /// - Parameters:
  ///   - write: The earlier write.
  ///   - change: The change.
  /// - Returns: Whether it is; false if another product is wanted.
  /// - Throws: `CommandError` with exit status 4 if there is no user to ask.
  private func isSame(_ write: EarlierWrite, _ change: Change) async throws -> Bool {
    let time = SettledWords.time(write.reason, now: Timestamp(context.now()))
    let name = change.name ?? ""
    guard mode == .write else {
      context.say(
        .note(
          "Product \(write.product) equals \(.value(name)). It was created at \(time) by a command that was interrupted.",
          ko: "\(write.product)번 상품은 \(.value(name), .with) 같고, \(time)에 중단된 명령이 등록했습니다."), session)
      return false
    }
    guard context.asker != nil else {
      throw CommandError(
        .blocked,
        .failure(
          "Product \(write.product) equals \(.value(name)) in every field. Nothing was sent.",
          ko: "\(write.product)번 상품이 모든 필드에서 \(.value(name), .with) 같습니다. 아무것도 보내지 않았습니다."
        ).because(
          "It was created at \(time) by a command that was interrupted before it showed the result.",
          ko: "\(time)에 등록했지만, 명령이 중단되어 결과를 보여 주지 못했습니다."
        ).next(
          "Run \(.command("show \(write.product)")) to see it, or add \(.command("again")) to the command to create another one.",
          ko:
            "\(.command("show \(write.product)"), .toward) 확인하세요. 하나 더 등록하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
      )
    }
    context.say(
      .warning(
        "Product \(write.product) equals \(.value(name)) in every field.",
        ko: "\(write.product)번 상품이 모든 필드에서 \(.value(name), .with) 같습니다."
      ).because(
        "It was created at \(time) by a command that was interrupted before it showed the result.",
        ko: "\(time)에 등록했지만, 명령이 중단되어 결과를 보여 주지 못했습니다."), session)
    let question = LocalizedText("Create another one? [y/N] ", ko: "하나 더 등록할까요? [y/N] ")
    guard await context.isConfirmed(question, session) else { return true }
    try journal?.markShown([write.entry])
    return false
  }
}
