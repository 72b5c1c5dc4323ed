import Foundation
import MarketAPI
import Networking
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `time` prints the phases of each request.
@Suite(.timeLimit(Trial.limit)) struct TimingTableTests {
  @Test func everyPhaseIsListed() async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("time show 12,13 id as jsonl")
      #expect(
        said == """
          {"id":12}
          {"id":13}
          ! request (ms) status DNS connect TLS send first byte body total
          ! GET /api/products/12 200 T T - T T T T
          ! GET /api/products/13 200 T T - T T T T
          ! decoding - - - - - - - T
          ! drawing - - - - - - - T
          ! pauses and other time - - - - - - - T
          ! total - - - - - - - T

          """)
    }
  }

  /// A name is resolved, and its addresses are tried in turn.
  @Test func nameResolutionIsAPhase() async throws {
    try await Sandbox.with { sandbox in
      var parts = try #require(URLComponents(url: sandbox.url, resolvingAgainstBaseURL: false))
      parts.host = "localhost"
      var request = Request(.get, ["healthChecker"])
      request.recordsPhases = true
      let url = try #require(parts.url)
      let transport = HTTPTransport(version: "test")
      let answer = try? await transport.send(request, to: url, with: SendOptions(deadline: .seconds(20)))
      await transport.shutdown()
      let reply = try #require(answer)
      let phases = try #require(reply.timing?.phases)
      #expect(reply.status == 200)
      #expect(phases.dns ?? .zero > .zero && phases.connect ?? .zero > .zero && phases.tls == nil)
      #expect(phases.wait > .zero && phases.total >= phases.wait)
    }
  }

  @Test func failedRequestIsTimed() async throws {
    var options = SessionOptions()
    options.url = "http://127.0.0.1:1"
    options.edition = .open
    try await Sandbox.with(options: options) { sandbox in
      let said = await sandbox.run("time health")
      #expect(said.contains("! GET /healthChecker") && said.hasSuffix("= 3\n"), "\(said)")
    }
  }
}
