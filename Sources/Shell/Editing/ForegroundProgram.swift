import Foundation

/// A program that gets the terminal until it ends: an editor.
///
/// It stays in our process group, so that Ctrl-Z stops and `fg` wakes both of us, and leaves the terminal as it found it.
struct ForegroundProgram: Sendable {
  /// How it ended.
  enum Ending: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It could not be started; the `errno`.
    case notStarted(Int32)
  }

  private let words: [String]
  private let environment: [String: String]

  /// - Parameter environment: all it gets to see.
  init(_ words: [String], environment: [String: String]) {
    self.words = words
    self.environment = environment
  }

  func run() async -> Ending {
    var modes = termios()
    let hasTerminal = tcgetattr(STDIN_FILENO, &modes) == 0
    // An editor that was killed leaves the terminal as it needed it.
    defer { if hasTerminal { _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) } }
    var id: pid_t = 0
    let code = start(&id)
    guard code == 0 else { return .notStarted(code) }
    let child = id
    let status = await withCheckedContinuation { (done: CheckedContinuation<Int32, Never>) in
      Thread.detachNewThread {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        done.resume(returning: status)
      }
    }
    return status & 0x7F == 0 ? .exit((status >> 8) & 0xFF) : .signal(status & 0x7F)
  }

  private func start(_ id: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // Data may go to a file; the editor is looked at where we speak.
    if isatty(STDOUT_FILENO) == 0 { posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    return posix_spawnp(&id, words[0], &actions, &attributes, &arguments, &variables)
  }
}
