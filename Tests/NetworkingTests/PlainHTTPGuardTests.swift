import Foundation
import Networking
import Pacing
import ServerTesting
import Testing

/// Plain `http` to other machines.
///
/// 0.0.0.0 does not count as this machine, but Linux delivers to it locally: a real connection to a host that the rules
/// treat as another machine.
@Suite(.timeLimit(Trial.limit)) struct PlainHTTPGuardTests {
  private static let secret = Secret("hunter2hunter2").map { NamedSecret("OPENMARKET_SECRET", $0) }

  private func send(_ request: Request, _ policy: PlainHTTPPolicy) async throws -> Result<Int, TransportError> {
    let server = try await TinyServer(
      always: .sayAndClose("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
    let transport = HTTPTransport(version: "test")
    defer { transport.shutdownImmediately() }
    let base = try #require(URL(string: "http://0.0.0.0:\(server.port)"))
    var result: Result<Int, TransportError>
    do {
      let reply = try await PlainHTTPGuard(transport, policy: policy).send(request, to: base, with: SendOptions())
      result = .success(reply.status)
    } catch let failure as TransportError {
      result = .failure(failure)
      #expect(server.requests.isEmpty)
    }
    await transport.shutdown()
    await server.stop()
    return result
  }

  @Test func aReadIsSentWithOneWarning() async throws {
    let policy = PlainHTTPPolicy()
    // Known secrets that are not in the request make no difference.
    let request = Request(.get, ["a"], secrets: [try #require(Self.secret)])
    #expect(try await send(request, policy) == .success(200))
    #expect(policy.takeUnwarnedHost() == "0.0.0.0")
    #expect(try await send(request, policy) == .success(200))
    #expect(policy.takeUnwarnedHost() == nil)
  }

  /// The name that is resolved decides; one that only looks like this machine is another.
  @Test(arguments: [
    ("http://%6cocalhost", "%6cocalhost"), ("http://한국.kr", "xn--3e0b707e.kr"),
    ("http://127.0.0.1.example.com", "127.0.0.1.example.com"), ("HTTP://example.com:8080/a", "example.com"),
    ("http://localhost", nil), ("http://LOCALHOST:8080", nil), ("http://127.0.0.2", nil), ("http://[::1]:8080", nil),
    ("https://example.com", nil),
  ])
  func whatOnlyLooksLikeThisMachineIsOpen(base: String, host: String?) async throws {
    let base = try #require(URL(string: base))
    #expect(Loopback.openHost(of: base) == host)
    guard let host else { return }
    let request = Request(
      .get, ["a"], headers: [HeaderField("secret", "hunter2hunter2")], secrets: [try #require(Self.secret)])
    let transport = HTTPTransport(version: "test")
    defer { transport.shutdownImmediately() }
    await #expect(throws: TransportError(.insecureHost(host: host), extent: .none)) {
      try await PlainHTTPGuard(transport, policy: PlainHTTPPolicy()).send(request, to: base, with: SendOptions())
    }
    await transport.shutdown()
  }

  @Test(arguments: [
    Request(.get, ["a"], headers: [HeaderField("secret", "hunter2hunter2")]),
    Request(.get, ["a"], query: [QueryItem("q", "hunter2hunter2")]),
    Request(.patch, ["a"], body: .json(.object([("secret", .string("hunter2hunter2"))]))),
  ])
  func aSecretWantsPermission(_ request: Request) async throws {
    var request = request
    request.secrets = [try #require(Self.secret)]
    let refused = TransportError(.insecureHost(host: "0.0.0.0"), extent: .none)
    let policy = PlainHTTPPolicy()
    #expect(try await send(request, policy) == .failure(refused))
    policy.follow(allowsAllHosts: false, profileHost: "other")
    #expect(try await send(request, policy) == .failure(refused))
    policy.follow(allowsAllHosts: false, profileHost: "0.0.0.0")
    #expect(try await send(request, policy) == .success(200))
    policy.follow(allowsAllHosts: true, profileHost: nil)
    #expect(try await send(request, policy) == .success(200))
    policy.follow(allowsAllHosts: false, profileHost: nil)
    policy.allow("0.0.0.0")
    #expect(try await send(request, policy) == .success(200))
  }
}
