import Foundation
import Glibc

/// Starts the programs that tests are about.
package enum Spawn {
  /// No program gets what is open here, and signals are as a shell at a terminal leaves them: where the tests themselves
  /// run under `nohup` or in the background, some are ignored, and a program would inherit that.
  ///
  /// - Parameters:
  ///   - arguments: with the program's own name in front.
  ///   - environment: as `NAME=value`.
  ///   - ownSession: it leads a session, and the first terminal that it opens controls it.
  ///   - connect: says what its streams are.
  /// - Returns: the process, and 0 or the errno why there is none.
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
    // 0x80 is POSIX_SPAWN_SETSID, which the C library's header hides.
    posix_spawnattr_setflags(
      &attributes, Int16((ownSession ? 0x80 : 0) | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    connect(&actions)
    keepDescriptorsToOurselves()
    let argv = arguments.map { strdup($0) } + [nil]
    let envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    var id: pid_t = 0
    let problem = posix_spawn(&id, program, &actions, &attributes, argv, envp)
    return (id, problem)
  }
}

/// No child gets what is open here: a server's connection that a child holds too stays open when the server closes it.
package func keepDescriptorsToOurselves() {
  for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
    if let number = Int32(name), number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  }
}
