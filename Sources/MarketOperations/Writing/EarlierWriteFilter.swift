import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// Removes from a plan the changes that a run of the same line, plan or file already made, before anything is shown or
/// asked: creates and computed edits, which would have a further effect.
///
/// An edit to stated values is decided by reading its product alone.
struct EarlierWriteFilter {
  /// The changes that are left, and the identity of each for the journal.
  struct Result {
    var verdicts: [RevalidatedChange]
    /// One element per verdict with a change.
    var origins: [WriteOrigin]
  }

  /// An earlier write that stands for a change, with the product as it is now.
  private struct Found {
    var write: EarlierWrite
    var product: Product
  }

  private let market: Client<MarketService>
  private let scope: CommandScope
  private let consent: WriteOptions

  init(_ market: Client<MarketService>, _ consent: WriteOptions, in scope: CommandScope) {
    self.market = market
    self.scope = scope
    self.consent = consent
  }

  private var destination: WriteScope { scope.session.binding(at: market.service.baseURL) }

  /// The journal, or `nil` if there is none yet or if only requests are printed.
  private var journal: Journal? {
    guard scope.mode != .curl, Journal.exists(in: scope.context.home.journalFolder) else { return nil }
    let journal = try? scope.context.journal()
    scope.context.unshown.follow(journal)
    return journal
  }

  /// Returns the changes that are left.
  ///
  /// Before, the writes that an interrupted run left with an unknown outcome are resolved by reading.
  ///
  /// - Parameters:
  ///   - verdicts: The changes of the plan.
  ///   - source: The plan or file; see `Intent.source`.
  ///   - digests: A digest for each verdict, which identifies its change instead of its content.
  ///   - formulas: The formulas of computed edits; see `Plan.formulas`.
  /// - Throws: `CommandError` with exit status 4 if the user has to decide and can't be asked or declines; `JournalError`
  ///   if the log can't be read or written.
  func filter(
    _ verdicts: [RevalidatedChange], source: String? = nil, digests: [String]? = nil,
    formulas: [Product.ID: String] = [:]
  ) async throws -> Result {
    try await settle(source: source)
    let positions = verdicts.indices.filter { verdicts[$0].change != nil }
    let changes = positions.map { verdicts[$0].planned }
    let intents = Intent.of(
      changes, source: source, line: scope.line, digests: digests.map { all in positions.map { all[$0] } },
      formulas: formulas)
    var found = try await earlierWrites(of: changes, intents)
    if try await wantsComputedEditsAgain(changes, found) {
      for index in found.indices where changes[index].product != nil { found[index] = nil }
    }
    var result = Result(verdicts: verdicts, origins: [])
    for (index, position) in positions.enumerated() {
      guard let found = found[index] else {
        result.origins.append(WriteOrigin(intents[index], isAnother: consent.again))
        continue
      }
      result.verdicts[position] = .earlier(verdicts[position].planned, found.write, product: found.product)
      result.verdicts[position].line = verdicts[position].line
    }
    return result
  }

  private func settle(source: String?) async throws {
    guard scope.mode == .write, source != nil || scope.line != nil, let journal else { return }
    let settled = try await scope.planRunner(for: market).settle(source: source, line: scope.line)
    for one in settled where !one.outcome.isUnknown { scope.say(EarlierWriteMessages.message(one)) }
    try journal.markShown(settled.filter { !$0.outcome.isUnknown && $0.change.product != nil }.map(\.entry))
  }

  private func earlierWrites(of changes: [Change], _ intents: [Intent?]) async throws -> [Found?] {
    let isNeeded = intents.contains { $0?.isRelative == true } || changes.contains { $0.product == nil }
    guard isNeeded, !consent.again, let journal else { return changes.map { _ in nil } }
    var found: [Found?] = []
    for (index, match) in try journal.priors(of: changes, intents, destination).enumerated() {
      switch match {
      case .none: found.append(nil)
      case .made(let write):
        let isOfFile = write.reason == .plan || write.reason == .file
        if scope.mode == .write, !isOfFile, try !journal.take(write) {
          found.append(nil)
        } else {
          found.append(Found(write: write, product: try await product(write, isOnly: changes.count == 1)))
        }
      case .equal(let write):
        guard try await isSame(write, changes[index]) else {
          found.append(nil)
          continue
        }
        if scope.mode == .write { _ = try journal.take(write) }
        found.append(Found(write: write, product: try await product(write, isOnly: true)))
      case .undecided(let entry): throw EarlierWriteMessages.undecided(entry, changes[index])
      }
    }
    return found
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

  /// Asks whether a computed batch that an interrupted run began is continued or made again.
  ///
  /// Without a user to ask it is continued.
  ///
  /// - Returns: Whether all of it is wanted again.
  /// - Throws: `CommandError` with exit status 4 if the user declines.
  private func wantsComputedEditsAgain(_ changes: [Change], _ found: [Found?]) async throws -> Bool {
    let made = changes.indices.filter { changes[$0].product != nil && found[$0] != nil }
    guard let first = made.first, let write = found[first]?.write, scope.mode == .write, scope.context.asker != nil,
      !consent.yes, !scope.context.assumesYes
    else { return false }
    let count = changes.count
    scope.say(
      .note(
        "\(made.count) of \(count) \(made.count == 1 ? StyledText("was") : "were") done at \(time(write)) by a run that was interrupted.",
        ko: "\(count)건 중 \(made.count)건은 \(time(write))에 중단된 실행이 이미 처리했습니다."))
    let rest = count - made.count
    let question =
      rest == 0
      ? LocalizedText("Do it again? [y/N] ", ko: "다시 적용할까요? [y/N] ")
      : LocalizedText(
        "Continue with the other \(rest)? [Y/n, a = all \(count) again] ",
        ko: "남은 \(rest)건을 계속할까요? [Y/n, a = \(count)건 모두 다시] ")
    while let answer = await scope.answer(to: question) {
      if rest == 0 { return ConfirmationPrompt.isYes(answer) }
      if answer.isEmpty || ConfirmationPrompt.isYes(answer) { return false }
      if ["a", "ㅁ"].contains(answer.lowercased()) { return true }
      if ConfirmationPrompt.isNo(answer) { throw ConfirmationPrompt.declined }
    }
    if rest == 0 { return false }
    throw ConfirmationPrompt.declined
  }

  /// Asks whether an equal product, created by a run that was interrupted or failed, is the wanted one.
  ///
  /// - Parameters:
  ///   - write: The earlier write.
  ///   - change: The change.
  /// - Returns: Whether it is; false if another product is wanted.
  /// - Throws: `CommandError` with exit status 4 if there is no user to ask.
  private func isSame(_ write: EarlierWrite, _ change: Change) async throws -> Bool {
    let (time, name) = (time(write), change.name ?? "")
    let reason =
      if case .failure = write.reason {
        LocalizedText(
          "It was created at \(time) by a run of the same line that reported a failure later.",
          ko: "\(time)에 같은 명령의 실행이 등록했고, 그 실행은 나중에 실패했습니다.")
      } else {
        LocalizedText(
          "It was created at \(time) by a command that was interrupted before it showed the result.",
          ko: "\(time)에 등록했지만, 명령이 중단되어 결과를 보여 주지 못했습니다.")
      }
    guard scope.mode == .write else {
      scope.say(
        .note(
          "Product \(write.product) equals \(.value(name)).", ko: "\(write.product)번 상품은 \(.value(name), .with) 같습니다."
        )
        .because(reason))
      return false
    }
    guard scope.context.asker != nil else {
      throw CommandError(
        .blocked,
        .failure(
          "Product \(write.product) equals \(.value(name)) in every field. Nothing was sent.",
          ko: "\(write.product)번 상품이 모든 필드에서 \(.value(name), .with) 같습니다. 아무것도 보내지 않았습니다."
        ).because(reason).next(
          "Run \(.command("show \(write.product)")) to see it, or add \(.command("again")) to the command to create another one.",
          ko:
            "\(.command("show \(write.product)"), .toward) 확인하세요. 하나 더 등록하려면 명령 끝에 \(.command("again"), .object) 붙이세요.")
      )
    }
    scope.say(
      .warning(
        "Product \(write.product) equals \(.value(name)) in every field.",
        ko: "\(write.product)번 상품이 모든 필드에서 \(.value(name), .with) 같습니다."
      ).because(reason))
    let question = LocalizedText("Create another one? [y/N] ", ko: "하나 더 등록할까요? [y/N] ")
    guard await scope.isConfirmed(question) else { return true }
    try journal?.markShown([write.entry])
    try journal?.forgetLine(of: write.entry)
    return false
  }

  private func time(_ write: EarlierWrite) -> String {
    EarlierWriteMessages.time(write.reason, now: Timestamp(scope.context.now()))
  }
}
