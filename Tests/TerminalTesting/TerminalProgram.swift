import Foundation
import Glibc

/// A program on a pseudo-terminal of its own, with the screen it drew: what a person would have before their eyes.
///
/// The terminal is read whenever something is waited for, so a program never blocks on a full one. Waiting is for a
/// state of the screen, never for a time; the deadline only ends a test that would hang.
package final class TerminalProgram {
  /// What was waited for did not come.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  package private(set) var screen: Screen
  /// Everything the program wrote.
  package private(set) var output: [UInt8] = []
  package let processID: pid_t
  package let terminal: Int32
  /// The modes of the terminal before the program had it.
  package let modesBefore: termios
  /// Kept open so that the terminal's modes can be looked at when the program has ended.
  private let line: Int32
  private var status: Int32?
  /// Long enough for a machine that is busy with much else: only what would never end reaches it.
  private static let deadline: Duration = .seconds(60)

  /// Starts the program as the leader of a session on a new terminal.
  /// - Parameter environment: all of it; `TERM` is xterm-256color and `LC_ALL` C.UTF-8 unless given, nil leaves one out.
  /// - Throws: ``Failure`` when it cannot be started.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], columns: Int = 60,
    rows: Int = 12
  ) throws {
    screen = Screen(columns: columns, rows: rows)
    // What grantpt, unlockpt and ptsname do; the C library hides those from Swift.
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (lock, number): (Int32, UInt32) = (0, 0)
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
      throw Failure(description: "no pseudo-terminal: errno \(errno)")
    }
    let path = "/dev/pts/\(number)"
    line = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    Self.setSize(terminal, columns, rows)
    // As terminals for UTF-8 do, so that the kernel deletes characters and not bytes.
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
    // A session leader's first terminal becomes the one that controls it.
    let (id, problem) = Spawn.start(program, arguments, environment: environment, ownSession: true) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    }
    guard problem == 0 else { throw Failure(description: "\(program) cannot be started: errno \(problem)") }
    return id
  }

  // MARK: The person

  package func type(_ text: String) throws {
    try send(Array(text.utf8))
  }

  /// Sends bytes as keys, reading meanwhile.
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

  /// Ctrl-S: the terminal takes no output until ``resumeOutput()``; a program that writes waits.
  package func stopOutput() { tcflow(line, TCOOFF) }

  package func resumeOutput() { tcflow(line, TCOON) }

  /// The window is closed: nobody is at the other end of the terminal any more.
  package func hangUp() {
    drain(wait: 0)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    // The number stays ours, and the last hold on the terminal's side is gone.
    dup2(nothing, terminal)
    close(nothing)
  }

  /// The modes of the terminal as they are now.
  package var modes: termios {
    var modes = termios()
    tcgetattr(line, &modes)
    return modes
  }

  // MARK: Waiting

  /// Waits until the screen is as `isReached` says.
  /// - Throws: ``Failure`` with the screen as it is when it never is.
  package func wait(_ what: String = "the screen", until isReached: (TerminalProgram) -> Bool) throws {
    let clock = ContinuousClock()
    let end = clock.now + Self.deadline
    // What was written before must be seen before anything is judged by it.
    drain(wait: 0)
    while !isReached(self) {
      if !drain(wait: 50), clock.now > end || hasEnded, !isReached(self) {
        throw Failure(description: "\(what) never came; the screen:\n\(screen.text)\ncursor \(screen.cursor)")
      }
    }
  }

  /// Waits until the screen shows exactly this, character by character (to Swift a syllable equals its parts);
  /// spaces at the end of rows and empty rows at the end do not count.
  package func expect(_ text: String) throws {
    try wait("'\(text)'") { $0.screen.text.utf8.elementsEqual(text.utf8) }
  }

  /// Waits until the row of the cursor is this.
  package func expectRow(_ text: String) throws {
    try wait("row '\(text)'") { $0.screen.row.utf8.elementsEqual(text.utf8) }
  }

  /// Waits until nothing more is drawn. Only for what is recorded: a test knows what it waits for.
  package func settle() {
    while drain(wait: 1_000) {}
  }

  /// Waits until the program stops itself.
  package func waitUntilStopped() throws {
    let clock = ContinuousClock()
    let end = clock.now + Self.deadline
    var status: Int32 = 0
    while waitpid(processID, &status, WNOHANG | WUNTRACED) == 0 {
      if clock.now > end { throw Failure(description: "the program never stopped") }
      drain(wait: 20)
    }
    if status & 0xFF != 0x7F { self.status = status }
  }

  /// The exit code, or 128 and the signal.
  package func exitCode() throws -> Int32 {
    let clock = ContinuousClock()
    let end = clock.now + Self.deadline
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

  /// Reads what is there; false when nothing came in so many milliseconds.
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
