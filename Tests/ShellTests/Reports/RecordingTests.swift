import Catalog
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// `calls … to FILE.har` and `--replay`: a session in a file that answers for itself, without a network and a secret.
@Suite(.timeLimit(Trial.limit)) struct RecordingTests {
  private static let lines = [
    "ls size 3", "show 12 as json", "patch 12 stock=35 yes", "show 12 stock", "undo yes",
    "new name='우유병 텀블러' description='보온이 잘 되는 텀블러입니다' price=3500 currency=KRW images=~/cup.png yes",
    "show _ name price as json", "rm 12,138 yes", "show 12", "get /nothing", "raw POST /api/products a=1 yes",
    "weather 37.57 126.98 as json", "ls all where stock<3 as jsonl",
  ]

  /// All data is replayed byte for byte in every edition, without requests to the server.
  @Test(arguments: Edition.allCases) func replayPrintsTheSameBytes(_ edition: Edition) async throws {
    let file = NSTemporaryDirectory() + "openmarket-recording-" + UUID().uuidString + ".har"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let lines = RecordingTests.lines.filter { edition == .open || !$0.hasPrefix("rm") }
    let recorded = Mutex<[String]>([])
    try await Sandbox.with(options: options(edition), edition: served(edition)) { sandbox in
      try sandbox.writePictures()
      for line in lines {
        let said = await sandbox.data(line).data
        recorded.withLock { $0.append(said) }
      }
      #expect(await sandbox.run("calls session to \(file)").hasPrefix("! Saved to "))
    }
    try noSecret(in: file)
    let replay = try Replay(file)
    defer { replay.end() }
    try await Sandbox.with(options: options(edition), adjusting: { $0 = replay.replaying($0) }) { sandbox in
      try sandbox.writePictures()
      for (line, wanted) in zip(lines, recorded.withLock { $0 }) {
        let said = await sandbox.data(line)
        #expect(said.data == wanted, "\(edition): \(line)\n\(said.all)")
      }
      #expect(await sandbox.run("show 999").hasPrefix("! error: The recording has no response for GET /"))
      #expect(await sandbox.run("show 999").hasSuffix("= 3\n"))
      #expect(try sandbox.log().isEmpty, "a replay writes into no journal but its own")
    }
  }

  @Test(arguments: [
    ("", "It has no entries."), ("[]", "It has no entries."), (#"{"log":{"entries":[]}}"#, "It has no entries."),
    (#"{"log":{"entries":[{"request":{"method":"GET"}}]}}"#, "Entry 1 cannot be read."),
    (entry(start: "0000-00-00"), "Entry 1 cannot be read."), (entry(start: "12000-01-01"), "Entry 1 cannot be read."),
    (entry(url: "products/7"), "Entry 1 cannot be read."),
  ])
  func fileThatIsNoArchiveIsRefused(_ text: String, _ reason: String) throws {
    let file = NSTemporaryDirectory() + "openmarket-recording-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Files.write(Data(text.utf8), to: file)
    do {
      _ = try Recording(file)
      Issue.record("taken for an archive")
    } catch let failure as CommandError {
      #expect(failure.exitStatus == .usageError)
      #expect(failure.message.reasons.first?.english.plain == reason)
    }
  }

  /// An archive of a browser: other members, a time with an offset, pictures in base64, a body left out, a failure.
  @Test func browserArchiveIsRead() throws {
    let recording = try Recording(Golden("browser.har", in: "Captures").path)
    #expect(recording.baseURL.absoluteString == "http://127.0.0.1:8080")
    #expect(recording.edition == nil && recording.vendorID == nil && !recording.isEmbedded)
    #expect(recording.startedAt.timeIntervalSince1970 == 1_669_852_800)
    let json = Response(
      status: 200, headers: [HeaderField("Content-Type", "application/json")], body: Data("{\"pages\":[]}".utf8))
    let missing = TransportError.Reason.notRecorded("GET http://127.0.0.1:8080/b.png")
    #expect(
      recording.exchanges.map(\.outcome) == [
        .success(json), .success(Response(status: 200, body: Data(base64Encoded: "iVBORw0KGgo=") ?? Data())),
        .failure(TransportError(missing, extent: .none)),
        .failure(TransportError(.other("net::ERR_ABORTED"), extent: .complete)),
      ])
    #expect(recording.exchanges.map(\.key.body) == ["", "", "", "name=cup\nfile"])
  }

  private static func entry(start: String = "2022-12-01T00:00:00Z", url: String = "http://127.0.0.1:1/") -> String {
    #"{"log":{"entries":[{"startedDateTime":"\#(start)","request":{"method":"GET","url":"\#(url)"},"response":{"status":200}}]}}"#
  }

  /// Browsers archive what no server answered; it is skipped with one note, and is not the address of the archive.
  @Test(arguments: ["data:image/png;base64,AA", "blob:https://x.example/1", "about:blank", "WSS://x.example/s"])
  func entriesOfOtherSchemesAreSkipped(_ url: String) throws {
    func element(_ url: String) -> Substring {
      RecordingTests.entry(url: url).dropFirst(#"{"log":{"entries":["#.count).dropLast("]}}".count)
    }
    let entries = [element(url), element("http://127.0.0.1:1/a"), element(url)].joined(separator: ",")
    let file = NSTemporaryDirectory() + "openmarket-skipped-" + UUID().uuidString + ".har"
    defer { try? FileManager.default.removeItem(atPath: file) }
    try Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8).write(to: URL(fileURLWithPath: file))
    let recording = try Recording(file)
    #expect(recording.exchanges.count == 1 && recording.baseURL.absoluteString == "http://127.0.0.1:1")
    let note = try #require(try Replay(file).note)
    #expect(note.what.english.plain.hasPrefix("Skipped 2 entries"), "\(note)")
  }

  /// The outcomes of one request come in their order.
  @Test func responsesAreReplayedInOrder() async throws {
    let base = try #require(URL(string: "http://127.0.0.1:1"))
    let request = Request(.get, ["x"])
    let outcomes: [Result<Response, TransportError>] = [
      .success(Response(status: 200, headers: [HeaderField("A", "b")], body: Data([0xFF, 0]))),
      .failure(TransportError(.nameNotFound(host: "h"), extent: .none)),
      .failure(TransportError(.connectionClosed, extent: .complete)),
      .success(Response(status: 500, body: Data("no".utf8))),
    ]
    let key = RequestKey(request, to: base)
    let transport = ReplayTransport(outcomes.map { RecordedExchange(key: key, outcome: $0) })
    for outcome in outcomes {
      let answer: Result<Response, TransportError>
      do {
        answer = .success(try await transport.send(request, to: base, with: SendOptions(deadline: .seconds(1))))
      } catch {
        answer = .failure(try #require(error as? TransportError))
      }
      #expect(answer == outcome)
    }
    await #expect(throws: TransportError(.notRecorded("GET /y"), extent: .none)) {
      try await transport.send(Request(.get, ["y"]), to: base, with: SendOptions(deadline: .seconds(1)))
    }
  }

  /// The number of reads doesn't matter, but their position between writes does.
  ///
  /// No write is replayed twice.
  @Test func readsAreAnsweredByTheirPositionBetweenWrites() async throws {
    let base = try #require(URL(string: "http://127.0.0.1:1"))
    let (page, one, other) = (Request(.get, ["p"]), Request(.get, ["p", "1"]), Request(.get, ["p", "2"]))
    let write = Request(.patch, ["p", "1"], body: .json(.object([("a", .int(1))])))
    let told: [(Request, String)] = [
      (one, "old"), (one, "old again"), (other, "other"), (page, "old page"), (write, "written"), (one, "new"),
    ]
    let transport = ReplayTransport(
      told.map {
        RecordedExchange(
          key: RequestKey($0, to: base), outcome: .success(Response(status: 200, body: Data($1.utf8))))
      })
    var said: [String] = []
    for request in [one, write, one, one, other, page, one] {
      said.append(
        String(
          decoding: try await transport.send(request, to: base, with: SendOptions(deadline: .seconds(1))).body,
          as: UTF8.self))
    }
    #expect(said == ["old", "written", "new", "new", "other", "old page", "new"])
    await #expect(throws: TransportError.self) {
      try await transport.send(write, to: base, with: SendOptions(deadline: .seconds(1)))
    }
  }

  private func noSecret(in file: String) throws {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let vendor = EmbeddedMarket.demoVendor
    for secret in [vendor.secret, vendor.identifier] {
      #expect(!text.contains(secret) && !text.contains(Data(secret.utf8).base64EncodedString()))
    }
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o077 == 0)
  }

  private func options(_ edition: Edition) -> SessionOptions {
    var options = SessionOptions()
    options.edition = edition
    return options
  }

  private func served(_ edition: Edition) -> ServedEdition { ServedEdition(rawValue: edition.rawValue) ?? .open }
}
