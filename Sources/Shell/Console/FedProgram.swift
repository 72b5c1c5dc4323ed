import Foundation

/// A line of the user's own for `/bin/sh` that is fed a text and nothing else of ours: a pager, or what stands behind `|`.
///
/// It stands in our process group: the terminal is as much its own as ours, Ctrl-C ends both what it does and what we
/// do, Ctrl-Z stops and `fg` wakes all of us. What it leaves of the terminal's modes is put back.
struct FedProgram: Sendable {
  private let command: String
  private let settings: [String]
  private let staysAwake: Bool

  /// - Parameters:
  ///   - environment: all it gets to see.
  ///   - staysAwake: whether Ctrl-Z is ignored, by it and by us, while it runs.
  init(_ command: String, environment: [String: String], staysAwake: Bool = false) {
    self.command = command
    settings = environment.map { $0.key + "=" + $0.value }
    self.staysAwake = staysAwake
  }

  /// How it ended, as `waitpid` tells it; nil when it could not be started.
  func run(_ input: [UInt8]) async -> Int32? {
    await withCheckedContinuation { continuation in
      // A thread of its own: a person reads for as long as they like.
      Thread.detachNewThread { continuation.resume(returning: feed(input)) }
    }
  }

  private func feed(_ input: [UInt8]) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var modes = termios()
    let hasTerminal = tcgetattr(STDIN_FILENO, &modes) == 0
    let stop = staysAwake ? signal(SIGTSTP, SIG_IGN) : nil
    defer { if staysAwake { signal(SIGTSTP, stop) } }
    let child = spawn(reading: ends[0])
    close(ends[0])
    guard let child else {
      close(ends[1])
      return nil
    }
    // One that stops reading is no failure: a reader who leaves early, `| head -1`.
    try? Descriptor.write(input, to: ends[1])
    close(ends[1])
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // One that was killed leaves the terminal as it needed it.
    if hasTerminal { tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) }
    return status
  }

  private func spawn(reading input: Int32) -> pid_t? {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // What this process ignores would be ignored there too, and it would outlive its reader.
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    if staysAwake { sigdelset(&all, SIGTSTP) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    let words: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = settings.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var child: pid_t = 0
    return posix_spawn(&child, "/bin/sh", &actions, &attributes, &arguments, &environment) == 0 ? child : nil
  }
}
