import Archive
import Catalog
import Engine
import Failures
import Language
import Marketplace
import Networking
import Platform
import Presentation
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
        "since", .option, .text,
        LocalizedText(
          "yesterday, monday, 3d, 2026-11-20 or a snapshot name (default: the version before the latest)",
          ko: "yesterday, monday, 3d, 2026-11-20 또는 스냅샷(기본: 바로 앞 저장본)"), placeholder: "DATE|SNAPSHOT"),
      Parameter("mine", .flag, .none, LocalizedText("only your own products", ko: "내 상품만")),
    ],
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
  package func run(_ session: inout Session, _ execution: inout Execution, in context: CommandContext) async throws -> Report {
    let kept = try await MarketHistory(&session, context)
    let newest = try kept.newest()
    let early = try since.map { try kept.version($0) } ?? kept.all.last { $0.number < newest.number } ?? newest
    kept.warnIfStale(of: newest, session, in: context)
    var changes = try kept.changes(from: early, to: newest)
    if isMine {
      guard let me = session.credentials.vendorID else {
        throw CommandError(
          .blocked, .failure("Cannot tell which products are yours.", ko: "어느 것이 내 상품인지 알 수 없습니다."))
      }
      changes = changes.filter { ($0.after ?? $0.before)?.vendorID == me }
    }
    let difference = MarketDiff(changes)
    let products = changes.compactMap { $0.after }
    if !products.isEmpty {
      session.remember(
        Listing(
          Page(
            number: 1, total: products.count, last: 1, hasNext: false, hasPrevious: false, products: products,
            broken: [])))
    }
    for version in [early, newest] where !version.isComplete {
      context.say(
        .warning(
          "The earlier version is incomplete, so removed products are not certain.",
          ko: "이전 저장본이 마켓 전체를 담고 있지 않아, 없어진 상품은 확실하지 않습니다."),
        session)
    }
    return .group([.message(difference.summary(from: early, to: newest)), .rows(difference.table)])
  }
}

/// The differences of products between two versions, one row for each field, in a seller's words.
struct MarketDiff {
  private(set) var rows: [[Table.Cell]] = []
  private var counts: [String: Int] = [:]

  private static let compared: [ProductField] = [.price, .discount, .stock, .name, .description, .currency, .vendor]

  init(_ changes: [(before: Product?, after: Product?)]) {
    for (before, after) in changes {
      switch (before, after) {
      case (nil, let new?): add(new, "new", nil, .none, new.price.map { .amount($0) } ?? .none)
      case (let old?, nil): add(old, "gone", nil, old.price.map { .amount($0) } ?? .none, .none)
      case (let old?, let new?): compare(old, new)
      case (nil, nil): break
      }
    }
  }

  private mutating func compare(_ old: Product, _ new: Product) {
    for field in MarketDiff.compared {
      let (before, after) = (MarketDiff.cell(field, old), MarketDiff.cell(field, new))
      guard before != after, before != .none, after != .none else { continue }
      var change = field.rawValue
      if field == .stock, new.stock == 0 { change = "sold-out" }
      if field == .stock, old.stock == 0 { change = "back" }
      add(new, change, field, before, after)
    }
  }

  private mutating func add(
    _ product: Product, _ change: String, _ field: ProductField?, _ before: Table.Cell, _ after: Table.Cell
  ) {
    counts[change, default: 0] += 1
    rows.append([
      .number(product.id), product.name.map { .text($0) } ?? .none, .text(change),
      field.map { .text($0.rawValue) } ?? .none, before, after,
    ])
  }

  private static func cell(_ field: ProductField, _ product: Product) -> Table.Cell {
    switch field {
    case .price: product.price.map { .amount($0) } ?? .none
    case .discount: product.discount.map { .amount($0) } ?? .none
    case .stock: product.stock.map { .number($0) } ?? .none
    case .id, .name, .description, .sale, .currency, .vendor, .vendorID, .created, .modified, .thumbnail, .images:
      product.text(of: field).map { .text($0) } ?? .none
    }
  }

  /// Returns the summary, such as `From … to …: 3 new, 1 gone, 12 prices, 4 sold out`.
  func summary(from early: MarketSnapshot, to late: MarketSnapshot) -> Message {
    let (then, now) = (MarketDiff.label(early), MarketDiff.label(late))
    func count(_ change: String) -> Int { counts[change] ?? 0 }
    guard !rows.isEmpty else {
      return .note("No changes from \(then) to \(now).", ko: "\(then)부터 \(now)까지 바뀐 것이 없습니다.")
    }
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

  var table: Table {
    Table(
      [
        .init("id", LocalizedText("id", ko: "번호"), isNumber: true), .init("name", LocalizedText("name", ko: "이름")),
        .init("change", LocalizedText("change", ko: "변경")), .init("field", LocalizedText("field", ko: "필드")),
        .init("before", LocalizedText("before", ko: "이전")), .init("after", LocalizedText("after", ko: "이후")),
      ], rows: rows)
  }
}
