import CGlibc
import Foundation
import Synchronization
import Text

/// A program chosen by the user that the shell waits for: a pager, an editor, the command after `|`.
///
/// It stays in our process group, so that it owns the terminal while it runs. At Ctrl-Z it stops first and restores the
/// terminal, then we stop (``ChildProcess``). All signals have their default action in it, the variables with our secrets
/// are removed from its environment, and the terminal modes are restored after it, however it ends.
package struct Subprocess: Sendable {
  /// The way a program ended.
  package enum Ending: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It could not be started, for the given `errno`.
    case failedToStart(Int32)
  }

  /// Environment variables with our secrets, which are not passed to other programs.
  private static let secretVariables = ["OPENMARKET_SECRET", "OPENWEATHER_API_KEY"]

  private let arguments: [String]
  private let environmentStrings: [String]
  private let shutdown: ShutdownCoordinator
  /// The descriptor that receives its standard output, and the one that receives its standard error, or `nil` if that is
  /// ours.
  private var captured: (output: Int32, errors: Int32?)?

  /// Creates a program.
  ///
  /// - Parameters:
  ///   - words: The program, searched in PATH, and its arguments.
  ///   - environment: Its environment, from which our secrets are removed.
  ///   - departure: When we have to terminate, the program is terminated too.
  package init(_ words: [String], environment: Environment, _ departure: ShutdownCoordinator) {
    self.arguments = words
    self.shutdown = departure
    environmentStrings = environment.dictionary.filter { !Subprocess.secretVariables.contains($0.key) }
      .map { $0.key + "=" + $0.value }
  }

  /// Creates a program from a command line of the user for `/bin/sh`.
  package init(shell line: String, environment: Environment, _ departure: ShutdownCoordinator) {
    self.init(["/bin/sh", "-c", Subprocess.execPrefixed(line)], environment: environment, departure)
  }

  /// Prefixes a simple command with `exec`, so that it replaces the shell: then signals reach it directly, and the
  /// process that stops is the one that owns the terminal.
  private static func execPrefixed(_ line: String) -> String {
    let isPlain = line.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || " -_./+,:".utf8.contains(byte)
    }
    let first = line.split(separator: " ").first.map(String.init) ?? ""
    return isPlain && !first.isEmpty && !shellBuiltins.contains(first) ? "exec " + line : line
  }

  /// Shell builtins that have no executable.
  private static let shellBuiltins: Set<String> = [
    ".", ":", "alias", "bg", "break", "cd", "command", "continue", "eval", "exec", "exit", "export", "fg", "getopts",
    "hash", "jobs", "local", "read", "readonly", "return", "set", "shift", "times", "trap", "type", "ulimit", "umask",
    "unalias", "unset", "wait",
  ]

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - input: The bytes for its standard input, or `nil` to inherit ours.
  ///   - isSeen: If standard output is not a terminal, its output goes to standard error.
  ///   - staysAwake: Ctrl-Z is ignored while it runs, by us and by it.
  /// - Returns: The way it ended.
  package func run(input: [UInt8]? = nil, isSeen: Bool = false, staysAwake: Bool = false) async -> Ending {
    await run(input.map { .bytes($0) } ?? .inherited, isSeen: isSeen, staysAwake: staysAwake)
  }

  /// Runs the program to its end while its input is still being produced.
  ///
  /// Cancelling the task ends it with SIGINT, or, as a pager handles that itself, with SIGTERM.
  ///
  /// - Parameters:
  ///   - readEnd: The read end of the pipe for its standard input; closed by this function.
  ///   - staysAwake: The program is a pager: Ctrl-Z is ignored while it runs, by us and by it.
  /// - Returns: The way it ended.
  package func run(reading readEnd: Int32, staysAwake: Bool = false) async -> Ending {
    await run(.pipe(readEnd), isSeen: false, staysAwake: staysAwake)
  }

  /// Runs the program to its end, and returns its standard output as text.
  ///
  /// - Parameters:
  ///   - input: The bytes for its standard input.
  ///   - seesErrors: Whether its standard error is ours; otherwise it is part of the output.
  package func capture(input: [UInt8], seesErrors: Bool) async -> (ending: Ending, output: String) {
    // A file without a name holds any amount, so that the program never waits for a reader.
    guard let file = Subprocess.temporaryFile() else { return (.failedToStart(errno), "") }
    defer { close(file) }
    var program = self
    program.captured = (file, seesErrors ? nil : file)
    let ending = await program.run(.bytes(input), isSeen: false, staysAwake: false)
    let output = Subprocess.contents(of: file, maximumBytes: 1 << 20)
    return (ending, String(decoding: output, as: UTF8.self))
  }

  /// Runs the program, and returns the beginning of its standard output, which is in memory only.
  ///
  /// Its standard input is ours if that is a terminal. Cancelling the task ends it with SIGINT.
  ///
  /// - Parameters:
  ///   - maximumBytes: The number of bytes to read, at most the size of a pipe.
  ///   - timeout: The time after which the program is terminated.
  ///   - includesErrors: Whether its standard error is part of the output; otherwise it is ours.
  /// - Returns: The way it ended, what it printed, and whether it was terminated.
  package func captureInMemory(maximumBytes: Int, timeout: Duration, includesErrors: Bool = false) async -> (
    ending: Ending, output: [UInt8], isTerminated: Bool
  ) {
    guard let pipe = CloseOnExecPipe() else { return (.failedToStart(errno), [], false) }
    defer { close(pipe.readEnd) }
    var program = self
    program.captured = (pipe.writeEnd, includesErrors ? pipe.writeEnd : nil)
    let (ending, isTerminated) = await program.run(
      isatty(STDIN_FILENO) == 1 ? .inherited : .bytes([]), terminatedAfter: timeout)
    close(pipe.writeEnd)
    // A program that it started may still have the pipe.
    _ = fcntl(pipe.readEnd, F_SETFL, O_NONBLOCK)
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while output.count < maximumBytes {
      let count = read(pipe.readEnd, &buffer, min(buffer.count, maximumBytes - output.count))
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    return (ending, output, isTerminated)
  }

  /// Runs the program of the system to its end, and returns its standard output and its standard error apart from each
  /// other, byte for byte.
  ///
  /// - Parameters:
  ///   - input: The bytes for its standard input.
  ///   - maximumBytes: The number of bytes up to which each of them is read.
  ///   - timeout: The time after which the program is terminated.
  /// - Returns: The way it ended, what it printed, and whether that is complete: false if it was terminated or has printed
  ///   more.
  package func captureSeparately(
    input: [UInt8] = [], maximumBytes: Int = 1 << 20, timeout: Duration
  ) async -> (ending: Ending, output: [UInt8], errors: [UInt8], isComplete: Bool) {
    guard let (output, errors) = Subprocess.temporaryFiles() else { return (.failedToStart(errno), [], [], false) }
    defer {
      close(output)
      close(errors)
    }
    var program = self
    program.captured = (output, errors)
    let (ending, isTerminated) = await program.run(.bytes(input), terminatedAfter: timeout)
    let texts = [output, errors].map { Subprocess.contents(of: $0, maximumBytes: maximumBytes + 1) }
    return (
      ending, Array(texts[0].prefix(maximumBytes)), Array(texts[1].prefix(maximumBytes)),
      !isTerminated && texts[0].count <= maximumBytes
    )
  }

  /// Returns two files without names, which hold any amount, so that the program never waits for a reader.
  private static func temporaryFiles() -> (Int32, Int32)? {
    guard let first = temporaryFile() else { return nil }
    guard let second = temporaryFile() else {
      close(first)
      return nil
    }
    return (first, second)
  }

  private static func temporaryFile() -> Int32? {
    var name = Array((NSTemporaryDirectory() + "/openmarket-XXXXXX").utf8CString)
    let file = mkstemp(&name)
    guard file >= 0 else { return nil }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(name)
    return file
  }

  private static func contents(of file: Int32, maximumBytes: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    lseek(file, 0, SEEK_SET)
    while bytes.count < maximumBytes {
      let count = read(file, &buffer, min(buffer.count, maximumBytes - bytes.count))
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }

  /// Runs the program, which is terminated after some time.
  private func run(_ input: Input, terminatedAfter timeout: Duration) async -> (Ending, isTerminated: Bool) {
    let life = ChildProcess()
    let isLate = Mutex(false)
    let watchdog = Task {
      for signal in [SIGTERM, SIGKILL] {
        try await Task.sleep(for: signal == SIGTERM ? timeout : .seconds(1))
        isLate.withLock { $0 = true }
        life.sendSignal(by: signal)
      }
    }
    let ending = await run(input, isSeen: false, staysAwake: false, life: life)
    watchdog.cancel()
    return (ending, isLate.withLock { $0 })
  }

  /// The standard input of the program.
  private enum Input: Sendable {
    /// The standard input of this process.
    case inherited
    case bytes([UInt8])
    case pipe(Int32)
  }

  private func run(
    _ input: Input, isSeen: Bool, staysAwake: Bool, life: ChildProcess = ChildProcess()
  ) async -> Ending {
    let modes = TerminalModes()
    let stop = signal(SIGTSTP, SIG_IGN)
    defer { signal(SIGTSTP, stop) }
    let interruptCount = shutdown.interruptCount
    let ending = await withTaskCancellationHandler {
      await shutdown.lending {
        let ending = await shutdown.notifying({ life.sendSignal(by: $0) }) {
          await withCheckedContinuation { done in
            // A thread of its own, because a user may read for any length of time.
            Thread.detachNewThread {
              done.resume(returning: runBlocking(input, isSeen: isSeen, staysAwake: staysAwake, life: life))
            }
          }
        }
        // A shell reports a signal with a status above 128.
        if [.signal(SIGINT), .exit(128 + SIGINT)].contains(ending) {
          await shutdown.waitForInterrupt(after: interruptCount)
        }
        return ending
      }
    } onCancel: {
      // Ctrl-C reaches a running program from the terminal, but not one that is about to be started. A program that
      // draws on the screen handles a second one itself.
      if case .pipe = input, staysAwake { return life.sendSignal(by: SIGTERM) }
      if isSeen || staysAwake { life.cancelIfNotStarted(by: SIGINT) } else { life.sendSignal(by: SIGINT) }
    }
    modes?.restore()
    // A shell reports a program that was ended by a signal with a status above 128.
    switch ending {
    case .signal: modes?.resetScreen()
    case .exit(let code) where code > 128: modes?.resetScreen()
    case .exit, .failedToStart: break
    }
    return ending
  }

  private func runBlocking(_ input: Input, isSeen: Bool, staysAwake: Bool, life: ChildProcess) -> Ending {
    func started(reading end: Int32) -> Result<pid_t, Errno> {
      defer { close(end) }
      return start(staysAwake) { actions in
        posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
        redirect(&actions, isSeen)
      }
    }
    switch input {
    case .inherited: return life.waitForExit(of: start(staysAwake) { redirect(&$0, isSeen) })
    case .pipe(let end): return life.waitForExit(of: started(reading: end))
    case .bytes(let bytes): return run(bytes, life: life, start: started)
    }
  }

  private func run(_ input: [UInt8], life: ChildProcess, start: (Int32) -> Result<pid_t, Errno>) -> Ending {
    guard let pipe = CloseOnExecPipe() else { return .failedToStart(errno) }
    let started = start(pipe.readEnd)
    guard case .success(let child) = started else {
      close(pipe.writeEnd)
      return life.waitForExit(of: started)
    }
    life.didStart(child)
    // A stopped program reads nothing and is waited for nevertheless. One that stops reading is not an error: `| head
    // -1`, a pager that the user leaves early.
    Thread.detachNewThread {
      try? Descriptor.write(input, to: pipe.writeEnd)
      close(pipe.writeEnd)
    }
    return life.waitForExit(of: started)
  }

  private func redirect(_ actions: inout posix_spawn_file_actions_t, _ isSeen: Bool) {
    if let captured {
      posix_spawn_file_actions_adddup2(&actions, captured.output, STDOUT_FILENO)
      if let errors = captured.errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
      return
    }
    guard isSeen, isatty(STDOUT_FILENO) == 0 else { return }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
  }

  private func start(
    _ staysAwake: Bool, _ redirect: (inout posix_spawn_file_actions_t) -> Void
  ) -> Result<pid_t, Errno> {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    redirect(&actions)
    // Some libraries open sockets without close-on-exec, and a connection that another process has too does not end when
    // we close it.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    // Signals that this process ignores would be ignored there too, and the program would survive its reader.
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    if staysAwake { sigdelset(&all, SIGTSTP) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    var arguments = self.arguments.map { strdup($0) } + [nil]
    var variables = environmentStrings.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, self.arguments[0], &actions, &attributes, &arguments, &variables)
    return code == 0 ? .success(child) : .failure(Errno(code: code))
  }
}
