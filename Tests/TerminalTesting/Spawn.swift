import CGlibc
import Foundation
import Glibc

/// Starts the programs under test.
package enum Spawn {
  /// Starts a program without our open descriptors and with default signal actions.
  ///
  /// If the tests run under `nohup` or in the background, some signals are ignored, which a program would inherit.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: The arguments, beginning with the program's name.
  ///   - environment: The environment as `NAME=value`.
  ///   - ownSession: Makes it a session leader, whose controlling terminal is the first one it opens.
  ///   - connect: Sets its standard streams.
  /// - Returns: The process id, and an `errno` or 0.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String], ownSession: Bool = false,
    connect: (inout posix_spawn_file_actions_t) -> Void
  ) -> (id: pid_t, problem: Int32) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // 0x80 is POSIX_SPAWN_SETSID, which the C library declares only with `_GNU_SOURCE`.
    posix_spawnattr_setflags(
      &attributes, Int16((ownSession ? 0x80 : 0) | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    connect(&actions)
    // Close-on-exec would come too late for what another thread has just opened, and a pipe that a third process has too
    // does not end when the test closes it.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var id: pid_t = 0
    let problem = posix_spawn(&id, program, &actions, &attributes, argv, envp)
    return (id, problem)
  }

  /// Makes a pipe that no program inherits, also if another thread starts one at the same time.
  package static func pipe() throws -> (readEnd: Int32, writeEnd: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
    return (ends[0], ends[1])
  }
}
