import Foundation
import Weather

/// The program of the user's choosing that shows what is longer than the screen.
///
/// It stands in our process group, so that the terminal is its own while it runs; its death harms nobody (safety.md P6).
struct PagerProgram: Sendable {
  /// What is run where PAGER says nothing.
  static let usual = "less -R"

  private let command: String
  private let settings: [String]

  /// Nil where PAGER asks for none: empty, or `cat`.
  init?(_ environment: [String: String]) {
    let command = environment["PAGER"] ?? PagerProgram.usual
    guard !command.trimmed.isEmpty, command.trimmed != "cat" else { return nil }
    self.command = command
    var values = environment.filter { $0.key != "OPENMARKET_SECRET" && $0.key != OpenWeather.keyVariable }
    // What a market wrote is on the screen: no shell, no editor, no other file from there.
    values["LESSSECURE"] = "1"
    for (name, value) in ["LESS": "R", "LESSCHARSET": "utf-8", "LV": "-c"] where values[name] == nil {
      values[name] = value
    }
    settings = values.map { $0.key + "=" + $0.value }
  }

  /// Shows the text and waits until the reader is done; false when the program could not be started.
  func show(_ text: String) async -> Bool {
    await withCheckedContinuation { continuation in
      // A thread of its own: a person reads for as long as they like.
      Thread.detachNewThread { continuation.resume(returning: run(text)) }
    }
  }

  private func run(_ text: String) -> Bool {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var modes = termios()
    let isTerminal = tcgetattr(STDOUT_FILENO, &modes) == 0
    let child = spawn(reading: ends[0])
    close(ends[0])
    guard let child else {
      close(ends[1])
      return false
    }
    // A reader who leaves early is no failure.
    try? Descriptor.write(text, to: ends[1])
    close(ends[1])
    let status = wait(for: child)
    // A pager that was killed leaves the terminal as it needed it.
    if isTerminal { tcsetattr(STDOUT_FILENO, TCSADRAIN, &modes) }
    // 126 and 127 are the shell's words for a program that cannot be run.
    return !(status & 0x7F == 0 && [126, 127].contains(status >> 8 & 0xFF))
  }

  private func wait(for child: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
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
    // What this process ignores would be ignored there too, and the pager would outlive its reader.
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
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
