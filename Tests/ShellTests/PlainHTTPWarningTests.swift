import EmbeddedMarket
import Foundation
import MarketOperations
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Plain `http` to another machine: 0.0.0.0 isn't one of the addresses that count as this machine, and Linux delivers
/// to it locally.
@Suite(.timeLimit(Trial.limit)) struct PlainHTTPWarningTests {
  private static let vendor = [
    "OPENMARKET_IDENTIFIER": "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31", "OPENMARKET_SECRET": "open-the-market",
  ]
  private static let warning = "is not encrypted (http). Others on the network can read the data."

  @Test func plainHTTPWarnsOnceAndHoldsSecretsBack() async throws {
    try await Sandbox.with(environment: Self.vendor, served: { $0.host = "0.0.0.0" }) { sandbox in
      let port = try #require(sandbox.url.port)
      _ = await sandbox.run("profile add far url=http://0.0.0.0:\(port) api=open confirm=never")
      _ = await sandbox.run("profile far")
      let first = await sandbox.run("show 12 stock as csv")
      #expect(first.contains("36") && first.contains(Self.warning), "\(first)")
      #expect(await sandbox.run("session as csv").contains("http,ask,default"))
      let refused = await sandbox.run("patch 12 stock=9 yes")
      #expect(refused.hasSuffix("= 4\n") && refused.contains("--insecure-http"), "\(refused)")
      let second = await sandbox.run("show 12 stock as csv")
      #expect(second.contains("36") && !second.contains(Self.warning), "\(second)")
      // The same applies to a secret in a raw request. Without one it is sent.
      try sandbox.writeFile("key", "hunter2hunter2")
      let raw = await sandbox.run("get http://0.0.0.0:\(port)/healthChecker x-api-key:@~/key")
      #expect(raw.hasSuffix("= 4\n") && raw.contains("http=allow"), "\(raw)")
      #expect(await sandbox.run("get /healthChecker").contains("OK"))
      _ = await sandbox.run("profile far http=allow")
      _ = await sandbox.run("profile far")
      let allowed = await sandbox.run("patch 12 stock=9 yes")
      #expect(allowed.contains("Updated product 12.") && !allowed.contains("= 4"), "\(allowed)")
    }
  }

  /// `--insecure-http` sends secrets to every host, also after a change of the profile, without a question.
  @Test func insecureHTTPOptionAllowsSecretsInEveryProfile() async throws {
    var options = SessionOptions()
    options.allowsPlainHTTP = true
    try await Sandbox.with(options: options, environment: Self.vendor, served: { $0.host = "0.0.0.0" }) { sandbox in
      let port = try #require(sandbox.url.port)
      _ = await sandbox.run("profile add far url=http://0.0.0.0:\(port) api=open confirm=never http=ask")
      _ = await sandbox.run("profile far")
      #expect(await sandbox.run("session as csv").contains("http,allow,option"))
      let allowed = await sandbox.run("patch 12 stock=9 yes")
      #expect(allowed.contains("Updated product 12.") && !allowed.contains("= 4"), "\(allowed)")
    }
  }

  @Test(arguments: [("y", true), ("n", false)])
  func plainHTTPSecretIsAskedAboutAtATerminal(answer: String, isSent: Bool) async throws {
    try await Sandbox.with(asker: ScriptedAsker([answer]), environment: Self.vendor, served: { $0.host = "0.0.0.0" }) {
      sandbox in
      let port = try #require(sandbox.url.port)
      _ = await sandbox.run("profile add far url=http://0.0.0.0:\(port) api=open confirm=never")
      _ = await sandbox.run("profile far")
      let said = await sandbox.run("patch 12 stock=9 yes")
      #expect(said.contains("Others on the network can read the secret"), "\(said)")
      #expect(said.hasSuffix("= 4\n") == !isSent, "\(said)")
      #expect(await sandbox.run("show 12 stock as csv").contains(isSent ? "9" : "36"))
    }
  }
}
