import Catalog
import Failures
import Journal
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// Takes out of a plan what an earlier command has made already, before anything is shown or asked, so that a command that
/// is run again has its effect once.
package struct RepetitionGuard {
  /// An earlier write that stands for a change, with the product as it is now.
  package struct Prior: Hashable, Sendable {
    package var write: EarlierWrite
    package var product: Product
  }

  private let market: Client<Market>
  private let session: Session
  private let context: Context
  private let mode: Execution.Mode
  private let line: String?
  private let isAnother: Bool

  package init(
    _ market: Client<Market>, _ consent: Consent, _ session: Session, _ execution: Execution, in context: Context
  ) {
    self.market = market
    self.session = session
    self.context = context
    mode = execution.mode
    line = execution.line
    isAnother = consent.again
  }

  private var binding: Binding { session.binding(at: market.service.baseURL) }

  /// The journal; nil where there is none yet, and where only the requests are wanted.
  private var journal: Journal? {
    guard mode != .curl, Journal.exists(in: context.home.journalFolder) else { return nil }
    let journal = try? context.journal()
    context.unshown.follow(journal)
    return journal
  }

  /// Reads back what an interrupted run of this command has left in doubt, and says how each ended.
  ///
  /// - Throws: `JournalFailure` where the log cannot be read or written.
  package func settle(source: String? = nil) async throws {
    guard mode == .write, source != nil || line != nil, let journal else { return }
    let settled = try await context.runner(for: market, session).settle(source: source, line: line)
    for one in settled where !one.outcome.isUnknown { context.say(SettledWords.message(one), session) }
    try journal.markShown(settled.filter { !$0.outcome.isUnknown && $0.change.product != nil }.map(\.entry))
  }

  /// Returns what stands for each change; nil for one that is to be made.
  ///
  /// - Throws: `Failure` with exit code 4 where an equal product was made by a command that was interrupted, and the user
  ///   cannot be asked whether that is the one; `JournalFailure` where the log cannot be read.
  package func priors(
    of changes: [Change], _ intents: [Intent?], creates: EqualCreates = .unshown
  ) async throws -> [Prior?] {
    let isNeeded = intents.contains { $0 != nil } || changes.contains { $0.product == nil }
    guard isNeeded, let journal else { return changes.map { _ in nil } }
    // With `again` an unshown create is no longer a question either.
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

  /// Returns a plan without the changes that were made before, and where each of the others is from.
  ///
  /// - Throws: as `settle` and `priors`.
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

  /// The product as it is now; of many, as the journal knows it.
  private func product(_ write: EarlierWrite, isOnly: Bool) async throws -> Product {
    if isOnly {
      do {
        return try await market.send(ShowProduct(write.product))
      } catch MarketError.notFound(_) {
        // Deleted by someone else since; it was made all the same.
      }
    }
    return try journal?.recordedProduct(write) ?? Product(id: write.product)
  }

  /// Asks whether an equal product, made by a command that was interrupted, is the one that is wanted.
  ///
  /// - Returns: false where another one is wanted.
  /// - Throws: `Failure` with exit code 4 where nobody can be asked.
  private func isSame(_ write: EarlierWrite, _ change: Change) async throws -> Bool {
    let time = SettledWords.time(write.reason, now: Timestamp(context.now()))
    let name = change.name ?? ""
    guard mode == .write else {
      context.say(
        .note(
          "Product \(write.product) equals \(.value(name)) and was created at \(time) by a command that was interrupted.",
          ko: "\(write.product)번 상품은 \(.value(name), .with) 같고, \(time)에 중단된 명령이 등록했습니다."), session)
      return false
    }
    guard context.asker != nil else {
      throw Failure(
        .heldBack,
        .failure(
          "Product \(write.product) equals \(.value(name)) in every field; nothing was sent.",
          ko: "\(write.product)번 상품이 모든 필드에서 \(.value(name), .with) 같아 아무것도 보내지 않았습니다."
        ).because(
          "It was created at \(time) by a command that was interrupted before it showed the result.",
          ko: "\(time)에 등록했지만, 명령이 중단되어 결과를 보여 주지 못했습니다."
        ).next(
          "\(.command("show \(write.product)")) shows it; with \(.command("again")) at the end of the line another one is created.",
          ko: "\(.command("show \(write.product)"), .toward) 확인하세요. 줄 끝에 \(.command("again"))을 붙이면 하나 더 등록합니다."))
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
