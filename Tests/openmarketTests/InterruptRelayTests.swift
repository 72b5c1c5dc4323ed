import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Ctrl-C while a command is blocked where it doesn't look for a cancellation, here in a write that nobody reads: the
/// first one is without effect, the second one ends the program, with its terminal restored.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct InterruptRelayTests {
  /// `-c` with a full pipe for its output.
  @Test func secondInterruptEndsABlockedLine() throws {
    let home = try TemporaryHome()
    let pipe = try Spawn.pipe()
    defer {
      close(pipe.readEnd)
      close(pipe.writeEnd)
    }
    let program = builtProgram("openmarket")
    let errors = try home.file("errors", "")
    let (id, problem) = Spawn.start(
      program,
      [
        program, "--home", home.path + "/home", "--lang", "en", "-c",
        Array(repeating: "help all", count: 50).joined(separator: "; "),
      ],
      environment: ["LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "HOME=/nonexistent"]
    ) { actions in
      posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd, STDOUT_FILENO)
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY, 0)
    }
    try #require(problem == 0)
    var status: Int32 = 0
    defer {
      if kill(id, 0) == 0 {
        kill(id, SIGKILL)
        waitpid(id, &status, 0)
      }
    }
    // The pipe, of 64 KiB, is full when it has most of that and nothing is added for a while, also on a busy machine.
    var (held, before): (Int32, Int32) = (0, -1)
    var equal = 0
    while held < 32_768 || equal < 6 {
      before = held
      usleep(250_000)
      _ = ioctl(pipe.readEnd, UInt(FIONREAD), &held)
      equal = held == before ? equal + 1 : 0
    }
    // Two signals at once may be one, so that a third one is sent as a user would.
    try Waiting.blocking("the end") {
      kill(id, SIGINT)
      usleep(250_000)
      return waitpid(id, &status, WNOHANG) == id
    }
    #expect(status & 0x7F == 0 && (status >> 8) & 0xFF == 130)
    let said = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(said == "note: Exiting: the command did not stop after Ctrl-C.\n")
  }

  /// At a terminal whose output is stopped.
  @Test func secondInterruptRestoresTheTerminal() throws {
    let shell = try TerminalShell(["--lang", "en"])
    // The output is stopped while the command runs: the editor would be blocked by its own output before.
    try shell.type("watch 1 show 3 id\r")
    try shell.wait(for: "id  3")
    shell.program.stopOutput()
    try Waiting.blocking("the end") {
      shell.program.signal(SIGINT)
      usleep(250_000)
      return shell.program.hasEnded
    }
    #expect(try shell.program.exitCode() == 130)
    shell.program.resumeOutput()
    #expect(!shell.program.readsKeys && shell.program.modes.c_lflag & tcflag_t(ECHO) != 0)
  }
}
