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
    "mirror", group: .review, summary: LocalizedText("save the current state of all products", ko: "현재 마켓의 상태를 저장"),
    prints: true, traits: [.needsAnswers], parameters: [.pages],
    examples: [
      .init("mirror", "makes the current state available to sql and changes", ko: "이후 sql과 changes에서 현재 상태를 사용할 수 있음")
    ])

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
        .failure("The current state was not saved.", ko: "현재 상태를 저장하지 못했습니다.")
          .because("Not all products could be read.", ko: "전체를 읽지 못했습니다."))
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
          .init("version", LocalizedText("saved version", ko: "저장본"), isNumber: true),
          .init("taken", LocalizedText("taken", ko: "저장 시각")),
          .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
          .init("changed", LocalizedText("changed", ko: "변경"), isNumber: true),
        ], rows: [row], isSingle: true))
  }
}
