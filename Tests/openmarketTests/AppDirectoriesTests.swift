import Foundation
import TerminalTesting
import TestSupport
import Testing

/// The files of a home, and the behavior without a writable home.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct AppDirectoriesTests {
  @Test func unwritableHomeIsReported() throws {
    let folder = try TemporaryHome()
    let home = try folder.file("file", "not a folder") + "/home"
    let server = try RecordingServer(SmallMarket.answer)
    let options = ["--url", server.url, "--api", "open", "--home", home]
    let read = try openmarket(options + ["-c", "show 42 name as csv"], environment: SmallMarket.vendor)
    #expect(read.out == "name\n우유병 텀블러\n")
    #expect(read.code == 0, "\(read.err)")
    let write = try openmarket(options + ["-c", "patch 42 stock=9 yes"], environment: SmallMarket.vendor)
    #expect(write.code == 4)
    #expect(write.err.contains("Cannot write to the log"), "\(write.err)")
    #expect(server.writes.isEmpty, "a write that cannot be journalled is not sent")
    let demo = try openmarket(["--home", home, "-c", "ls"])
    #expect(demo.code == 1)
    let doctor = try openmarket(options + ["-c", "doctor"], environment: SmallMarket.vendor)
    #expect(
      doctor.out.matches(of: #/(?m)^(log|calls|saved versions) +problem .*Not a directory/#).count == 3, "\(doctor.out)"
    )
    #expect(demo.err.contains("Cannot write") && demo.err.contains("--home DIR"), "\(demo.err)")
  }

  /// A log whose folder or file is protected is read, and nothing is sent. Root obeys that without its capabilities.
  @Test(
    .enabled(if: Trial.runs(with: "setpriv"), "setpriv is not installed"),
    arguments: [("", 0o500), ("/journal.sqlite", 0o400)])
  func unwritableLogIsReadAndNothingIsSent(_ file: String, _ mode: mode_t) throws {
    let folder = try TemporaryHome()
    let home = folder.path + "/home"
    let server = try RecordingServer(SmallMarket.answer)
    let options = ["--url", server.url, "--api", "open", "--home", home, "-c"]
    let first = try openmarket(options + ["patch 42 stock=9 yes"], environment: SmallMarket.vendor)
    let sent = server.writes.count
    #expect(sent > 0, "\(first.err)")
    let path = home + "/state/journal" + file
    chmod(path, mode)
    defer { chmod(path, 0o700) }
    func run(_ line: String) throws -> PipedProgram.Result {
      let starter = geteuid() == 0 ? ["/usr/bin/setpriv", "--inh-caps=-all", "--bounding-set=-all", "--"] : []
      let words = starter + [builtProgram("openmarket")] + options + [line]
      return try PipedProgram(Array(words.dropFirst()), environment: SmallMarket.vendor, program: words[0]).result()
    }
    let log = try run("log as csv")
    #expect(log.code == 0 && log.out.contains(",patch,42,"), "\(log)")
    let write = try run("patch 42 stock=8 yes")
    #expect(write.code == 4 && write.err.contains("Permission denied. Nothing was sent."), "\(write)")
    #expect(server.writes.count == sent)
  }

  /// The log is missing although the home had one: every command that needs it says so and fails, and nothing is sent.
  @Test(arguments: ["status", "log", "undo yes", "resume", "patch 42 stock=9 yes"])
  func missingLogIsReportedAndNothingIsSent(_ line: String) throws {
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
    #expect(run.code == 5, "\(run.err)")
    #expect(run.err.contains("journal.sqlite"), "\(run.err)")
    #expect(server.writes.count == sent)
  }

  /// Whatever the umask, everything in the home is for its user alone.
  @Test func everyFileOfAHomeIsPrivate() throws {
    let folder = try TemporaryHome()
    let home = folder.path + "/home"
    let server = try RecordingServer { request in
      request.line.hasSuffix("/archived")
        ? reply("200 OK", "/api/products/42-of-secret", type: "text/plain") : SmallMarket.answer(request)
    }
    let secret = try folder.file("secret", "a secret\n")
    let lines = [
      "profile add work url=\(server.url) api=open", "alias cheap = ls where price<10000", "set pager off", "ls size 3",
      "show 138", "snapshot before", "new from weekly", "patch 138 stock=7 yes", "undo yes", "rm 120 yes",
      "sale 42 10% from 2030-11-29 to 2030-12-01", "pull \(folder.path)/shop 138", "copy 138 to work yes",
      "image 138", "show 138 to \(folder.path)/out.json", "profile work",
      "login identifier=a vendor_id=15 secret=@\(secret)",
      "profile demo", "rm 139 yes", "expect \(folder.path)/kept.txt",
    ]
    let script = try folder.file("script", lines.joined(separator: "\n") + "\n")
    let result = try PipedProgram(
      ["-c", "umask 0; exec \"$0\" --home \(home) --keep-going -f \(script)", builtProgram("openmarket")],
      program: "/bin/sh"
    ).result()
    let names = try FileManager.default.subpathsOfDirectory(atPath: home)
    for part in [
      "aliases.market", "profiles.toml", "credentials.toml", "versions.sqlite", "calls.sqlite", "journal.sqlite",
      "sales/",
      "market.sqlite",
    ] {
      #expect(names.contains { $0.contains(part) }, "\(part): \(names)\n\(result.err)")
    }
    for name in names + [""] {
      let facts = try FileManager.default.attributesOfItem(atPath: home + "/" + name)
      let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
      #expect(facts[.posixPermissions] as? Int == (isFolder ? 0o700 : 0o600), "\(name)")
    }
  }

  /// The same for the files of a server.
  @Test func everyFileOfAServerIsPrivate() throws {
    let folder = try TemporaryHome()
    let home = folder.path + "/home"
    let server = try PipedProgram(
      [
        "-c", "umask 0; exec \"$0\" serve --port 0 --tls self --vendors 2 --home \(home)", builtProgram("openmarket"),
      ], program: "/bin/sh")
    _ = try server.output { $0.contains("\ncurl ") && $0.hasSuffix("\n") }
    let names = try FileManager.default.subpathsOfDirectory(atPath: home)
    #expect(names.contains { $0.hasSuffix("market.sqlite") } && names.contains { $0.hasSuffix("certificate.key") })
    for name in names + [""] {
      let facts = try FileManager.default.attributesOfItem(atPath: home + "/" + name)
      let isFolder = facts[.type] as? FileAttributeType == .typeDirectory
      let isPublic = name.hasSuffix("certificate.pem")
      let modes = isFolder ? [0o700] : isPublic ? [0o600, 0o644] : [0o600]
      #expect(modes.contains(facts[.posixPermissions] as? Int ?? 0), "\(name)")
    }
    kill(server.processID, SIGTERM)
    _ = try server.result()
  }

  @Test func secretIsInTheCredentialsFileOnly() throws {
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
