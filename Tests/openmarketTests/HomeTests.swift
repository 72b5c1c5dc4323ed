import Foundation
import Pacing
import TerminalTesting
import Testing

/// The files of a home, and the behavior without a writable home.
@Suite(.waiting, .timeLimit(Trial.limit)) struct HomeTests {
  @Test func aHomeThatCannotBeWritten() throws {
    let folder = try TemporaryHome()
    let home = try folder.file("file", "not a folder") + "/home"
    let server = try RecordingServer(SmallMarket.answer)
    let options = ["--url", server.url, "--api", "open", "--home", home]
    let read = try openmarket(options + ["-c", "show 42 name as csv"], environment: SmallMarket.vendor)
    #expect(read.out == "name\n우유병 텀블러\n")
    #expect(read.code == 0, "\(read.err)")
    let write = try openmarket(options + ["-c", "patch 42 stock=9 yes"], environment: SmallMarket.vendor)
    #expect(write.code != 0)
    #expect(write.code < 128)
    #expect(write.err.contains("Cannot write to the log"), "\(write.err)")
    #expect(server.writes.isEmpty, "a write that cannot be journalled is not sent")
    let demo = try openmarket(["--home", home, "-c", "ls"])
    #expect(demo.code == 1)
    #expect(demo.err.contains("Cannot write"), "\(demo.err)")
  }

  /// The log is missing although the home had one: every command that needs it says so and fails, and nothing is sent.
  @Test(arguments: ["status", "log", "undo yes", "resume", "patch 42 stock=9 yes"])
  func aLogThatIsMissing(_ line: String) throws {
    let folder = try TemporaryHome()
    let home = folder.path + "/home"
    let server = try RecordingServer(SmallMarket.answer)
    let options = ["--url", server.url, "--api", "open", "--home", home]
    let first = try openmarket(options + ["-c", "patch 42 stock=9 yes"], environment: SmallMarket.vendor)
    let sent = server.writes.count
    #expect(sent > 0, "\(first.err)")
    let logs = try folder.files().keys.filter { $0.contains("/journal.sqlite") }
    #expect(!logs.isEmpty)
    for log in logs { try FileManager.default.removeItem(atPath: folder.path + "/" + log) }
    let run = try openmarket(options + ["-c", line], environment: SmallMarket.vendor)
    #expect(run.code == 4, "\(run.err)")
    #expect(run.err.contains("journal.sqlite"), "\(run.err)")
    #expect(server.writes.count == sent)
  }

  @Test func aSecretIsInOneFileOnly() throws {
    let canary = "canary-7f3a91c2e8"
    let folder = try TemporaryHome()
    let home = folder.path + "/home"
    let secret = try TemporaryHome().file("secret", "")
    try FileManager.default.createDirectory(
      atPath: (secret as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: (secret as NSString).deletingLastPathComponent) }
    try (canary + "\n").write(toFile: secret, atomically: true, encoding: .utf8)
    let server = try RecordingServer { request in
      // The first request of a deletion proves the secret, and deletes nothing.
      if request.line.hasSuffix("/archived") {
        return reply("200 OK", "/api/products/42-of-canary", type: "text/plain")
      }
      return request.line.hasPrefix("GET ")
        ? SmallMarket.answer(request) : reply("400 Bad Request", #"{"code":"X","message":"secret was \#(canary)"}"#)
    }
    let lines = [
      "profile add work url=\(server.url) api=open confirm=never", "profile work",
      "login identifier=4c1f8d60 vendor_id=15 secret=@\(secret)", "whoami", "session", "show 42",
      "patch 42 stock=5 yes", "rm 42 yes", "log", "log 1 as json", "history", "profile", "status",
    ]
    let script = lines.joined(separator: "\n")
    let result = try openmarket(["--home", home, "--keep-going"], input: script)
    #expect(server.writes.contains { $0.text.contains(canary) }, "the secret was used\n\(result.err)")
    #expect(!result.out.contains(canary))
    #expect(!result.err.contains(canary))
    let holders = try folder.files().filter { $0.value.range(of: Data(canary.utf8)) != nil }.keys
    #expect(Array(holders) == ["home/config/credentials.toml"])
    let kept = try FileManager.default.attributesOfItem(atPath: home + "/config/credentials.toml")
    #expect(kept[.posixPermissions] as? Int == 0o600)
  }
}
