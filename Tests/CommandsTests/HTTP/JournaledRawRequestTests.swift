import Foundation
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// Raw requests that write: one that a run which did not end has sent or may have sent is not sent again by itself.
@Suite(.timeLimit(Trial.limit)) struct JournaledRawRequestTests {
  private static let lines = "raw POST /x a=1 yes\necho $missing\n"

  @Test func stoppedScriptDoesNotRepeatItsRequest() async throws {
    try await withSandbox("201 Created", body: #"{"id":7}"#) { sandbox, server in
      try sandbox.writeFile("cut.market", Self.lines)
      #expect(await sandbox.run("source ~/cut.market").hasSuffix("= 2\n"))
      for line in ["source ~/cut.market", "raw POST /x a=1 yes"] {
        let held = await sandbox.run(line)
        #expect(held.contains("r1, ") && held.contains("1 done.") && held.hasSuffix("= 4\n"), "\(held)")
        #expect(!held.contains("a=1"), "a raw request may contain a token")
      }
      #expect(server.posts == 1)
      #expect(!(await sandbox.run("raw POST /x a=2 yes")).contains("= "), "another body is another request")
      #expect(!(await sandbox.run("raw POST /x a=1 yes again")).contains("= "))
      #expect(server.posts == 3)
    }
  }

  @Test func possiblyAppliedRequestIsHeldBack() async throws {
    try await withSandbox("500 Oh") { sandbox, server in
      #expect(await sandbox.run("raw POST /x a=1 yes").hasSuffix("= 5\n"))
      let second = await sandbox.run("raw POST /x a=1 yes")
      #expect(second.contains("1 unknown.") && second.hasSuffix("= 4\n"), "\(second)")
      #expect(server.posts == 1)
      _ = await sandbox.run("forget r1 yes")
      #expect(await sandbox.run("raw POST /x a=1 yes").hasSuffix("= 5\n"))
      #expect(server.posts == 2)
    }
  }

  private func withSandbox(
    _ status: String, body: String = "", _ test: (Sandbox, TinyServer) async throws -> Void
  ) async throws {
    let server = try await TinyServer(
      always: .say("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"))
    var options = SessionOptions()
    options.url = "http://127.0.0.1:\(server.port)"
    try await Sandbox.with(options: options) { sandbox in try await test(sandbox, server) }
    await server.stop()
  }
}

extension TinyServer {
  fileprivate var posts: Int { requests.count { $0.hasPrefix("POST") } }
}
