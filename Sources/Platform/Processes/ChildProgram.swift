import Foundation
import Text

/// A program of the user's choosing that we wait for: a pager, an editor, whatever stands behind `|`.
///
/// It stays in our process group, so that the terminal is its own while it runs. At Ctrl-Z it stops first and puts the
/// terminal in order, then we stop (``ChildLife``). It hears every signal, knows no secret of ours, and leaves the
/// terminal as it found it, however it ends.
package struct ChildProgram: Sendable {
  /// How it ended.
  package enum Ending: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It could not be started; the `errno`.
    case notStarted(Int32)
  }

  /// Variables of ours that no other program is to see.
  private static let secretVariables = ["OPENMARKET_SECRET", "OPENWEATHER_API_KEY"]

  private let words: [String]
  private let settings: [String]
  private let departure: ShutdownCoordinator

  /// - Parameters:
  ///   - words: the program, looked for in PATH, and its arguments.
  ///   - environment: all it gets to see, but for our secrets.
  ///   - departure: when we have to end, so has the program.
  package init(_ words: [String], environment: Environment, _ departure: ShutdownCoordinator) {
    self.words = words
    self.departure = departure
    settings = environment.all.filter { !ChildProgram.secretVariables.contains($0.name) }
      .map { $0.name + "=" + $0.value }
  }

  /// A line of the user's own, for `/bin/sh`.
  package init(shell line: String, environment: Environment, _ departure: ShutdownCoordinator) {
    self.init(["/bin/sh", "-c", ChildProgram.replacing(line)], environment: environment, departure)
  }

  /// A plain command takes the place of the shell that reads it, so that what is told to the one is told to the other
  /// and the one that stops is the one that has the terminal.
  private static func replacing(_ line: String) -> String {
    let isPlain = line.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || " -_./+,:".utf8.contains(byte)
    }
    let first = line.split(separator: " ").first.map(String.init) ?? ""
    return isPlain && !first.isEmpty && !ofTheShell.contains(first) ? "exec " + line : line
  }

  /// Commands that a shell has and the system has not.
  private static let ofTheShell: Set<String> = [
    ".", ":", "alias", "bg", "break", "cd", "command", "continue", "eval", "exec", "exit", "export", "fg", "getopts",
    "hash", "jobs", "local", "read", "readonly", "return", "set", "shift", "times", "trap", "type", "ulimit", "umask",
    "unalias", "unset", "wait",
  ]

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - input: what it gets on its standard input; nil leaves it ours.
  ///   - isSeen: it draws where we speak, when our data goes to a file.
  ///   - staysAwake: Ctrl-Z is ignored while it runs, by us and by it.
  package func run(input: [UInt8]? = nil, isSeen: Bool = false, staysAwake: Bool = false) async -> Ending {
    await run(input.map { .bytes($0) } ?? .ours, isSeen, staysAwake)
  }

  /// Runs it to its end while what it reads is still being made; a cancelled task ends it with SIGINT.
  ///
  /// - Parameters:
  ///   - entrance: the end of a pipe that it reads, closed here.
  ///   - staysAwake: Ctrl-Z is ignored while it runs, by us and by it; cancelling leaves it to its reader.
  package func run(reading entrance: Int32, staysAwake: Bool = false) async -> Ending {
    await run(.pipe(entrance), false, staysAwake)
  }

  /// What it gets on its standard input.
  private enum Input: Sendable {
    /// The same as this process.
    case ours
    case bytes([UInt8])
    case pipe(Int32)
  }

  private func run(_ input: Input, _ isSeen: Bool, _ staysAwake: Bool) async -> Ending {
    let modes = TerminalModes()
    let life = ChildLife()
    let stop = signal(SIGTSTP, SIG_IGN)
    defer { signal(SIGTSTP, stop) }
    let ending = await withTaskCancellationHandler {
      await departure.lending {
        await departure.telling({ life.end(by: $0) }) {
          await withCheckedContinuation { done in
            // A thread of its own: a person reads for as long as they like.
            Thread.detachNewThread { done.resume(returning: runHere(input, isSeen, staysAwake, life)) }
          }
        }
      }
    } onCancel: {
      // Ctrl-C reaches it from the terminal, but not one that is only about to be started. What draws on the screen takes
      // a second one for itself.
      if isSeen || staysAwake { life.endUnlessBegun(by: SIGINT) } else { life.end(by: SIGINT) }
    }
    modes?.restore()
    // The shell's words for a program that was ended by a signal begin with 129.
    switch ending {
    case .signal: modes?.calm()
    case .exit(let code) where code > 128: modes?.calm()
    case .exit, .notStarted: break
    }
    return ending
  }

  private func runHere(_ input: Input, _ isSeen: Bool, _ staysAwake: Bool, _ life: ChildLife) -> Ending {
    func started(reading end: Int32) -> Result<pid_t, ErrorNumber> {
      defer { close(end) }
      return start(staysAwake) { actions in
        posix_spawn_file_actions_adddup2(&actions, end, STDIN_FILENO)
        redirect(&actions, isSeen)
      }
    }
    switch input {
    case .ours: return life.ending(of: start(staysAwake) { redirect(&$0, isSeen) })
    case .pipe(let end): return life.ending(of: started(reading: end))
    case .bytes(let bytes): return run(bytes, life, started)
    }
  }

  private func run(_ input: [UInt8], _ life: ChildLife, _ start: (Int32) -> Result<pid_t, ErrorNumber>) -> Ending {
    guard let ends = ClosedPipe.make() else { return .notStarted(errno) }
    let started = start(ends.exit)
    guard case .success(let child) = started else {
      close(ends.entrance)
      return life.ending(of: started)
    }
    life.begin(child)
    let entrance = ends.entrance
    // A program that was stopped reads nothing, and has to be waited for all the same. One that stops reading is no
    // failure: `| head -1`, a reader who leaves early.
    Thread.detachNewThread {
      try? Descriptor.write(input, to: entrance)
      close(entrance)
    }
    return life.ending(of: started)
  }

  private func redirect(_ actions: inout posix_spawn_file_actions_t, _ isSeen: Bool) {
    guard isSeen, isatty(STDOUT_FILENO) == 0 else { return }
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
  }

  private func start(
    _ staysAwake: Bool, _ redirect: (inout posix_spawn_file_actions_t) -> Void
  ) -> Result<pid_t, ErrorNumber> {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    redirect(&actions)
    // Connections are ours alone: one that another program holds too does not end when we close it.
    Descriptor.keepToOurselves()
    // What this process ignores would be ignored there too, and a program would outlive its reader.
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    if staysAwake { sigdelset(&all, SIGTSTP) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    var arguments = words.map { strdup($0) } + [nil]
    var variables = settings.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
    return code == 0 ? .success(child) : .failure(ErrorNumber(code: code))
  }
}

/// The program of the user's choosing that shows what is longer than the screen; its death harms nobody.
package struct Pager: Sendable {
  /// What is run where PAGER says nothing.
  package static let usual = "less -R"

  private let program: ChildProgram

  /// The options of less, unless LESS is set. What was read stays on the screen, as with git: the next line is often
  /// about it. The prompt names the key that leaves, as man's does; it is English in every language because less 590
  /// garbles a prompt that is not ASCII.
  private static let lessOptions = "-FRX -Ps?e(END) .q leaves, h helps$"

  /// Fails where PAGER asks for none: empty, or `cat`.
  package init?(_ environment: Environment, _ departure: ShutdownCoordinator) {
    let command = environment["PAGER"] ?? Pager.usual
    guard !command.trimmed.isEmpty, command.trimmed != "cat" else { return nil }
    var values = environment
    // What a market wrote is on the screen: no shell, no editor, no other file from there.
    values["LESSSECURE"] = "1"
    for (name, value) in ["LESS": Pager.lessOptions, "LESSCHARSET": "utf-8", "LV": "-c"] where values[name] == nil {
      values[name] = value
    }
    program = ChildProgram(shell: command, environment: values, departure)
  }

  /// Shows the text and waits until the reader is done; false when the program could not be started.
  package func show(_ text: String) async -> Bool {
    // With LESSSECURE less does not stop at Ctrl-Z, and so no pager does: one that finds the signal ignored leaves it so.
    !Pager.isMissing(await program.run(input: Array(text.utf8), staysAwake: true))
  }

  /// The pager begun, to be fed piece by piece; nil with `errno` where there are no descriptors left.
  package func fed() -> FedProgram? { FedProgram(program, staysAwake: true) }

  /// It could not be started.
  package static func isMissing(_ ending: ChildProgram.Ending) -> Bool {
    switch ending {
    // The shell's words for a program that cannot be run.
    case .exit(126), .exit(127), .notStarted: true
    case .exit, .signal: false
    }
  }
}

/// A pipe that no other program gets to hold unless it is handed one of its ends.
enum ClosedPipe {
  /// Nil with `errno` where there are no descriptors left.
  static func make() -> (exit: Int32, entrance: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// A program that is fed piece by piece: it begins with the first piece, and sees the end only when all of them came.
package final class FedProgram: Sendable {
  /// How long to wait for a reader that is slower than we are.
  private static let pause = Duration.milliseconds(1)
  private static let capacity: Int32 = 1 << 20
  /// F_SETPIPE_SZ, which glibc gives only to GNU sources.
  private static let setPipeSize: Int32 = 1031

  private let entrance: Int32
  private let ending: Task<ChildProgram.Ending, Never>

  /// Nil with `errno` where there are no descriptors left.
  package init?(_ program: ChildProgram, staysAwake: Bool = false) {
    guard let ends = ClosedPipe.make() else { return nil }
    entrance = ends.entrance
    _ = fcntl(entrance, F_SETFL, fcntl(entrance, F_GETFL) | O_NONBLOCK)
    // Linux gives 64 kB, less than two pages of a market.
    _ = fcntl(entrance, FedProgram.setPipeSize, FedProgram.capacity)
    ending = Task { await program.run(reading: ends.exit, staysAwake: staysAwake) }
  }

  /// Hands over a piece, and waits while the program has enough to read. False when it reads no more: `| head -1`.
  ///
  /// - Throws: `CancellationError`.
  package func put(_ piece: [UInt8]) async throws -> Bool {
    var rest = piece[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(entrance, $0.baseAddress, $0.count) }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        try await Task.sleep(for: FedProgram.pause)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// The program reads the end, and is waited for.
  package func finish() async -> ChildProgram.Ending {
    close(entrance)
    return await withTaskCancellationHandler {
      await ending.value
    } onCancel: {
      ending.cancel()
    }
  }

  /// Ends the program before it could take a part for the whole.
  package func abandon() async {
    ending.cancel()
    close(entrance)
    _ = await ending.value
  }
}
