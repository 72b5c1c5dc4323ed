import Foundation
import MarketAPI
import Platform
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// A stored secret isn't sent to another server than the session's, whatever file or field it comes from.
@Suite(.timeLimit(Trial.limit)) struct StoredSecretsTests {
  private static let own = "own-canary-7f3a"
  private static let stored = "far-canary-9b1c"
  private static let said = "The request contains a stored secret."

  /// Each line, and whether it is sent to the other server.
  @Test(arguments: [
    ("curl URL -d @~/environ", false), ("curl URL -d @~/credentials.toml", false),
    ("raw POST URL @~/environ yes", false),
    ("raw POST URL note=@~/credentials.toml yes", false), ("curl URL -F 'f=@~/environ'", false),
    ("raw POST URL content-type:multipart/form-data f=@~/environ yes", false),
    ("curl URL -H 'note: far-canary-9b1c'", false), ("get URL?q=far-canary-9b1c", false),
    ("curl URL --data-urlencode f@~/credentials.toml", false), ("get URL x-copy:@~/base64", false),
    ("curl URL -d @~/harmless", true), ("get URL?q=harmless", true),
    ("curl URL -H \"Authorization: Bearer $THEIR_TOKEN\"", true),
  ])
  func storedSecretStaysHere(_ line: String, _ isSent: Bool) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let environment = ["OPENMARKET_SECRET": Self.own, "THEIR_TOKEN": "their-token-12345"]
    try await Sandbox.with(environment: environment) { sandbox in
      try sandbox.writeFile("environ", "HOME=/x\0OPENMARKET_SECRET=\(Self.own)\0LANG=C\0")
      try sandbox.writeFile("credentials.toml", "[vendors.far]\nidentifier = \"me\"\nsecret = \"\(Self.stored)\"\n")
      try sandbox.writeFile("base64", Data(Self.stored.utf8).base64EncodedString())
      try sandbox.writeFile("harmless", "a=1")
      try Self.store(in: sandbox)
      let typed = line.replacing("URL", with: server.url.absoluteString + "/x") + (line.hasPrefix("curl") ? " yes" : "")
      let said = await sandbox.run(typed)
      #expect(server.requests.isEmpty == !isSent, "\(said)")
      #expect(said.contains(Self.said) == !isSent, "\(said)")
      #expect(isSent || said.hasSuffix("= 4\n"), "\(said)")
    }
    await server.stop()
  }

  /// What the session's own server may get isn't sent on when that server redirects elsewhere.
  @Test func redirectDoesNotCarryAStoredSecret() async throws {
    let other = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let there = other.url.absoluteString + "/x"
    let first = try await TinyServer(
      always: .say("HTTP/1.1 302 There\r\nLocation: \(there)\r\nContent-Length: 0\r\n\r\n"))
    var options = SessionOptions()
    options.url = first.url.absoluteString
    options.edition = .open
    try await Sandbox.with(options: options) { sandbox in
      try Self.store(in: sandbox)
      let said = await sandbox.run("curl -L \(first.url.absoluteString)/x -H 'note: \(Self.stored)'")
      #expect(first.requests.count == 1 && other.requests.isEmpty, "\(said)")
      #expect(said.contains(Self.said) && said.hasSuffix("= 4\n"), "\(said)")
    }
    await first.stop()
    await other.stop()
  }

  /// Stores the secret with another profile.
  private static func store(in sandbox: Sandbox) throws {
    try Files.createDirectory((sandbox.home.credentialsFile as NSString).deletingLastPathComponent)
    try Files.write(
      Data("[vendors.far]\nidentifier = \"me\"\nsecret = \"\(stored)\"\n".utf8), to: sandbox.home.credentialsFile,
      mode: 0o600)
  }
}
