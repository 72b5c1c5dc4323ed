import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// SIGTERM and a closed window in any state without a write: the program exits at once with the signal's exit code and
/// a restored terminal.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct TerminationHandlerTests {
  static let places = [
    ("", ">"), ("ls si", "> ls si"), ("rm 138\r", "[y/N]"), ("login identifier=a vendor_id=15\r", ":"), ("new\r", ""),
  ]

  private func shell(at index: Int) throws -> TerminalShell {
    let shell = try TerminalShell(["--lang", "en"], columns: 100, rows: 40)
    let (keys, row) = Self.places[index]
    try shell.type(keys)
    if row.isEmpty {
      try shell.wait(for: "3 to 100 characters")
    } else {
      try shell.program.wait(keys) { $0.screen.row.hasSuffix(row) && $0.readsKeys }
    }
    return shell
  }

  @Test(arguments: places.indices, [(signal: SIGTERM, code: Int32(143)), (signal: SIGQUIT, code: Int32(131))])
  func sigtermExitsAndRestoresTheTerminal(_ index: Int, _ end: (signal: Int32, code: Int32)) throws {
    let shell = try shell(at: index)
    shell.program.signal(end.signal)
    #expect(try shell.program.exitCode() == end.code)
    #expect(!shell.program.readsKeys && !shell.program.screen.bracketsPaste)
    #expect(shell.program.modes.c_lflag & tcflag_t(ECHO) != 0)
  }

  /// At any moment of the start, also on a busy machine and while the first market is created.
  @Test(arguments: [false, true]) func sigtermDuringTheStartExits(_ isBusy: Bool) throws {
    let load = isBusy ? try BusyProcesses() : nil
    defer { load?.end() }
    for milliseconds in stride(from: 0, through: 700, by: isBusy ? 140 : 70) {
      let home = try TemporaryHome()
      let program = try TerminalProgram(
        builtProgram("openmarket"), ["--home", home.path + "/home", "--lang", "en"], columns: 100, rows: 40)
      // A moment of the start, not a condition to wait for.
      usleep(UInt32(milliseconds) * 1_000)
      program.signal(SIGTERM)
      #expect(try program.exitCode() == 143, "after \(milliseconds) ms")
      #expect(!program.readsKeys && !program.screen.bracketsPaste, "after \(milliseconds) ms")
      #expect(program.modes.c_lflag & tcflag_t(ECHO) != 0, "after \(milliseconds) ms")
    }
  }

  /// With output stopped by Ctrl-S before the first prompt, at it, and while a table is printed, signals still end the
  /// program.
  @Test(arguments: [SIGTERM, SIGHUP], ["start", "prompt", "table"])
  func sigtermWhileOutputIsStoppedExits(_ signal: Int32, _ moment: String) throws {
    let home = try TemporaryHome()
    let program: TerminalProgram
    switch moment {
    case "start":
      program = try TerminalProgram(
        "/bin/sh",
        [
          "-c", "read _ && exec \"$0\" --home \"$1\" --lang en", builtProgram("openmarket"), home.path + "/home",
        ])
      program.stopOutput()
      try program.type("\n")
      try program.wait("its handlers") { $0.catches(SIGTERM) }
      // The handlers are installed just before the first byte that the terminal doesn't accept.
      usleep(100_000)
    default:
      let shell = try TerminalShell(["--lang", "en"], home: home)
      program = shell.program
      program.stopOutput()
      try shell.type(moment == "table" ? "ls\r" : "l")
      usleep(100_000)
    }
    program.signal(signal)
    #expect(try program.exitCode() == 128 + signal)
    program.resumeOutput()
    #expect(!program.readsKeys && program.modes.c_lflag & tcflag_t(ECHO) != 0)
  }

  /// After a trap, an abort in a library or an unhandled signal, only the terminal is restored.
  @Test(arguments: [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGUSR1, SIGALRM])
  func trapRestoresTheTerminal(_ signal: Int32) throws {
    let shell = try shell(at: 1)
    shell.program.signal(signal)
    #expect(try shell.program.exitCode() == 128 + signal)
    #expect(!shell.program.readsKeys && !shell.program.screen.bracketsPaste)
    #expect(shell.program.modes.c_lflag & tcflag_t(ECHO) != 0)
  }

  @Test(arguments: places.indices) func closedWindowExits(_ index: Int) throws {
    let shell = try shell(at: index)
    shell.program.hangUp()
    #expect(try shell.program.exitCode() == 129)
  }

  /// A process that was started for the user ends with the program.
  @Test(arguments: [("PAGER", "ls size 40\r"), ("EDITOR", "edit 138\r")])
  func childProcessEndsWithTheProgram(_ variable: String, _ line: String) throws {
    let home = try TemporaryHome()
    let kept = home.path + "/kept"
    let program = try home.file(
      "program", "stty -echo\necho $$ > \(kept).new\nmv \(kept).new \(kept)\nexec sleep 600\n")
    let shell = try TerminalShell(
      ["--lang", "en"], home: home, environment: [variable: "/bin/sh " + program], rows: 16)
    try shell.type(line)
    try shell.program.wait("the program") { _ in FileManager.default.fileExists(atPath: kept) }
    let child = try #require(
      pid_t(try String(contentsOfFile: kept, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)))
    shell.program.signal(SIGTERM)
    #expect(try shell.program.exitCode() == 143)
    #expect(kill(child, 0) != 0)
    #expect(shell.program.modes.c_lflag & tcflag_t(ECHO) != 0)
  }

  /// A script that waits for its next line, and one that waits for a response.
  @Test func sigtermEndsAWaitingScript() throws {
    let reading = try TerminalProgram(
      builtProgram("openmarket"), ["--home", try TemporaryHome().path + "/home", "-f", "-"])
    try reading.type("echo ready\n")
    try reading.wait("the script") { $0.screen.text.contains("ready\nready") }
    reading.signal(SIGTERM)
    #expect(try reading.exitCode() == 143)
    // A script that is only checked is read from the terminal without a prompt.
    let checking = try TerminalProgram(
      builtProgram("openmarket"), ["--home", try TemporaryHome().path + "/home", "--lang", "en", "--check"])
    try checking.type("shwo 3\n")
    try checking.wait("what is wrong with it") { $0.screen.text.contains("error") }
    checking.signal(SIGTERM)
    #expect(try checking.exitCode() == 143)
    let server = try RecordingServer { _ in nil }
    let asking = try PipedProgram(["--url", server.url, "--api", "open", "--home", "/proc/nonexistent", "-c", "ls"])
    try Waiting.blocking("the request") { !server.requests.isEmpty }
    kill(asking.processID, SIGHUP)
    #expect(try asking.result().code == 129)
  }

  /// SIGHUP of a closed window goes to the session leader.
  ///
  /// If that continues, the program detects the closed terminal itself.
  @Test func closedTerminalIsDetectedWithoutSIGHUP() throws {
    let server = try RecordingServer { _ in nil }
    let home = try TemporaryHome()
    let kept = home.path + "/kept"
    let program = try TerminalProgram(
      "/bin/sh",
      [
        "-c", "trap : HUP; \"$0\" --home \"$1\" --url \"$2\" --api open; echo $? > \"$3\"",
        builtProgram("openmarket"), home.path + "/home", server.url, kept,
      ])
    try program.wait("the prompt") { $0.screen.row.hasSuffix(">") && $0.readsKeys }
    try program.type("ls\r")
    try program.wait("the request") { _ in !server.requests.isEmpty }
    program.hangUp()
    _ = try program.exitCode()
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "129\n")
  }

  /// `nohup`: a program that was started with SIGHUP ignored keeps ignoring it.
  @Test func scriptUnderNohupIgnoresSIGHUP() throws {
    let isSignaled = DispatchSemaphore(value: 0)
    let server = try RecordingServer { request in
      _ = isSignaled.wait(timeout: .now() + 60)
      isSignaled.signal()
      return SmallMarket.answer(request)
    }
    let program = try PipedProgram(
      [
        "-c", "trap '' HUP; exec \"$0\" --url \(server.url) --api open --home /nonexistent -c 'ls columns id as csv'",
        builtProgram("openmarket"),
      ], program: "/bin/sh")
    try Waiting.blocking("the request") { !server.requests.isEmpty }
    kill(program.processID, SIGHUP)
    isSignaled.signal()
    let result = try program.result()
    #expect(result.code == 0 && result.out == "id\n42\n", "\(result)")
  }
}
