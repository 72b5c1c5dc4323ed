import Catalog
import CommandLanguage
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The scheduled plans: one file for each plan in a folder of the home, moved to `done/` when it is complete.
///
/// A sale is one plan with a rule, and a file with what is known of each product. Sales of version 0.2 are two plans
/// without a rule, which are applied as they are.
package struct ScheduledPlanStore {
  /// A scheduled plan.
  package struct ScheduledPlan: Hashable, Sendable {
    package var source: PlanSource
    package var contents: PlanFile
    package var due: Timestamp

    package var path: String { source.path }
    /// The name of the file without its folder.
    package var name: String { (path as NSString).lastPathComponent }
    /// The identifier of the sale, which the two plans of version 0.2 share.
    package var saleName: String {
      let name = String(name.prefix { $0 != "." })
      return contents.sale == nil ? String(name.dropLast(self.name.hasSuffix("-end.json") ? 4 : 6)) : name
    }
    package var isStart: Bool { name.hasSuffix("-start.json") }
  }

  private static let lockAttempts = 100

  private let folder: String

  package init(_ home: AppDirectories) { folder = home.scheduledPlansDirectory }

  /// Takes the lock under which plans are added, applied and removed, so that two shells don't work on the same sale.
  ///
  /// - Throws: `CommandError` with exit status 4 if another shell has it for ten seconds.
  package func lock(_ context: CommandContext) async throws -> FolderLock {
    try Files.createDirectory(folder)
    for _ in 0..<ScheduledPlanStore.lockAttempts {
      if let lock = FolderLock(folder) { return lock }
      if context.interruption.isRequested { throw CancellationError() }
      try await context.pause(.milliseconds(100))
    }
    throw CommandError(
      .blocked,
      .failure(
        "Another openmarket is applying scheduled plans. Nothing was sent.",
        ko: "다른 openmarket에서 예약된 계획을 적용하고 있습니다. 아무것도 보내지 않았습니다."
      ).next("Run the command again later.", ko: "나중에 다시 실행하세요."), code: .busy)
  }

  /// Writes the plan of a sale under a free name that begins with `name`.
  ///
  /// - Throws: `FileError.cannotWrite`; then the file doesn't exist.
  package func add(_ plan: PlanFile, named name: String) throws {
    try Files.createDirectory(folder)
    let endings = [".json", ".jsonl", "-start.json", "-end.json"]
    func isTaken(_ name: String) -> Bool {
      endings.contains { ending in
        ["/", "/done/"].contains { access(folder + $0 + name + ending, F_OK) == 0 }
      }
    }
    var free = name
    var number = 2
    while isTaken(free) {
      free = "\(name)-\(number)"
      number += 1
    }
    try Files.write(Data(plan.text.utf8), to: folder + "/" + free + ".json", mode: 0o600)
  }

  /// Returns the scheduled plans, the earliest first, and errors for files that can't be read.
  package func list(_ policy: LimitPolicy) -> (plans: [ScheduledPlan], unreadable: [CommandError]) {
    let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    var plans: [ScheduledPlan] = []
    var unreadable: [CommandError] = []
    for file in files where file.hasSuffix(".json") {
      let path = folder + "/" + file
      do {
        let source = try PlanSource(path)
        let contents = try PlanFile(source.text(), named: path, policy)
        guard let due = contents.notBefore else { continue }
        plans.append(ScheduledPlan(source: source, contents: contents, due: due))
      } catch {
        unreadable.append(CommandError(describing: error))
      }
    }
    // The name of an older plan is shorter: `sale-2022-12-05` and then `sale-2022-12-05-2`.
    func order(_ plan: ScheduledPlan) -> (Timestamp, Timestamp, Int, String) {
      (plan.due, plan.contents.createdAt, plan.name.count, plan.name)
    }
    return (plans.sorted { order($0) < order($1) }, unreadable)
  }

  /// Returns the sales in the order of their start or else end, and errors for files that can't be read.
  ///
  /// Sales are numbered in this order.
  package func sales(_ policy: LimitPolicy) -> (sales: [ScheduledSale], unreadable: [CommandError]) {
    var (plans, unreadable) = list(policy)
    var sales: [ScheduledSale] = []
    while !plans.isEmpty {
      let plan = plans.removeFirst()
      if let rule = plan.contents.sale {
        do {
          let progress = try progress(of: plan)
          sales.append(ScheduledSale(number: sales.count + 1, form: .rule(plan, rule, progress)))
        } catch {
          unreadable.append(CommandError(describing: error))
        }
      } else {
        let other = plans.firstIndex { $0.contents.sale == nil && $0.saleName == plan.saleName }.map {
          plans.remove(at: $0)
        }
        let both = [plan, other].compactMap(\.self)
        sales.append(
          ScheduledSale(
            number: sales.count + 1, form: .plans(start: both.first(where: \.isStart), end: both.first { !$0.isStart }))
        )
      }
    }
    return (sales, unreadable)
  }

  /// Returns what is known of the products of a sale.
  ///
  /// - Throws: `FileError`.
  package func progress(of plan: ScheduledPlan) throws(FileError) -> SaleProgress {
    try SaleProgress(plan.path.dropLast(".json".count) + ".jsonl")
  }

  /// Writes what is known of the products of a sale.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func save(_ progress: SaleProgress, of plan: ScheduledPlan) throws(FileError) {
    try progress.save(to: plan.path.dropLast(".json".count) + ".jsonl")
  }

  /// Moves a scheduled plan to `done/`, with its progress and its signature.
  ///
  /// Does nothing for a file outside the folder.
  ///
  /// If the move fails, the plan is checked again next time, and no write is repeated.
  package func archive(_ path: String) {
    guard Paths.parent(of: path) == folder else { return }
    try? Files.createDirectory(folder + "/done")
    let base = path.hasSuffix(".json") ? String(path.dropLast(5)) : path
    for file in [path, base + ".jsonl", path + ".sig"] {
      rename(file, folder + "/done/" + (file as NSString).lastPathComponent)
    }
  }
}
