import Catalog
import CommandLanguage
import Platform
import Presentation
import Text
import WriteJournal

/// The confirmation before a write.
///
/// End of input means no. Without a user to ask, only an option on the line permits the write.
package struct ConfirmationPrompt {
  private let scope: CommandScope

  package init(_ scope: CommandScope) {
    self.scope = scope
  }

  /// Asks whether to write the plan, unless the line or the program's options approve it.
  ///
  /// - Throws: `CommandError` with exit status 4 for any answer but yes, and if there is no user to ask.
  package func ask(_ plan: Plan, consent: WriteOptions) async throws {
    if consent.yes || scope.context.program.assumesYes { return }
    try await scope.confirm(
      LocalizedText("Apply? [y/N] ", ko: "적용할까요? [y/N] "),
      unattended: .failure("Not confirmed. Nothing was sent.", ko: "확인이 필요합니다. 아무것도 보내지 않았습니다.")
        .next(
          "Add \(.command("yes")) to the command, or start openmarket with \(.command("--yes")).",
          ko: "명령 끝에 \(.command("yes"), .object) 붙이거나 \(.command("--yes"))로 시작하세요."))
  }

  /// Asks what to do with a plan whose rows were shown with numbers, until the answer is valid.
  ///
  /// - Parameter consent: The options of the line.
  /// - Returns: The choice.
  /// - Throws: `CommandError` with exit status 4 for no, and if there is no user to ask.
  package func choose(_ plan: Plan, consent: WriteOptions) async throws -> ConfirmationReply {
    guard plan.changes.count > 1, !consent.yes, !scope.context.program.assumesYes, scope.context.program.asker != nil
    else {
      try await ask(plan, consent: consent)
      return .accepted
    }
    let question = LocalizedText("Apply? [y/N/a/e/?] ", ko: "적용할까요? [y/N/a/e/?] ")
    while let answer = await scope.answer(to: question) {
      if ConfirmationPrompt.isYes(answer) { return .accepted }
      if answer.isEmpty || ConfirmationPrompt.isNo(answer) { break }
      if let choice = choice(answer, of: plan) { return choice }
    }
    throw ConfirmationPrompt.declined
  }

  /// Parses `a` and `e 3,7`.
  ///
  /// For `?` and other text it prints the possible answers and returns `nil`.
  private func choice(_ answer: String, of plan: Plan) -> ConfirmationReply? {
    let reply = ConfirmationReply(answer, rows: plan.changes.count)
    switch reply {
    case .accepted, .showAll, .leaveOut: return reply
    case .noRow:
      scope.say(
        .note(
          "Rows are numbered 1 to \(plan.changes.count). For example, \(.command("e 3,7")) excludes rows 3 and 7.",
          ko: "행 번호는 1부터 \(plan.changes.count)까지입니다. \(.command("e 3,7"), .topic) 3행과 7행을 뺍니다."))
      return nil
    case .other:
      scope.say(
        .note(
          "\(.command("y")): apply   \(.command("n")), \(.command("q")) or Enter: cancel   \(.command("a")): show all rows   \(.command("e 3,7")): exclude rows 3 and 7",
          ko:
            "\(.command("y")): 적용   \(.command("n")), \(.command("q")), Enter: 취소   \(.command("a")): 모든 행 보기   \(.command("e 3,7")): 3행과 7행 제외"
        ))
      return nil
    }
  }

  /// Asks the user to type the number of changes before outliers are written, unless the line contains `outliers`.
  ///
  /// The profile's `confirm` setting doesn't apply.
  ///
  /// - Parameter consent: The options of the line.
  /// - Returns: `.accepted` after the number was typed; with several changes, the user may exclude some instead.
  /// - Throws: `CommandError` with exit status 4 for any other answer, and if there is no user to ask.
  @discardableResult
  package func admitOutliers(of plan: Plan, consent: WriteOptions) async throws -> ConfirmationReply {
    if consent.outliers { return .accepted }
    guard scope.context.program.asker != nil else {
      throw CommandError(
        .blocked,
        .failure("Unusual values. Nothing was sent.", ko: "평소와 크게 다른 값이 있어 보내지 않았습니다.")
          .next(
            "If this is intended, add \(.command("outliers")) to the command.",
            ko: "의도한 값이라면 명령 끝에 \(.command("outliers"))를 붙이세요."),
        code: .outlier)
    }
    return try await chooseByCount(
      plan,
      LocalizedText(
        "Type the number of products (\(plan.changes.count)) to confirm: ",
        ko: "계속하려면 상품 수 \(String(plan.changes.count), .object) 입력하세요: "))
  }

  /// Asks the user to type the number of products before many of them are deleted.
  ///
  /// - Returns: The choice, as for `admitOutliers`.
  /// - Throws: `CommandError` with exit status 4 for any other answer.
  package func confirmDeletions(of plan: Plan) async throws -> ConfirmationReply {
    try await chooseByCount(
      plan,
      LocalizedText(
        "Type the number of products (\(plan.changes.count)) to delete them: ",
        ko: "삭제하려면 상품 수 \(String(plan.changes.count), .object) 입력하세요: "))
  }

  private func chooseByCount(_ plan: Plan, _ question: LocalizedText) async throws -> ConfirmationReply {
    let count = plan.changes.count
    var hasHint = false
    while let answer = await scope.answer(to: question) {
      if answer == String(count) { return .accepted }
      // The question is not the usual one, so the first `y` is a slip and no reason to drop the plan.
      if ConfirmationPrompt.isYes(answer), !hasHint {
        hasHint = true
        scope.say(
          .note(
            "\(.command("y")) is not enough here. Type \(.command(String(count))), or \(.command("n")) to cancel.",
            ko:
              "\(.command("y"), .topic) 여기서는 쓸 수 없습니다. \(.command(String(count)), .object) 입력하세요. 취소하려면 \(.command("n"), .object) 입력하세요."
          ))
        continue
      }
      guard count > 1, !ConfirmationPrompt.isNo(answer) else { break }
      switch ConfirmationReply(answer, rows: count) {
      case .accepted, .showAll, .leaveOut, .noRow: if let choice = choice(answer, of: plan) { return choice }
      case .other: throw ConfirmationPrompt.declined
      }
    }
    throw ConfirmationPrompt.declined
  }

  /// Asks the user to type the number of changes of a plan that an agent made.
  ///
  /// No option of the line and no setting answers it.
  ///
  /// - Throws: `CommandError` with exit status 4 for any other answer.
  package func askForCount(of plan: Plan) async throws {
    let count = plan.changes.count
    let question = LocalizedText(
      "An agent made this plan. Type the number of products (\(count)) to apply it: ",
      ko: "에이전트가 만든 계획입니다. 적용하려면 상품 수 \(String(count), .object) 입력하세요: ")
    guard await scope.answer(to: question) == String(count) else { throw ConfirmationPrompt.declined }
  }

  package static var declined: CommandError {
    CommandError(
      .blocked, .note("Canceled. Nothing was sent.", ko: "취소했습니다. 아무것도 보내지 않았습니다."), code: .canceled)
  }

  /// Returns whether an answer to `[y/N]` means yes.
  ///
  /// ㅛ is on the key of y in the Korean layout.
  package static func isYes(_ answer: String) -> Bool {
    ["y", "yes", "예", "네", "ㅇ", "ㅛ"].contains(answer.trimmed.nfcNormalized.lowercased())
  }

  /// Returns whether an answer means no, for prompts that otherwise accept only yes.
  ///
  /// ㅜ is on the key of n and ㅂ on the key of q in the Korean layout.
  package static func isNo(_ answer: String) -> Bool {
    ["n", "no", "q", "quit", "아니", "아니요", "ㄴ", "ㅜ", "ㅂ"].contains(answer.trimmed.nfcNormalized.lowercased())
  }
}

/// The answer to the question about a plan.
package enum ConfirmationReply: Hashable, Sendable {
  case accepted
  /// Show all rows and ask again.
  case showAll
  /// Exclude these rows, by index.
  case leaveOut(Set<Int>)
  /// The answer is `e` with a number that isn't a row of the plan.
  case noRow
  case other

  /// Parses an answer other than yes and no: `a`, `e 3,7`, `e 3-5 8`.
  ///
  /// ㅁ and ㄷ are on their keys in the Korean layout.
  init(_ answer: String, rows count: Int) {
    let text = answer.trimmed.nfcNormalized.lowercased()
    if ["a", "all", "ㅁ"].contains(text) {
      self = .showAll
      return
    }
    guard let first = text.first, first == "e" || first == "ㄷ" else {
      self = .other
      return
    }
    let rest = text.dropFirst()
    guard rest.allSatisfy({ $0.isWhitespace || "0123456789,-".contains($0) }) else {
      self = .other
      return
    }
    var rows: Set<Int> = []
    for piece in rest.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let ends = piece.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1], first <= last,
        (1...count).contains(first), (1...count).contains(last)
      else {
        self = .noRow
        return
      }
      rows.formUnion(first - 1...last - 1)
    }
    self = rows.isEmpty ? .noRow : .leaveOut(rows)
  }
}

/// The write options of a command line: `yes` and `outliers` approve in advance, `note` is stored in the log, and
/// `jobs`, `rate` and `stop-after` are the limits for a batch.
package struct WriteOptions: Hashable, Sendable {
  package var yes: Bool
  package var outliers: Bool
  /// A Boolean value that indicates that all of the line is new, whatever an earlier run has done.
  package var again: Bool
  /// A Boolean value that indicates that the line is sent although the description of the market isn't proven.
  package var unproven: Bool
  package var note: String?
  /// A Boolean value that indicates whether the preview shows all changes.
  package var showsAll: Bool
  package var pace: BatchOptions
  /// The changes that end a dry run with exit status 8.
  package var failOn: FailOnCondition?

  package init(_ invocation: ParsedCommand) {
    yes = invocation.has("yes")
    outliers = invocation.has("outliers")
    again = invocation.has("again")
    unproven = invocation.has("unproven")
    note = invocation.text("note")
    showsAll = invocation.has("all")
    failOn = invocation.text(FailOnCondition.option).flatMap { FailOnCondition(rawValue: $0) }
    pace = BatchOptions(
      concurrency: invocation.number("jobs") ?? 4,
      minimumInterval: invocation.number("rate").map { .seconds(1) / $0 },
      failureLimit: invocation.number("stop-after") ?? 5)
  }
}

/// The changes that end a dry run or a comparison with exit status 8, for checks in CI.
package enum FailOnCondition: String, Hashable, Sendable, CaseIterable {
  case any
  case deletes

  /// The name of the option.
  package static let option = "fail-on"

  /// Returns whether a plan contains such a change.
  package func isMet(by plan: Plan) -> Bool {
    switch self {
    case .any: !plan.changes.isEmpty
    case .deletes:
      plan.changes.contains { change in
        if case .delete = change { true } else { false }
      }
    }
  }

  /// Returns whether the differences contain such a change.
  package func isMet(by differences: [ProductDifference]) -> Bool {
    switch self {
    case .any: !differences.isEmpty
    case .deletes: differences.contains { $0.kind == .removed }
    }
  }
}
