import EmbeddedMarket
import Foundation
import History
import Networking
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `calls`: every exchange is stored, shown, compared and, if it reads, sent again.
@Suite(.timeLimit(Trial.limit)) struct CallsCommandTests {
  @Test func transcriptOfCalls() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      try await Transcript("Requests/calls").check(in: sandbox)
      let archive = try JSON(parsing: FileManager.default.contents(atPath: sandbox.folder + "/session.har") ?? Data())
      #expect(HARChecker().problems(of: archive) == [])
      #expect((archive.object?["log"]?.object?["entries"]?.array?.count ?? 0) > 7)
    }
  }

  /// Without a number the last call is meant.
  @Test func lastCallNeedsNoNumber() async throws {
    try await Sandbox.with { sandbox in
      for id in [138, 132] { _ = await sandbox.run("show \(id) stock") }
      let shown = await sandbox.run("calls show")
      #expect(shown.contains("GET http://market/api/products/132"), "\(shown)")
      #expect(await sandbox.run("calls show 2") == shown)
      #expect(await sandbox.run("calls curl") == sandbox.run("calls curl 2"))
    }
  }

  /// The picture of a recorded create is read from the journal, and must be supplied if it is no longer there.
  @Test func printedCreateNamesAFileThatExists() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      _ = await sandbox.run(
        "new name='a lamp' description='a lamp of brass' price=3500 currency=KRW images=~/cup.png yes")
      let number = try #require(
        await sandbox.exactly("calls where method=POST as json").firstMatch(of: /"n":([0-9]+)/)
      ).1
      let script = await sandbox.exactly("calls curl \(number)")
      let answer = try await Sh.run(script.replacing(/^curl/, with: "curl -fsS"))
      #expect(answer.status == 0, "\(script)\n\(answer.error)")
      #expect(await sandbox.run("show 143 name as json") == "{\"name\":\"a lamp\"}\n")
      let blobs = sandbox.home.journalFolder + "/blobs"
      for name in try FileManager.default.contentsOfDirectory(atPath: blobs) {
        try FileManager.default.removeItem(atPath: blobs + "/" + name)
      }
      for command in ["calls curl \(number)", "log curl 1"] {
        let said = await sandbox.run(command)
        #expect(said.contains("! note: The log no longer has the file SUPPLY-THIS-FILE-"), "\(said)")
        #expect(said.contains("'images=@\"SUPPLY-THIS-FILE-"), "\(said)")
        #expect(said.contains("filename="), "\(said)")
      }
    }
  }

  /// The archive contains no secret of a request or a response, in any output.
  @Test func archiveContainsNoSecret() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writePictures()
      let vendor = EmbeddedMarket.demoVendor
      try sandbox.writeFile("key", "canary-key-0451")
      for line in [
        "new name='우유병 텀블러' description='보온이 잘 되는 텀블러입니다' price=3500 currency=KRW images=~/cup.png yes",
        "patch _ stock=5 yes", "rm _ yes", "undo yes", "get /api/products authorization:@~/key auth",
        "raw POST /api/echo secret=@~/key yes",
      ] {
        _ = await sandbox.run(line)
      }
      _ = await sandbox.run("calls 1")
      let store = ExchangeStore(at: sandbox.home.callsFile)
      let calls = try store.list(limit: .max)
      #expect(calls.count > 7)
      var hashes = 0
      for call in calls {
        let text = try #require(try store.call(call.number, now: 0)).content
        let words = String(decoding: text, as: UTF8.self) + call.path + call.base
        for secret in [vendor.secret, vendor.identifier, "canary-key-0451"] {
          #expect(!words.contains(secret), "\(call.method) \(call.path): \(words)")
        }
        if words.contains("\"sha256\":") { hashes += 1 }
      }
      #expect(hashes > 0)
      let said = await sandbox.exactly("calls as jsonl") + sandbox.exactly("calls as har")
      #expect(!said.contains(vendor.secret) && !said.contains("canary-key-0451"))
    }
  }

  /// A problem of the file is reported once, and every command succeeds.
  @Test func corruptCallsFileWarnsOnce() async throws {
    try await Sandbox.with { sandbox in
      try Files.createDirectory(sandbox.home.state)
      try sandbox.writeFile("state/calls.sqlite", String(repeating: "no database ", count: 1000))
      var said: [String] = []
      for _ in 0..<6 { said.append(await sandbox.run("ls size 1 columns id as csv")) }
      #expect(said.allSatisfy { $0.contains("id\n") && !$0.contains("= ") })
      // Recording runs in the background, so the command that reports the problem isn't determined.
      _ = await sandbox.run("calls")
      said.append(await sandbox.run("ls size 1 columns id as csv"))
      #expect(said.filter { $0.contains("Some calls of this session could not be saved.") }.count <= 1)
      let last = await sandbox.run("calls")
      #expect(last.hasPrefix("! error: Cannot read the recorded calls.") && last.hasSuffix("= 1\n"), "\(last)")
    }
  }

  /// Bodies are stored at up to 1 MB a second after the first 256 KB; beyond that everything but the body.
  @Test func bodiesAreStoredAtALimitedRate() async throws {
    try await Sandbox.with { sandbox in
      let keeper = CallRecorder(at: sandbox.folder + "/cost/calls.sqlite", secrets: SecretRegistry())
      keeper.configure(try sandbox.reopened())
      let (count, size) = (100, 100_000)
      let start = ContinuousClock.now
      for number in 0..<count {
        let request = Request(.get, ["api", "products", "\(number)"])
        let reply = Response(
          status: 200, headers: [HeaderField("Content-Type", "text/plain")],
          body: Data(repeating: UInt8(ascii: "a"), count: size))
        keeper.record(
          Exchange(request: request, base: sandbox.url, outcome: .success(reply), duration: .milliseconds(2)))
      }
      let seconds = start.duration(to: .now) / .seconds(1)
      await keeper.flush()
      let archive = try keeper.archive()
      let calls = try archive.list(limit: .max)
      let body = Data(repeating: UInt8(ascii: "a"), count: 1_000)
      let stored = try calls.count { try archive.call($0.number, now: 0)?.content.firstRange(of: body) != nil }
      #expect(calls.count == count && calls.allSatisfy { $0.size == size && $0.status == 200 })
      #expect(stored >= 2 && Double((stored - 1) * size) <= Double(1 << 18) + seconds * Double(1 << 20), "\(stored)")
    }
  }

  /// A command only queues its exchanges.
  ///
  /// A long run prints the duration of that and of the rest.
  @Test func recordingDelaysACommandBriefly() async throws {
    try await Sandbox.with { sandbox in
      let keeper = CallRecorder(at: sandbox.folder + "/cost/calls.sqlite", secrets: SecretRegistry())
      keeper.configure(try sandbox.reopened())
      let count = Trial.count(50, long: 5_000)
      let request = Request(.get, ["api", "products"], query: [QueryItem("page_no", "1")])
      let page = Data(String(repeating: #"{"id":1,"name":"우유병 텀블러","price":3500.0},"#, count: 200).utf8)
      let reply = Response(status: 200, headers: [HeaderField("Content-Type", "application/json")], body: page)
      let start = ContinuousClock.now
      for _ in 0..<count {
        keeper.record(
          Exchange(request: request, base: sandbox.url, outcome: .success(reply), duration: .milliseconds(2)))
      }
      let noted = start.duration(to: .now) / .microseconds(1)
      await keeper.flush()
      let written = start.duration(to: .now) / .microseconds(1)
      Trial.printInLongRun(
        "a call of \(page.count) bytes: \(noted / Double(count)) us for the command, \(written / Double(count)) us until it is written"
      )
      #expect(try keeper.archive().list(limit: .max).count == count)
      #expect(keeper.takeWarning() == nil)
    }
  }
}
