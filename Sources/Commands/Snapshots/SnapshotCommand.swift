import Catalog
import CommandLanguage
import Foundation
import History
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `snapshot`: stores the current state of every product under a name.
package struct SnapshotCommand: Command {
  package static let declaration = CommandDeclaration(
    "snapshot", group: .review,
    summary: LocalizedText("save the current state of all products under a name", ko: "모든 상품의 현재 상태 저장"),
    usage: ["snapshot [NAME] [replace] [pages N]", "snapshot list", "snapshot rm NAME"],
    details: LocalizedText(
      "Reads all products and saves them under a name, for diff and restore.",
      ko: "모든 상품을 읽어 이름을 붙여 저장합니다. diff와 restore에서 씁니다."),
    producesData: true,
    traits: [.requiresFullScan],
    parameters: [
      Parameter(
        "NAME", .positional(required: false), kind: .text,
        summary: LocalizedText("snapshot name (default: the current time)", ko: "이름; 없으면 현재 시각")
      ),
      .pages,
      Parameter(
        "replace", .flag, kind: .none,
        summary: LocalizedText("overwrite a snapshot with the same name", ko: "같은 이름의 스냅샷 덮어쓰기")),
      Parameter("list", .flag, kind: .none, summary: LocalizedText("list snapshots", ko: "스냅샷 목록")),
      Parameter("rm", .option, kind: .snapshot, summary: LocalizedText("delete a snapshot", ko: "하나 삭제")),
    ],
    examples: [
      .init("snapshot", "uses the current time as the name", ko: "현재 시각을 이름으로"),
      .init("snapshot monday replace", "overwrites the snapshot monday", ko: "monday 이름으로 덮어쓰기"),
      .init("snapshot list", "names, times and number of products", ko: "이름, 시각, 상품 수"),
      .init("snapshot rm monday", "deletes the snapshot monday", ko: "삭제"),
    ])

  private enum Action {
    case take(String?, replacing: Bool, pages: Int?)
    case list
    case remove(String)
  }

  private let action: Action

  /// - Throws: `ParseError` for an invalid name.
  package init(_ invocation: ParsedCommand) throws {
    if invocation.has("list") {
      action = .list
      return
    }
    let name = invocation.text("rm") ?? invocation.text("NAME")
    if let name, !Snapshot.canBeName(name) {
      throw ParseError(
        LocalizedText(
          "Invalid snapshot name: \(.value(name)).", ko: "\(.value(name), .topic) 스냅샷 이름으로 쓸 수 없습니다."),
        suggestion: LocalizedText("Use letters, digits, - _ and dots.", ko: "이름에는 문자, 숫자, -, _, 점을 쓰세요."))
    }
    action =
      invocation.text("rm").map { .remove($0) }
      ?? .take(name, replacing: invocation.has("replace"), pages: invocation.number("pages"))
  }

  /// - Throws: `CommandError` for an unknown name or one that is taken; `FileError`; the errors that cut the reading short.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let market = try await scope.marketClient()
    let saved = try await SavedVersions(in: &scope)
    switch action {
    case .list: return .rows(SnapshotCommand.table(saved.snapshots))
    case .remove(let name):
      if let result = scope.resultWithoutSaving { return result }
      try saved.remove(name)
      return .message(.success("Deleted snapshot \(.value(name)).", ko: "스냅샷 \(.value(name), .object) 삭제했습니다."))
    case .take(let name, let replacing, let pages):
      if scope.mode == .curl { _ = try await MarketScan(market, pages: pages, scope).forEachBatch { _ in true } }
      if let result = scope.resultWithoutSaving { return result }
      let result = try await take(name, replacing: replacing, pages: pages, market: market, saved: saved, in: scope)
      if result.isSuccess { try scope.recordStep(Self.declaration.name) }
      return result
    }
  }

  private func take(
    _ typed: String?, replacing: Bool, pages: Int?, market: Client<MarketService>, saved: SavedVersions,
    in scope: CommandScope
  ) async throws -> CommandResult {
    let name = typed ?? SnapshotCommand.freshName(scope.context.clock.now(), saved)
    guard replacing || !saved.has(name) else {
      throw CommandError(
        .blocked,
        .failure("Snapshot \(.value(name)) already exists.", ko: "\(.value(name)) 스냅샷이 이미 있습니다.")
          .next(
            "Run \(.command("snapshot \(name) replace")) to overwrite it.",
            ko: "\(.command("snapshot \(name) replace"), .toward) 덮어씁니다."
          )
      )
    }
    let scan = try await saved.save(market, as: name, pages: pages, in: scope)
    let report = Report.message(
      .success(
        "Saved \(NumberFormatting.grouped(scan.products)) \(scan.products == 1 ? StyledText("product") : "products") as snapshot \(.value(name)).",
        ko: "상품 \(NumberFormatting.grouped(scan.products))개를 스냅샷 \(.value(name))에 저장했습니다."
      ).next(
        "Run \(.command("diff \(name)")) to see what has changed since.",
        ko: "\(.command("diff \(name)"), .toward) 이후 바뀐 것을 볼 수 있습니다."))
    return CommandResult(report, status: scan.isComplete ? .success : .partialFailure)
  }

  /// Returns an unused name such as `2022-12-01T00-00-00Z`, which sorts by time and is valid on every file system.
  private static func freshName(_ now: Date, _ saved: SavedVersions) -> String {
    let time = Timestamp(now).description.replacing(":", with: "-")
    var name = time
    var number = 2
    while saved.has(name) {
      name = "\(time)-\(number)"
      number += 1
    }
    return name
  }

  private static func table(_ snapshots: [(name: String, version: MarketSnapshot)]) -> Table {
    Table(
      [
        .init("name", LocalizedText("name", ko: "이름")), .init("taken", LocalizedText("taken", ko: "저장 시각")),
        .init("products", LocalizedText("products", ko: "상품"), isNumber: true),
        .init("complete", LocalizedText("complete", ko: "전체 포함")),
      ],
      rows: snapshots.map { name, version in
        [
          .text(name), .timestamp(Timestamp(seconds: version.capturedAt, isUTC: true)), .number(version.products),
          .bool(version.isComplete),
        ]
      })
  }
}
