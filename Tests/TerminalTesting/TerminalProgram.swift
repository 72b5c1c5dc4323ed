import Foundation
import Glibc
import TestSupport

/// A program on its own pseudoterminal, with a model of its screen as a user sees it.
///
/// The terminal is read during every wait, so that a program never blocks on a full one. Tests wait for a state of the
/// screen, never for a time; the deadline only ends a test that would hang.
package final class TerminalProgram {
  /// The error for a state that was not reached.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  package private(set) var screen: Screen
  /// All output of the program.
  package private(set) var output: [UInt8] = []
  package let processID: pid_t
  package let terminal: Int32
  /// The modes of the terminal before the program was started.
  package let modesBefore: termios
  /// Kept open, so that the modes of the terminal can be read after the program has ended.
  private let line: Int32
  private var status: Int32?

  /// Starts the program as a session leader on a new terminal.
  ///
  /// `environment` is the complete environment; `TERM` is xterm-256color and `LC_ALL` C.UTF-8 unless given, and `nil`
  /// removes a variable. Throws ``Failure`` if the program cannot be started.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], columns: Int = 60,
    rows: Int = 12
  ) throws {
    screen = Screen(columns: columns, rows: rows)
    // The calls of grantpt, unlockpt and ptsname, which the C library hides from Swift.
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, UInt32) = (0, 0)
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
      throw Failure(description: "no pseudo-terminal: errno \(errno)")
    }
    let path = "/dev/pts/\(number)"
    line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    Self.setSize(terminal, columns, rows)
    // As on UTF-8 terminals, so that the kernel deletes characters instead of bytes.
    var modes = termios()
    tcgetattr(line, &modes)
    modes.c_iflag |= tcflag_t(IUTF8)
    tcsetattr(line, TCSANOW, &modes)
    tcgetattr(line, &modes)
    modesBefore = modes
    var values: [String: String?] = [
      "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", "HOME": "/nonexistent",
      "PATH": "/usr/bin:/bin",
    ]
    values.merge(environment) { $1 }
    let settings = values.compactMap { name, value in value.map { "\(name)=\($0)" } }
    processID = try Self.spawn(program, [program] + arguments, settings, path)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
    close(terminal)
    close(line)
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], _ terminal: String
  ) throws -> pid_t {
    // The first terminal opened by a session leader becomes its controlling terminal.
    let (id, problem) = Spawn.start(program, arguments, environment: environment, ownSession: true) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    guard problem == 0 else { throw Failure(description: "\(program) cannot be started: errno \(problem)") }
    return id
  }

  // MARK: User input

  /// Sends the keys of a text.
  ///
  /// A person types no key in the moment in which a paste ends; the editor would take it for a part of the paste.
  package func type(_ text: String) throws {
    let pasteEnd = "\u{1B}[201~"
    let parts = text.components(separatedBy: pasteEnd)
    for (number, part) in parts.enumerated() {
      let isPaste = number < parts.count - 1
      try send(Array((isPaste ? part + pasteEnd : part).utf8))
      if isPaste { try waitUntilKeysAreRead() }
    }
  }

  /// Waits until the program has read all keys, has drawn what they change, and has then waited for keys for a moment.
  package func waitUntilKeysAreRead() throws {
    let clock = ContinuousClock()
    let end = clock.now + Waiting.timeLimit
    while clock.now < end {
      var count: Int32 = 0
      if ioctl(line, UInt(FIONREAD), &count) == 0, count > 0 {
        drain(wait: 1)
        continue
      }
      let work = processorTimeAtRest
      if !drain(wait: 80), let work, work == processorTimeAtRest { return }
    }
    throw Failure(description: "the program does not come to rest; the screen:\n\(screen.text)")
  }

  /// Sends bytes as keys and reads output at the same time.
  package func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      var waits = pollfd(fd: terminal, events: Int16(POLLIN | POLLOUT), revents: 0)
      guard poll(&waits, 1, 30_000) > 0 else { throw Failure(description: "the terminal takes no keys\n\(screen)") }
      if waits.revents & Int16(POLLIN) != 0 { drain(wait: 0) }
      guard waits.revents & Int16(POLLOUT) != 0 else { continue }
      let part = rest.prefix(512)
      let count = part.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR, errno != EAGAIN { throw Failure(description: "errno \(errno) at a key") }
      rest = rest.dropFirst(max(0, count))
    }
  }

  package func resize(columns: Int, rows: Int) {
    drain(wait: 0)
    screen.resize(columns: columns, rows: rows)
    Self.setSize(terminal, columns, rows)
  }

  package func signal(_ signal: Int32) {
    kill(processID, signal)
  }

  /// Stops the output like Ctrl-S until ``resumeOutput()``; a program that writes blocks.
  package func stopOutput() { tcflow(line, TCOOFF) }

  package func resumeOutput() { tcflow(line, TCOON) }

  /// Hangs up the terminal as closing its window does.
  package func hangUp() {
    drain(wait: 0)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    // The descriptor's number stays in use, and the last reference to the master is closed.
    dup2(nothing, terminal)
    close(nothing)
  }

  /// The current modes of the terminal.
  package var modes: termios {
    var modes = termios()
    tcgetattr(line, &modes)
    return modes
  }

  // MARK: Waiting

  /// Waits until `isReached` returns true.
  ///
  /// Throws ``Failure`` with the screen if that does not happen.
  package func wait(_ what: String = "the screen", until isReached: (TerminalProgram) -> Bool) throws {
    let clock = ContinuousClock()
    let end = clock.now + Waiting.timeLimit
    // Earlier output must be read before the state is tested.
    drain(wait: 0)
    while !isReached(self) {
      if !drain(wait: 50), clock.now > end || hasEnded, !isReached(self) {
        throw Failure(description: "\(what) never came; the screen:\n\(screen.text)\ncursor \(screen.cursor)")
      }
    }
  }

  /// Waits until the screen shows exactly this text, compared by scalars (Swift treats composed and decomposed
  /// syllables as equal).
  ///
  /// Spaces at the end of rows and empty rows at the end are ignored.
  package func expect(_ text: String) throws {
    try wait("'\(text)'") { $0.screen.text.utf8.elementsEqual(text.utf8) }
  }

  /// Waits until the row of the cursor is this text.
  package func expectRow(_ text: String) throws {
    try wait("row '\(text)'") { $0.screen.row.utf8.elementsEqual(text.utf8) }
  }

  /// Waits until no more is drawn.
  ///
  /// Only for recording: a test waits for a known state.
  package func settle() {
    while drain(wait: 1_000) {}
  }

  /// Waits until the program stops itself.
  package func waitUntilStopped() throws {
    let clock = ContinuousClock()
    let end = clock.now + Waiting.timeLimit
    var status: Int32 = 0
    while waitpid(processID, &status, WNOHANG | WUNTRACED) == 0 {
      if clock.now > end { throw Failure(description: "the program never stopped") }
      drain(wait: 20)
    }
    if status & 0xFF != 0x7F { self.status = status }
  }

  /// Returns the exit status, or 128 plus the signal.
  package func exitCode() throws -> Int32 {
    let clock = ContinuousClock()
    let end = clock.now + Waiting.timeLimit
    while !hasEnded {
      if clock.now > end { throw Failure(description: "the program never ended; the screen:\n\(screen.text)") }
      drain(wait: 20)
    }
    drain(wait: 0)
    let status = status ?? 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  package var hasEnded: Bool {
    if status != nil { return true }
    var now: Int32 = 0
    if waitpid(processID, &now, WNOHANG) == processID { status = now }
    return status != nil
  }

  /// Reads the available output.
  ///
  /// Returns false if there was none for the given time.
  @discardableResult
  func drain(wait milliseconds: Int32) -> Bool {
    var got = false
    var waits = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    while poll(&waits, 1, got ? 0 : milliseconds) > 0, waits.revents & Int16(POLLIN) != 0 {
      var bytes = [UInt8](repeating: 0, count: 16_384)
      let count = read(terminal, &bytes, bytes.count)
      if count <= 0 { break }
      output += bytes[..<count]
      screen.write(bytes[..<count])
      got = true
    }
    return got
  }

  private static func setSize(_ terminal: Int32, _ columns: Int, _ rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
