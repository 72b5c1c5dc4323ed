import Foundation
import GRDB
import Platform
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Raw requests of scripts that run again, and of commands that were interrupted: one that may have been sent is not sent
/// again by itself.
@Suite(.timeLimit(Trial.limit)) struct RepeatedRequestTests {
  /// The first line sends, the second one is interrupted, so that the script is run again.
  private static let lines = "raw POST /x a=1 yes\necho \"$_.id\"\n"
  private static let script = lines + "get /x/\(InterruptingTransport.product)\n"

  @Test func interruptedScriptDoesNotRepeatItsRequest() async throws {
    try await withSandbox("201 Created", body: #"{"id":7}"#) { sandbox, server in
      try sandbox.writeFile("cut.market", Self.script)
      let first = await sandbox.run("source ~/cut.market")
      #expect(first.contains("{\"id\":7}7\n") && first.hasSuffix("= 130\n"), "\(first)")
      let second = await sandbox.run("source ~/cut.market")
      let reason = "by a run that was interrupted (log entry 1), and the response was 201. Nothing was sent."
      #expect(second.contains(reason), "\(second)")
      // What the later lines need is there.
      #expect(second.contains("{\"id\":7}7\n"), "\(second)")
      #expect(server.posts == 1)
      try sandbox.writeFile("cut.market", Self.lines)
      #expect(!(await sandbox.run("source ~/cut.market")).contains("= "))
      #expect(server.posts == 1)
      // That run has ended: the same lines are new, also after a run that ends with a failure.
      try sandbox.writeFile("cut.market", Self.lines + "echo $missing\n")
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 2\n"))
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 2\n"))
      #expect(server.posts == 3)
    }
  }

  @Test func possiblyAppliedRequestIsHeldBack() async throws {
    try await withSandbox("500 Oh") { sandbox, server in
      try sandbox.writeFile("cut.market", Self.script)
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 5\n"))
      let second = await sandbox.run("source ~/cut.market")
      #expect(second.contains("The same request may have been sent already."), "\(second)")
      #expect(second.contains("The response was 500, so its outcome is unknown"), "\(second)")
      #expect(second.contains("`again`") && second.hasSuffix("= 4\n"), "\(second)")
      #expect(server.posts == 1)
      // Typed, it is another line, whose outcome was shown.
      #expect(await sandbox.run("raw POST /x a=1 yes").hasSuffix("= 5\n"))
      try sandbox.writeFile("cut.market", Self.script.replacing("yes", with: "again yes"))
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 5\n"))
      #expect(server.posts == 3)
    }
  }

  /// As if the shell had been killed before it showed the response.
  @Test(arguments: [nil, "y", "n"] as [String?])
  func unshownRequestIsAskedAbout(_ answer: String?) async throws {
    let asker = answer.map { ScriptedAsker([$0]) }
    try await withSandbox("200 OK", asker: asker) { sandbox, server in
      _ = await sandbox.run("raw POST /x a=1 yes")
      let queue = try DatabaseQueue(path: sandbox.home.journalFolder + "/journal.sqlite")
      try await queue.write { try $0.execute(sql: "UPDATE op SET shown = 0, session = 'killed'") }
      try queue.close()
      let other = await sandbox.run("raw POST /x a=2 yes")
      #expect(!other.contains("= "), "\(other)")
      let said = await sandbox.run("raw POST /x a=1 yes")
      #expect(said.contains("its command was interrupted before it showed the response"), "\(said)")
      #expect(said.hasSuffix("= 4\n") == (answer != "y"), "\(said)")
      #expect(asker?.questions ?? [] == (answer == nil ? [] : ["Send it again? [y/N] "]))
      #expect(server.posts == (answer == "y" ? 3 : 2))
    }
  }

  private func withSandbox(
    _ status: String, body: String = "", asker: (any UserPrompt)? = nil,
    _ test: (Sandbox, TinyServer) async throws -> Void
  ) async throws {
    let server = try await TinyServer(
      always: .say("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
    var options = SessionOptions()
    options.url = "http://127.0.0.1:\(server.port)"
    try await Sandbox.with(
      asker: asker, options: options, between: { transport, _ in InterruptingTransport(inner: transport) }
    ) { sandbox in try await test(sandbox, server) }
    await server.stop()
  }
}

extension TinyServer {
  fileprivate var posts: Int { requests.count { $0.hasPrefix("POST") } }
}
