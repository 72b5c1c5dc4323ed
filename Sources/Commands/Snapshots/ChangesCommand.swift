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

  /// - Throws: `CommandError` if no version is stored, if a time refers to none, or if the vendor of `mine` is unknown.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let stored = try await SavedVersions(in: &scope)
    let newest = try stored.newest()
    let early = try since.map { try stored.version($0) } ?? stored.all.last { $0.number < newest.number } ?? newest
    stored.warnIfStale(of: newest, in: scope)
    var changes = try stored.changes(from: early, to: newest)
    if isMine {
      guard let me = scope.session.credentials.vendorID else {
        throw CommandError(
          .blocked, .failure("Cannot tell which products are yours.", ko: "어느 것이 내 상품인지 알 수 없습니다."))
      }
      changes = changes.filter { ($0.after ?? $0.before)?.vendorID == me }
    }
    let differences = changes.flatMap { ProductDifference.of($0.before, $0.after, in: ChangesCommand.compared) }
    let products = changes.compactMap { $0.after }
    if !products.isEmpty {
      scope.session.remember(Listing(Page(all: products, total: products.count)))
    }
    for version in [early, newest] where !version.isComplete {
      scope.say(
        .warning(
          "The earlier version is incomplete, so removed products are not certain.",
          ko: "이전 저장본이 마켓 전체를 담고 있지 않아, 없어진 상품은 확실하지 않습니다."))
    }
    let table = Table(differences, ofMissing: .price, word: ChangesCommand.word)
    return CommandResult(
      .group([.message(ChangesCommand.summary(differences, from: early, to: newest)), .rows(table)]),
      status: early.isComplete && newest.isComplete ? .success : .partialFailure)
  }

  /// The compared fields: first those that sellers look for.
  private static let compared = first + ProductField.writableValues.filter { !first.contains($0) } + [.vendor]
  private static let first: [ProductField] = [.price, .discount, .stock]

  /// Returns the word for a change, in a seller's words.
  private static func word(_ one: ProductDifference) -> String {
    switch one.kind {
    case .added: "new"
    case .removed: "gone"
    case .changed(.stock) where one.before?.stock == 0: "back"
    case .changed(.stock) where one.after?.stock == 0: "sold-out"
    case .changed(let field): field.rawValue
    }
  }

  /// Returns the summary, such as `From … to …: 3 new, 1 gone, 12 prices, 4 sold out`.
  private static func summary(
    _ differences: [ProductDifference], from early: MarketSnapshot, to late: MarketSnapshot
  ) -> Message {
    let (then, now) = (label(early), label(late))
    guard !differences.isEmpty else {
      return .note("No changes from \(then) to \(now).", ko: "\(then)부터 \(now)까지 바뀐 것이 없습니다.")
    }
    let words = differences.map(word)
    func count(_ change: String) -> Int { words.count { $0 == change } }
    return .note(
      "From \(then) to \(now): \(count("new")) new, \(count("gone")) removed, \(count("price")) price changes, \(count("sold-out")) sold out.",
      ko:
        "\(then)부터 \(now)까지: 새 상품 \(count("new"))개, 없어진 상품 \(count("gone"))개, 가격 변경 \(count("price"))건, 품절 \(count("sold-out"))개."
    )
  }

  private static func label(_ version: MarketSnapshot) -> String {
    let time = Timestamp(seconds: version.capturedAt, isUTC: true).description
    return version.labels.first.map { "\($0) (\(time))" } ?? time
  }
}
