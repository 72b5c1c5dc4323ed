import CommandLanguage
import EmbeddedMarket
import Foundation
import MarketAPI
import Networking
import OrderedCollections
import Platform
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// `raw` with servers that reject, don't respond, or respond wrongly: one request is sent, the outcome is true, and no
/// secret is stored.
@Suite(.timeLimit(Trial.limit)) struct RawCommandTests {
  @Test(arguments: [
    ("raw POST /x a=1 yes", "200 OK", "", "done"), ("raw POST /x a=1 yes", "204 No Content", "", "done"),
    ("raw PUT /x a=1 yes", "422 No", "= 1", "refused"), ("raw DELETE /x yes", "500 Oh", "= 5", "unknown"),
    ("raw PATCH /x a=1 yes", "303 There", "= 5", "unknown"), ("raw POST /x a=1 yes", "429 Wait", "= 1", "refused"),
  ])
  func responseDecidesTheOutcome(_ line: String, _ status: String, _ code: String, _ outcome: String) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"))
    try await Sandbox.with(options: options(server)) { sandbox in
      let said = await sandbox.run(line)
      #expect(code.isEmpty ? !said.contains("\n= ") : said.hasSuffix(code + "\n"), "\(said)")
      let log = await sandbox.run("log 1 as json")
      #expect(log.contains("\"action\":\"raw\"") && log.contains("\"outcome\":\"\(outcome)\""), "\(log)")
      #expect(server.requests.count == 1)
    }
    await server.stop()
  }

  /// The transport would replace them, and the preview would show what isn't sent.
  @Test(arguments: [
    ("raw POST /x Content-Length:3 a=1", "Content-Length"),
    ("raw POST /x transfer-encoding:chunked a=1", "transfer-encoding"),
    ("curl raw POST /x Content-Length:3 a=1", "Content-Length"), ("get /x connection:close", "connection"),
    ("raw GET /x Content-Length:@length.txt", "Content-Length"),
  ])
  func headerOfTheTransportIsRefused(_ line: String, _ name: String) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    try await Sandbox.with(options: options(server)) { sandbox in
      let said = await sandbox.run(line)
      #expect(said.replacing("`", with: "").contains("The header \(name) cannot be set."), "\(said)")
      #expect(server.requests.isEmpty)
    }
    await server.stop()
  }

  @Test func interruptedRequestIsUnknownAndNotRetried() async throws {
    let server = try await TinyServer(always: .close)
    try await Sandbox.with(options: options(server)) { sandbox in
      let said = await sandbox.run("raw POST /x a=1 yes")
      #expect(said.contains("outcome is unknown") && said.hasSuffix("= 5\n"), "\(said)")
      _ = await sandbox.run("resume yes")
      #expect(server.requests.count { $0.hasPrefix("POST") } == 1)
    }
    await server.stop()
  }

  @Test func refusedConnectionSendsNothing() async throws {
    var options = SessionOptions()
    options.url = "http://127.0.0.1:1"
    try await Sandbox.with(options: options) { sandbox in
      let said = await sandbox.run("raw POST /x a=1 yes")
      #expect(said.hasSuffix("= 3\n"), "\(said)")
      #expect(await sandbox.run("log 1 as json").contains("\"outcome\":\"not-sent\""))
      #expect(await sandbox.run("get /x").hasSuffix("= 3\n"))
    }
  }

  @Test func readOnlySessionRefusesRaw() async throws {
    var options = SessionOptions()
    options.readOnly = true
    try await Sandbox.with(options: options) { sandbox in
      #expect(await sandbox.run("raw POST /x a=1 yes").hasSuffix("= 4\n"))
      #expect(await sandbox.run("raw GET /healthChecker").contains("\"OK\""))
      #expect(await sandbox.run("curl raw POST /x a=1 yes").contains("-X POST"))
    }
  }

  /// A secret from a file is sent, and doesn't appear on the screen, in the log or in the journal.
  @Test func secretFromAFileIsSentAndNotStored() async throws {
    try await Sandbox.with { sandbox in
      let vendor = EmbeddedMarket.demoVendor
      try Files.write(Data((vendor.secret + "\n").utf8), to: sandbox.folder + "/secret.txt", mode: 0o600)
      var said = await sandbox.run("trace raw PATCH /api/products/12 price=1000 secret=@~/secret.txt auth yes")
      #expect(said.contains("\"price\": 1000.0") && said.contains("\"secret\":\"•••\""), "\(said)")
      #expect(await sandbox.run("show 12 price as json") == "{\"price\":1000}\n")
      said += await sandbox.exactly("curl raw PATCH /api/products/12 price=1 secret=@~/secret.txt auth")
      #expect(said.contains("\"$OPENMARKET_SECRET\""))
      said += await sandbox.run("log show 1")
      #expect(!said.contains(vendor.secret))
      try keptNowhere(vendor.secret, sandbox)
    }
  }

  @Test(arguments: [
    ("비밀 번호", "raw POST /x secret=@~/f yes"), ("two words", "raw POST /x secret=@~/f yes"),
    ("two words", "raw POST /x password=@~/f yes"), ("two words", "raw POST /x a=1 x-secret:@~/f yes"),
    ("두 낱말", "raw POST /x @~/f yes"),
  ])
  func anyOneLineSecretIsSentAndMasked(_ secret: String, _ line: String) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    try await Sandbox.with(options: options(server)) { sandbox in
      try sandbox.writeFile("f", line.contains(" @~") ? "{\"secret\":\"\(secret)\"}" : secret)
      let said = await sandbox.run(line) + (await sandbox.run("log show 1"))
      #expect(server.requests.count == 1)
      #expect(!said.contains(secret), "\(said)")
      try keptNowhere(secret, sandbox)
    }
    await server.stop()
  }

  /// A secret that could break out of a line isn't sent.
  @Test(arguments: [
    ("tab\tinside", "raw POST /x secret=@~/f yes"), ("tab\tinside", "raw GET /x password=@~/f"),
    ("{\"secret\":\"two\\nlines\"}", "raw POST /x @~/f yes"),
  ])
  func unmaskableSecretIsNotSent(_ content: String, _ line: String) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    try await Sandbox.with(options: options(server)) { sandbox in
      try sandbox.writeFile("f", content)
      let said = await sandbox.run(line)
      #expect(said.hasPrefix("! error: The secret contains characters that cannot be sent.\n"), "\(said)")
      #expect(said.hasSuffix("= 2\n"), "\(said)")
      #expect(server.requests.isEmpty)
      #expect(try sandbox.log().isEmpty)
    }
    await server.stop()
  }

  @Test(arguments: [
    ("authorization", "Bearer canary-5f3b"), ("authorization", "canary-5f3b"), ("x-api-key", "canary-5f3b"),
    ("cookie", "a=canary-5f3b; b=canary-5f3b"),
  ])
  func headerKeysAreSentAndMasked(_ name: String, _ value: String) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    try await Sandbox.with(options: options(server)) { sandbox in
      try sandbox.writeFile("f", value)
      let said = await sandbox.run("raw POST /x a=1 \(name):@~/f yes") + sandbox.run("log show 1")
      #expect(server.requests.first?.contains(value) == true)
      #expect(said.contains("•••") && !said.contains("canary-5f3b"), "\(said)")
      try keptNowhere("canary-5f3b", sandbox)
    }
    await server.stop()
  }

  /// The deletion token is a secret in both requests, also if the user types them.
  @Test(arguments: [(Edition.open, "archived"), (Edition.training, "secret")])
  func deletionTokenIsNotStored(_ edition: Edition, _ word: String) async throws {
    var options = SessionOptions()
    options.edition = edition
    try await Sandbox.with(options: options, edition: ServedEdition(rawValue: edition.rawValue) ?? .open) { sandbox in
      try sandbox.writeFile("secret.txt", EmbeddedMarket.demoVendor.secret)
      let answer = await sandbox.data("raw POST /api/products/12/\(word) secret=@~/secret.txt auth yes").data
      let text = answer.trimmingCharacters(in: .whitespacesAndNewlines)
      let key = String(try #require(text.split(separator: "/").last))
      #expect(key.utf8.count > 30, "\(answer)")
      let path = text.hasPrefix("/") ? text : "/api/products/12/" + text
      var said = await sandbox.exactly("raw DELETE '\(path)' auth yes note 'with \(key)'")
      #expect(said.contains("HTTP/1.1 20"), "\(said)")
      #expect(await sandbox.run("show 12").hasSuffix("= 1\n"))
      said += await sandbox.exactly("log as json") + sandbox.exactly("log as har") + sandbox.exactly("log show 1")
      said += await sandbox.exactly("log show 2")
      #expect(said.contains("DELETE /api/products/") && !said.contains(key), "\(said)")
      let archive = await sandbox.exactly("calls session as har")
      #expect(archive.contains("DELETE") && !archive.contains(key), "\(archive)")
      try keptNowhere(key, sandbox)
    }
  }

  /// The id of a product isn't a secret and is shown.
  @Test func productIDIsNotMasked() async throws {
    try await Sandbox.with { sandbox in
      #expect(await sandbox.exactly("curl raw DELETE /api/products/12").contains("/api/products/12'"))
      #expect(await sandbox.exactly("curl raw DELETE '/api/products/MTJ8eA=='").contains("$OPENMARKET_DELETE_TOKEN"))
    }
  }

  @Test func terminalGetsNoBinaryData() async throws {
    try await Sandbox.with(width: 80) { sandbox in
      // On a terminal it is indented and colored.
      let page = await sandbox.exactly("show 12 as json").replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      let address = try #require(page.firstMatch(of: #/"thumbnail": ?"http:\/\/[^\/]*([^"]*)"/#)).output.1
      let said = await sandbox.run("get \(address)")
      #expect(said.contains("Cannot display") && said.contains("of image/jpeg"), "\(said)")
      #expect(said.hasSuffix("= 1\n"))
    }
  }

  @Test func pictureResponseIsBytesOrAFile() async throws {
    try await Sandbox.with { sandbox in
      let page = await sandbox.exactly("show 12 as json")
      let address = try #require(page.firstMatch(of: #/"thumbnail":"http:\/\/[^\/]*([^"]*)"/#)).output.1
      // A program receives it byte for byte.
      _ = await sandbox.run("get \(address) | cat > \(sandbox.folder)/piped.jpg")
      let piped = FileManager.default.contents(atPath: sandbox.folder + "/piped.jpg")
      #expect(piped == (try await sandbox.picture(at: sandbox.url.absoluteString + address)))
      _ = await sandbox.run("get \(address) to ~/a.jpg")
      let saved = FileManager.default.contents(atPath: sandbox.folder + "/a.jpg")
      #expect(saved == (try await sandbox.picture(at: sandbox.url.absoluteString + address)))
    }
  }

  @Test func hostileResponsesAreSanitized() async throws {
    let body = "\u{1B}]0;owned\u{7}\u{9B}2J\u{202E}text"
    let server = try await TinyServer(
      always: .say(
        "HTTP/1.1 200 OK\r\nX-Evil: a\u{9B}2Jb\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body))
    try await Sandbox.with(options: options(server), width: 80) { sandbox in
      let said = await sandbox.run("get /x") + sandbox.run("get /x as json") + sandbox.run("trace get /x")
      let ours = said.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
      #expect(!ours.unicodeScalars.contains { ["\u{1B}", "\u{9B}", "\u{7}", "\u{202E}"].contains($0) }, "\(said)")
      #expect(ours.contains("owned"))
    }
    await server.stop()
  }

  private func keptNowhere(_ secret: String, _ sandbox: Sandbox) throws {
    for file in try FileManager.default.subpathsOfDirectory(atPath: sandbox.home.journalFolder) {
      let bytes = FileManager.default.contents(atPath: sandbox.home.journalFolder + "/" + file) ?? Data()
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
    }
  }

  private func options(_ server: TinyServer) -> SessionOptions {
    var options = SessionOptions()
    options.url = server.url.absoluteString
    return options
  }

  /// A header that comes several times is one text in both notations, and a bracket leads into the JSON whatever its
  /// members are called.
  @Test(arguments: [
    ("p.headers.x-multi", "one, two"), ("p.headers", "{\"X-Multi\":\"one, two\",\"Date\":\"now\"}"),
    ("p.status", "404"),
    ("p[\"status\"]", "7"), ("p[\"body\"].status", "8"), ("p.body.status", "8"), ("p[\"headers\"]", nil),
  ])
  func repeatedHeadersAndJSONPathsAreRead(path: String, expected: String?) throws {
    var session = Session(
      server: ServerConfiguration(
        profile: nil, url: nil, dialect: Sourced(Dialect(.open), .option), confirm: Sourced(.never, .option),
        access: Sourced(.readWrite, .option)))
    session.variables["p"] = Variable(
      ResponseValue(
        request: "GET /", status: 404, took: .zero,
        headers: [HeaderField("X-Multi", "one"), HeaderField("Date", "now"), HeaderField("x-multi", "two")],
        json: try JSON(parsing: Data("{\"status\":7,\"body\":{\"status\":8}}".utf8)), text: ""))
    #expect(session.value(of: path)?.text == expected)
  }
}
