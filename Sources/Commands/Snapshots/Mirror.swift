import Archive
import Catalog
import Engine
import Failures
import Interchange
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `mirror`: reads all products and stores them as the newest version, for `sql`, `changes` and `ls from`.
package struct Mirror: Command {
  package static let declaration = Declaration(
    "mirror", group: .products, summary: LocalizedText("read and keep the market as it is", ko: "지금 마켓을 읽어 저장하기"),
    prints: true, traits: [.needsAnswers], parameters: [.pages],
    examples: [.init("mirror", "sql and changes then know it as it is now", ko: "이제 sql과 changes가 지금 상태를 압니다")])

  private let pages: Int?

  package init(_ invocation: Invocation) { pages = invocation.number("pages") }

  /// - Throws: `Failure` if the list is incomplete or versions can't be stored; the errors that cut the reading short.
  package func run(_ session: inout Session, _ execution: inout Execution, in context: Context) async throws -> Report {
    let market = try await context.market(&session)
    let store = SnapshotStore(session, context)
    let staged = try await store.stage()
    let head = try await Snapshot.take(from: market, into: staged, session, pages: pages, in: context)
    guard head.complete else {
      throw Failure(
        .refused,
        .failure("The market was not kept.", ko: "마켓을 저장하지 않았습니다.")
          .because("Not all of it was seen.", ko: "전체를 읽지 못했습니다."))
    }
    try await store.save(staged, head)
    let kept = try await KeptVersions(&session, context)
    let newest = try kept.newest()
    let before = kept.all.last { $0.number < newest.number }
    let changed = try before.map { try kept.changes(from: $0, to: newest).count }
    let row: [Table.Cell] = [
      .number(newest.number), .moment(Timestamp(seconds: newest.taken, isUTC: true)), .number(newest.products),
      changed.map { .number($0) } ?? .none,
    ]
    return .rows(
      Table(
        [
          .init("version", LocalizedText("version", ko: "버전"), isNumber: true),
          .init("taken", LocalizedText("taken", ko: "저장 시각")),
          .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
          .init("changed", LocalizedText("changed", ko: "변경"), isNumber: true),
        ], rows: [row], isSingle: true))
  }
}
