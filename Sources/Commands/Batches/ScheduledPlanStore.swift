import Catalog
import CommandLanguage
import FileFormats
import Foundation
import Platform
import ShellRuntime

/// The scheduled plans: one file for each plan in a folder of the home, moved to `done/` when it is complete.
package struct ScheduledPlanStore {
  /// A scheduled plan.
  package struct ScheduledPlan {
    package var source: PlanSource
    package var contents: PlanFile
    package var due: Timestamp

    package var path: String { source.path }
    /// The name of the file without its folder.
    package var name: String { (path as NSString).lastPathComponent }
    /// The identifier of the sale, which its two plans share.
    package var saleName: String { String(name.prefix { $0 != "." }.dropLast(name.hasSuffix("-end.json") ? 4 : 6)) }
    package var isStart: Bool { name.hasSuffix("-start.json") }
  }

  private let folder: String

  package init(_ home: AppDirectories) { folder = home.scheduledPlansDirectory }

  /// Writes both plans of a sale.
  ///
  /// - Returns: The paths of the files.
  /// - Throws: `FileError.cannotWrite`; then neither file exists.
  package func add(_ start: PlanFile, _ end: PlanFile, named name: String) throws -> (start: String, end: String) {
    try Files.createDirectory(folder)
    var free = name
    var number = 2
    while ["", "/done"].contains(where: { access(folder + $0 + "/" + free + "-start.json", F_OK) == 0 })
      || ["", "/done"].contains(where: { access(folder + $0 + "/" + free + "-end.json", F_OK) == 0 })
    {
      free = "\(name)-\(number)"
      number += 1
    }
    let paths = (start: folder + "/" + free + "-start.json", end: folder + "/" + free + "-end.json")
    try Files.write(Data(end.text.utf8), to: paths.end, mode: 0o600)
    do {
      try Files.write(Data(start.text.utf8), to: paths.start, mode: 0o600)
    } catch {
      unlink(paths.end)
      throw error
    }
    return paths
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
    return (plans.sorted { ($0.due, $0.name) < ($1.due, $1.name) }, unreadable)
  }

  /// Moves a scheduled plan to `done/`.
  ///
  /// Does nothing for a file outside the folder.
  ///
  /// If the move fails, the plan is checked again next time, and no write is repeated.
  package func archive(_ path: String) {
    guard Paths.parent(of: path) == folder else { return }
    try? Files.createDirectory(folder + "/done")
    rename(path, folder + "/done/" + (path as NSString).lastPathComponent)
  }
}
