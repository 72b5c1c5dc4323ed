import Foundation
import Synchronization

/// The real program in a process of its own, its outputs in files.
final class Child: Sendable {
  /// How it ended and what it said.
  struct Ended: Sendable {
    /// Its exit code, or minus the signal that ended it.
    var code: Int32
    var output: String
    var errors: String
  }

  /// Held while a child is made, and while a connection is accepted and not yet marked as closed to children: one that a
  /// child keeps open by accident would never end for the other side.
  static let birth = Mutex(())

  let process: pid_t
  private let folder: String
  private let isReaped = Mutex(false)

  init(_ program: String, _ arguments: [String], environment: [String: String], folder: String) throws {
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, folder + "/out", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, folder + "/err", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for word in words + variables { free(word) } }
    var made: pid_t = 0
    let problem = Child.birth.withLock { _ in posix_spawn(&made, program, &actions, nil, words, variables) }
    guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EINVAL) }
    process = made
  }

  /// SIGKILL, unless it is gone already.
  func kill() {
    isReaped.withLock { if !$0 { _ = Foundation.kill(process, SIGKILL) } }
  }

  func ended() async -> Ended {
    let code = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.reap()) }
    }
    func text(_ name: String) -> String {
      String(decoding: FileManager.default.contents(atPath: folder + name) ?? Data(), as: UTF8.self)
    }
    return Ended(code: code, output: text("/out"), errors: text("/err"))
  }

  private func reap() -> Int32 {
    // Looked at first and taken under the lock, so that no signal can go to a process that has its number next.
    var facts = siginfo_t()
    while waitid(P_PID, id_t(process), &facts, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    return isReaped.withLock { reaped in
      reaped = true
      var status: Int32 = 0
      waitpid(process, &status, 0)
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
  }
}
