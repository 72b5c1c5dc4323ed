import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import Presentation
import ShellRuntime
import Synchronization
import Text

/// The plans that agents made: one file each in a folder, readable by its owner only.
final class AgentPlanStore: Sendable {
  /// The maximum number of plans that wait.
  static let capacity = 100

  let folder: String
  private let lock = Mutex(())

  init(_ folder: String) { self.folder = folder }

  /// Stores a plan, or returns the one that says the same and is still valid.
  ///
  /// Expired plans are removed first.
  ///
  /// - Throws: `CommandError` if too many plans wait; `FileError`.
  func add(_ plan: PlanFile, at now: Timestamp, _ policy: LimitPolicy) throws -> (plan: PlanFile, path: String) {
    try lock.withLock { _ in
      try Files.createHomeFolder(folder)
      var waiting = 0
      for (path, old) in plans(policy) {
        if let expires = old.expires, expires.seconds < now.seconds {
          unlink(path)
          for signature in PlanSignature.paths(of: path) { unlink(signature) }
          continue
        }
        waiting += 1
        let isSame =
          old.digests == plan.digests && old.command == plan.command && old.note == plan.note
          && old.destination == plan.destination && old.actor == plan.actor && !old.isEdited
        if isSame { return (old, path) }
      }
      guard waiting < AgentPlanStore.capacity else { throw AgentPlanStore.full(folder) }
      let path = path(of: plan.id)
      try Files.write(Data(plan.text.utf8), to: path, mode: 0o600)
      // As it will be read: what the file doesn't hold is no part of the plan.
      return (try PlanFile(plan.text, named: path, policy), path)
    }
  }

  /// Returns the plan of an id with its path, or `nil` if there is none.
  ///
  /// - Throws: `FileError` and `CommandError` for a file that can't be read.
  func plan(_ id: String, _ policy: LimitPolicy) throws -> (plan: PlanFile, path: String)? {
    guard AgentPlanStore.isID(id) else { return nil }
    let path = path(of: id)
    guard access(path, F_OK) == 0 else { return nil }
    return (try PlanFile(PlanSource(path).text(), named: path, policy), path)
  }

  private func path(of id: String) -> String { folder + "/" + id + ".json" }

  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
          || byte == UInt8(ascii: "-")
      }
  }

  private func plans(_ policy: LimitPolicy) -> [(String, PlanFile)] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    return names.filter { $0.hasSuffix(".json") }.compactMap { name in
      let path = folder + "/" + name
      guard let text = try? PlanSource(path).text(), let plan = try? PlanFile(text, named: path, policy) else {
        return nil
      }
      return (path, plan)
    }
  }

  private static func full(_ folder: String) -> CommandError {
    CommandError(
      .blocked,
      .failure("Too many plans wait for a person. No plan was saved.", ko: "기다리는 계획이 너무 많아 저장하지 않았습니다.").next(
        "Apply or delete plans in \(.value(folder)).", ko: "\(.value(folder))의 계획을 적용하거나 지우세요."))
  }
}
