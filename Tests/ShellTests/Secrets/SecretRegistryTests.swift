import Foundation
import Networking
import Platform
import Shell
import ShellTesting
import TestSupport
import Testing
import WriteJournal

/// The journal contains no secret of a run, whenever it became known.
@Suite(.timeLimit(Trial.limit)) struct SecretRegistryTests {
  private static let secrets = ["first-canary-7f3a", "second-canary-9b1c"]

  /// A transport that repeats both secrets in its responses.
  private struct Gossip: Transport {
    let inner: any Transport

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      guard request.method == .patch else { return try await inner.send(request, to: base, with: options) }
      let words = "no: " + SecretRegistryTests.secrets.joined(separator: ", ")
      let text = "{\"code\":400,\"message\":\"\(words)\"}"
      return Response(status: 400, headers: [HeaderField("Content-Type", "application/json")], body: Data(text.utf8))
    }
  }

  @Test func laterLoginIsMaskedInTheJournal() async throws {
    try await Sandbox.with(between: { door, _ in Gossip(inner: door) }) { sandbox in
      for (index, secret) in SecretRegistryTests.secrets.enumerated() {
        try sandbox.writeFile("secret-\(index).txt", secret)
        _ = await sandbox.run("login secret=@~/secret-\(index).txt")
      }
      let note = SecretRegistryTests.secrets.joined(separator: " and ")
      _ = await sandbox.run("patch 12 stock=35 yes note '\(note)'")
      #expect(try sandbox.log().map(\.note) == ["••• and •••"])
      let said = await sandbox.exactly("log as json") + sandbox.exactly("log show 1") + sandbox.exactly("log as har")
      #expect(said.contains("no: "), "\(said)")
      for secret in SecretRegistryTests.secrets {
        #expect(!said.contains(secret), "\(said)")
        for file in try FileManager.default.subpathsOfDirectory(atPath: sandbox.home.journalFolder) {
          let bytes = FileManager.default.contents(atPath: sandbox.home.journalFolder + "/" + file) ?? Data()
          #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(file)")
        }
      }
    }
  }

  /// A word was typed at the prompt of the secret, and rejected. Nothing that contains it is damaged or printed with the
  /// real secret.
  @Test func rejectedSecretIsNoSecret() async throws {
    try await Sandbox.with { sandbox in
      for (index, word) in ["hi", "shirt-is"].enumerated() {
        try sandbox.writeFile("wrong-\(index).txt", word)
        #expect(await sandbox.run("login secret=@~/wrong-\(index).txt").contains("rejected"))
      }
      // In the log a long word that was rejected stays masked, as it may resemble a real secret.
      for (text, isLogged) in [("This shirt is white", true), ("This shirt-is white", false)] {
        let patched = await sandbox.run("patch 138 description='\(text)' yes")
        #expect(patched.contains("Updated product 138."), "\(patched)")
        let number =
          await sandbox.exactly("sql select max(n) as n from calls where method='PATCH' as csv")
          .split(separator: "\n").last ?? ""
        let entry = await sandbox.exactly("sql select max(n) as n from log as csv").split(separator: "\n").last ?? ""
        var lines = ["calls show \(number)", "calls curl \(number)", "show 138 description as json"]
        if isLogged { lines += ["log curl \(entry)", "log show \(entry)", "log as har"] }
        for line in lines {
          let said = await sandbox.exactly(line)
          #expect(said.contains(text), "\(line): \(said)")
        }
        let curl = await sandbox.exactly("calls curl \(number)")
        #expect(curl.contains("\"description\":\"\(text)\"") && curl.contains("\"$OPENMARKET_SECRET\""), "\(curl)")
      }
    }
  }
}
