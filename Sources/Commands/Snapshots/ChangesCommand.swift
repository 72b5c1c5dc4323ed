import Catalog
import CommandLanguage
import History
import MarketAPI
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Text

/// `changes since WHEN`: lists the differences of the newest version: new and deleted products, prices, sold-out
/// products.
package struct ChangesCommand: Command {
  package static let declaration = CommandDeclaration(
    "changes", group: .review,
    summary: LocalizedText("show what changed on the server between saved versions", ko: "저장본 사이에 바뀐 것"),
    usage: ["changes [since DATE|SNAPSHOT] [mine]"],
    details: LocalizedText(
      "Compares the latest saved version of the market with an earlier one: new, removed and changed products.",
      ko: "마켓의 최신 저장본을 이전 저장본과 비교합니다: 새 상품, 없어진 상품, 바뀐 상품."), producesData: true,
    parameters: [
      Parameter(
        "since", .option, kind: .text,
        summary: LocalizedText(
          "yesterday, monday, 3d, 2026-11-20 or a snapshot name (default: the version before the latest)",
          ko: "yesterday, monday, 3d, 2026-11-20 또는 스냅샷(기본: 바로 앞 저장본)"), placeholder: "DATE|SNAPSHOT"),
      Parameter("mine", .flag, kind: .none, summary: LocalizedText("only your own products", ko: "내 상품만")),
    ],
    variantOf: "diff",
    examples: [
      .init("changes since yesterday", "changes since the end of yesterday", ko: "어제가 끝난 뒤로"),
      .init("changes since 7d as csv to week.csv", "changes of the last 7 days, to a file", ko: "한 주 동안 바뀐 것을 파일로"),
      .init("changes since monday mine", "changes to your products since Monday", ko: "지난 월요일 뒤로 내 상품"),
    ])

  private let since: String?
  private let isMine: Bool

  package init(_ invocation: ParsedCommand) {
    since = invocation.text("since")
    isMine = invocation.has("mine")
  }

  /// The two states that are compared.
  private struct Span {
    var changes: [(before: Product?, after: Product?)]
    var from: String
    var to: String
    /// A Boolean value that is false if products may be missing in one of the states.
    var isComplete: Bool
  }

  /// - Throws: `CommandError` if no version is stored, if a time is before the first one and the log has no change since,
  ///   or if the vendor of `mine` is unknown; `JournalError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let stored = try await SavedVersions(in: &scope)
    var span = try span(of: stored, in: scope)
    if isMine {
      guard let me = scope.session.credentials.vendorID else {
        throw CommandError(
          .blocked, .failure("Cannot tell which products are yours.", ko: "어느 것이 내 상품인지 알 수 없습니다."))
      }
      span.changes = span.changes.filter { ($0.after ?? $0.before)?.vendorID == me }
    }
    let differences = span.changes.flatMap { ProductDifference.of($0.before, $0.after, in: ChangesCommand.compared) }
    let products = span.changes.compactMap { $0.after }
    if !products.isEmpty {
      scope.session.remember(Listing(Page(all: products, total: products.count)), of: try stored.identity)
    }
    let table = Table(differences, ofMissing: .price, word: \.wordForSellers)
    return CommandResult(
      .group([.message(ChangesCommand.summary(differences, from: span.from, to: span.to)), .rows(table)]),
      status: span.isComplete ? .success : .partialFailure)
  }

  /// Returns the state at `since`, or the version before the newest, and the newest version with the later changes of this
  /// home.
  private func span(of stored: SavedVersions, in scope: CommandScope) throws -> Span {
    var then: MarketSnapshot?
    if let since {
      do {
        then = try stored.version(since)
      } catch let error as CommandError where error.code == .noSnapshot || stored.all.isEmpty {
        guard let time = stored.time(since), let span = try loggedSpan(since: time, of: stored, in: scope) else {
          throw error
        }
        return span
      }
    }
    let newest = try stored.newest()
    let early = then ?? stored.all.last { $0.number < newest.number } ?? newest
    stored.warnIfStale(of: newest, in: scope)
    if !early.isComplete || !newest.isComplete {
      scope.say(
        .warning(
          "A compared version is incomplete, so removed products are not certain.",
          ko: "비교한 저장본이 마켓 전체를 담고 있지 않아, 없어진 상품은 확실하지 않습니다."))
    }
    let later = try LoggedChanges(from: newest.capturedAt, of: scope.session, in: scope.context.stores)
    let between = try since.flatMap { stored.time($0) }.map {
      try LoggedChanges(from: early.capturedAt, through: $0, of: scope.session, in: scope.context.stores)
    }
    let changes = try changes(
      from: early, to: newest, of: stored, concerning: later.ids.union(between?.ids ?? []),
      before: { between?.applied(to: $0) ?? $0 }, after: later, in: scope)
    return Span(
      changes: changes, from: ChangesCommand.label(early), to: ChangesCommand.label(newest),
      isComplete: early.isComplete && newest.isComplete)
  }

  /// Returns the changes since a time before the first version, as far as the log has them, or `nil` if it has none.
  private func loggedSpan(since time: Int64, of stored: SavedVersions, in scope: CommandScope) throws -> Span? {
    let first = stored.all.first
    let logged = try LoggedChanges(from: time, through: first?.capturedAt, of: scope.session, in: scope.context.stores)
    guard !logged.isEmpty else { return nil }
    let start = LocalTime(Timestamp(seconds: time, isUTC: true)).description
    guard let first, let newest = stored.all.last else {
      let before = logged.firstStates
      let after = logged.applied(to: before)
      scope.say(
        .warning(
          "No version is saved. Only your own changes, which are in the log, are listed.",
          ko: "저장본이 없습니다. 로그에 있는 내 변경만 표시합니다."
        ).next("Run \(.command("snapshot")) to save one.", ko: "\(.command("snapshot"), .toward) 읽어 저장할 수 있습니다."))
      return Span(
        changes: logged.ids.sorted().map { (before[$0], after[$0]) }, from: start,
        to: LocalTime(scope.context.clock.timestamp).description, isComplete: false)
    }
    scope.say(
      .warning(
        "The first version is of \(SavedVersions.local(first)). What others changed before is not known.",
        ko: "첫 저장본은 \(SavedVersions.local(first))의 것입니다. 그 전에 다른 사람이 바꾼 것은 알 수 없습니다."
      ).because("Your own changes are in the log.", ko: "내 변경은 로그에 있습니다."))
    stored.warnIfStale(of: newest, in: scope)
    let later = try LoggedChanges(from: newest.capturedAt, of: scope.session, in: scope.context.stores)
    let changes = try changes(
      from: first, to: newest, of: stored, concerning: later.ids.union(logged.ids), before: logged.removed,
      after: later, in: scope)
    return Span(
      changes: changes, from: start, to: ChangesCommand.label(newest), isComplete: false)
  }

  /// Returns the differences of two versions that are completed with logged changes, by product id.
  private func changes(
    from early: MarketSnapshot, to late: MarketSnapshot, of stored: SavedVersions, concerning ids: Set<Product.ID>,
    before: ([Product.ID: Product]) -> [Product.ID: Product], after later: LoggedChanges, in scope: CommandScope
  ) throws -> [(before: Product?, after: Product?)] {
    let changes = try stored.changes(from: early, to: late)
    guard !ids.isEmpty else { return changes }
    let others = changes.filter { change in (change.before ?? change.after).map { !ids.contains($0.id) } ?? true }
    let old = before(try stored.products(ids.sorted(), in: early))
    var new = try stored.products(ids.sorted(), in: late)
    let effects = later.effects(on: new)
    for (id, product) in effects { new[id] = product }
    if !effects.isEmpty {
      let (time, count) = (SavedVersions.local(late), effects.count)
      scope.say(
        .note(
          "Your changes to \(count) \(count == 1 ? StyledText("product") : "products") after \(time) are included.",
          ko: "\(time) 뒤에 내가 바꾼 상품 \(count)개도 들어 있습니다."))
    }
    let concerned = ids.compactMap { id in old[id] == new[id] ? nil : (before: old[id], after: new[id]) }
    return (others + concerned).sorted { ($0.after ?? $0.before)?.id ?? 0 < ($1.after ?? $1.before)?.id ?? 0 }
  }

  /// The compared fields: first those that sellers look for.
  private static let compared = first + ProductField.writableValues.filter { !first.contains($0) } + [.vendor]
  private static let first: [ProductField] = [.price, .discount, .stock]

  /// Returns the summary, such as `From … to …: 3 new, 1 removed, 12 prices, 4 sold out`.
  private static func summary(
    _ differences: [ProductDifference], from then: String, to now: String
  ) -> Message {
    guard !differences.isEmpty else {
      return .note("No changes from \(then) to \(now).", ko: "\(then)부터 \(now)까지 바뀐 것이 없습니다.")
    }
    let words = differences.map(\.wordForSellers)
    func count(_ change: String) -> Int { words.count { $0 == change } }
    return .note(
      "From \(then) to \(now): \(count("new")) new, \(count("gone")) removed, \(count("price")) price \(count("price") == 1 ? StyledText("change") : "changes"), \(count("sold-out")) sold out.",
      ko:
        "\(then)부터 \(now)까지: 새 상품 \(count("new"))개, 없어진 상품 \(count("gone"))개, 가격 변경 \(count("price"))건, 품절 \(count("sold-out"))개."
    )
  }

  private static func label(_ version: MarketSnapshot) -> String {
    let time = SavedVersions.local(version)
    return version.labels.first.map { "\($0) (\(time))" } ?? time
  }
}
