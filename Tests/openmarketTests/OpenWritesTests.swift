import Glibc
import Pacing
import TerminalTesting
import Testing

/// Pending writes of an earlier run are reported at the next start, and to another vendor as not theirs.
@Suite(.waiting, .timeLimit(Trial.limit)) struct OpenWritesTests {
  @Test func theNextStartSaysIt() throws {
    let home = try TemporaryHome()
    let server = try RecordingServer { $0.line.hasPrefix("GET ") ? SmallMarket.answer($0) : nil }
    let place = ["--home", home.path + "/home", "--lang", "en", "--url", server.url, "--api", "open"]
    let killed = try PipedProgram(place + ["-c", "patch 42 stock=3 yes"], environment: SmallMarket.vendor)
    try killed.wait("the write") { _ in !server.writes.isEmpty }
    kill(killed.processID, SIGKILL)
    #expect(try killed.result().code == 137)

    let shell = try TerminalShell(
      Array(place.dropFirst(2)), home: home, environment: SmallMarket.vendor.mapValues { $0 }, columns: 100)
    try shell.wait(for: "An earlier run left 1 write open.")
    #expect(shell.program.screen.text.contains("Whether 1 took effect is not known yet."), "\(shell.program.screen)")
    try shell.drop()
    #expect(try shell.leave() == 0)
    let stranger = try openmarket(place + ["-c", "status as csv"])
    #expect(stranger.err.contains("1 open write at this market was made with another identifier."), "\(stranger.err)")
    #expect(stranger.err.contains("Nothing of yours is unfinished or unknown."))
    #expect(server.writes.count == 1)
  }
}
