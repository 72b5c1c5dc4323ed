import Glibc
import Synchronization
import TerminalTesting
import TestSupport
import Testing

/// Pending writes of an earlier run are reported at the next start, and to another vendor as not theirs.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct PendingWritesSummaryTests {
  @Test func nextStartReportsPendingWrites() throws {
    let home = try TemporaryHome()
    let server = try RecordingServer { $0.line.hasPrefix("GET ") ? SmallMarket.answer($0) : nil }
    let place = ["--home", home.path + "/home", "--lang", "en", "--url", server.url, "--api", "open"]
    let killed = try PipedProgram(place + ["-c", "patch 42 stock=3 yes"], environment: SmallMarket.vendor)
    try killed.wait("the write") { _ in !server.writes.isEmpty }
    kill(killed.processID, SIGKILL)
    #expect(try killed.result().code == 137)

    let shell = try TerminalShell(
      Array(place.dropFirst(2)), home: home, environment: SmallMarket.vendor.mapValues { $0 }, columns: 100)
    try shell.wait(for: "An earlier session left 1 pending change.")
    try shell.wait(for: "The outcome of 1 is unknown.")
    try shell.drop()
    #expect(try shell.leave() == 0)
    for line in ["status as csv", "resume"] {
      let stranger = try openmarket(place + ["-c", line])
      let said = stranger.err + stranger.out
      #expect(said.contains("1 pending change here was made as another vendor."), "\(line): \(said)")
      #expect(said.contains("You have no pending changes."), "\(line): \(said)")
    }
    #expect(server.writes.count == 1)
  }

  /// What an earlier process sent is proven not applied by reads, which the server responds to: exit code 1. Attempts
  /// are counted from 1 again.
  @Test func writeProvenNotAppliedExits1() throws {
    let home = try TemporaryHome()
    let isDeaf = Mutex(true)
    let server = try RecordingServer { request in
      guard !request.line.hasPrefix("GET ") else { return SmallMarket.answer(request) }
      return isDeaf.withLock { $0 } ? nil : reply("500 Internal Server Error")
    }
    let place = ["--home", home.path + "/home", "--lang", "en", "--url", server.url, "--api", "open"]
    let killed = try PipedProgram(place + ["-c", "patch 42 stock=3 yes"], environment: SmallMarket.vendor)
    try killed.wait("the write") { _ in !server.writes.isEmpty }
    kill(killed.processID, SIGKILL)
    #expect(try killed.result().code == 137)
    isDeaf.withLock { $0 = false }
    // Only the entry that is named is resumed.
    let other = try openmarket(place + ["-c", "resume 2 yes"], environment: SmallMarket.vendor)
    #expect(other.code == 0 && other.err.contains("Log entry 2 is not pending here."), "\(other)")
    #expect(server.writes.count == 1)
    let sent = try openmarket(place + ["-c", "resume yes"], environment: SmallMarket.vendor)
    #expect(sent.code == 1 && sent.err.contains("attempt 2 of 3.") && !sent.err.contains("4 of 3"), "\(sent)")
  }

  /// Wherever one is, what is open in another profile is said, and the way there; the shell starts in the default profile.
  @Test func pendingWritesOfOtherProfilesAreReported() throws {
    let home = try TemporaryHome()
    let server = try RecordingServer { $0.line.hasPrefix("GET ") ? SmallMarket.answer($0) : nil }
    let at = ["--home", home.path + "/home", "--lang", "en"]
    let added = try openmarket(at + ["-c", "profile add shop url=\(server.url) api=open"])
    #expect(added.code == 0, "\(added.err)")
    let killed = try PipedProgram(
      at + ["--profile", "shop", "-c", "patch 42 stock=3 yes"], environment: SmallMarket.vendor)
    try killed.wait("the write") { _ in !server.writes.isEmpty }
    kill(killed.processID, SIGKILL)
    #expect(try killed.result().code == 137)

    let status = try openmarket(at + ["-c", "status"])
    #expect(
      status.err == """
        warning: 1 change is pending on other servers: shop (1)
          hint: Run `profile shop`, then `status`.
        note: No pending changes on this server.

        """, "\(status.err)")
    #expect(status.code == 0)
    let korean = try openmarket(["--home", home.path + "/home", "--lang", "ko", "-c", "status"])
    #expect(korean.err.contains("다른 서버에 대기 중인 변경이 1건 있습니다: shop (1)"), "\(korean.err)")
    let shell = try TerminalShell([], home: home, columns: 100)
    try shell.wait(for: "1 change is pending on other servers: shop (1)")
    try shell.drop()
    #expect(try shell.leave() == 0)

    let chosen = try openmarket(at + ["-c", "profile default shop"])
    #expect(chosen.err.hasPrefix("note: openmarket starts with profile shop."), "\(chosen.err)")
    let there = try TerminalShell(
      [], home: home, environment: SmallMarket.vendor.mapValues { $0 }, columns: 100)
    try there.wait(for: "Profile shop is the default: \(server.url)")
    try there.wait(for: "An earlier session left 1 pending change.")
    #expect(!there.program.screen.text.contains("on other servers"))
    try there.drop()
    #expect(try there.leave() == 0)
    // A profile that was led elsewhere is not where the write is.
    _ = try openmarket(at + ["-c", "profile default demo"])
    _ = try openmarket(at + ["-c", "profile shop url=https://other.example"])
    let moved = try openmarket(at + ["-c", "status"])
    #expect(
      moved.err.contains("pending on other servers: \(server.url) (1)\n  hint: Run `openmarket --url \(server.url)`"),
      "\(moved.err)")
  }
}
