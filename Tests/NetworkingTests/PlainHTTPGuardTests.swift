import Foundation
import Networking
import ServerTesting
import TestSupport
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

  @Test func readIsSentWithOneWarning() async throws {
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
  func lookalikeLoopbackHostsArePlainHTTP(base: String, host: String?) async throws {
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
  func secretOverPlainHTTPRequiresPermission(_ request: Request) async throws {
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

  /// Sends nothing, and answers.
  private struct Answering: Transport {
    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      Response(status: 200, headers: [], body: Data())
    }
  }

  /// A secret may go to a machine of the same private network, unless the profile wants a question.
  @Test(arguments: [
    ("10.0.0.1", true), ("172.16.0.1", true), ("172.31.255.255", true), ("192.168.0.20", true), ("169.254.1.1", true),
    ("[fe80::1]", true), ("[fe80::1%25eth0]", true), ("[febf::1]", true), ("[fd12::1]", true), ("[fc00::1]", true),
    ("[::ffff:192.168.0.20]", true), ("teacher.local", true), ("TEACHER.Local", true), ("a.teacher.local.", true),
    ("11.0.0.1", false), ("172.15.0.1", false), ("172.32.0.1", false), ("192.169.0.1", false), ("100.64.0.1", false),
    ("10.1", false), ("0x0a.0.0.1", false), ("10.0.0.1.example.com", false), ("[2001:db8::1]", false),
    ("[fec0::1]", false), ("[::ffff:192.0.2.7]", false), ("teacher", false), ("local", false),
    ("teacher.local.example", false),
    ("teacherlocal", false), ("0.0.0.0", false),
  ])
  func secretToAPrivateNetworkIsSentWithAWarning(_ host: String, _ isPrivate: Bool) async throws {
    let base = try #require(URL(string: "http://\(host):8080"))
    let request = Request(
      .get, ["a"], headers: [HeaderField("secret", "hunter2hunter2")], secrets: [try #require(Self.secret)])
    let policy = PlainHTTPPolicy()
    let guarded = PlainHTTPGuard(Answering(), policy: policy)
    func isSent() async -> Bool { (try? await guarded.send(request, to: base, with: SendOptions())) != nil }
    #expect(await isSent() == isPrivate)
    #expect((policy.takeUnwarnedHost() != nil) == isPrivate)
    policy.follow(allowsAllHosts: false, profileHost: nil, alwaysAsks: true)
    #expect(await !isSent())
  }

  /// An address of this machine is this machine.
  @Test func addressOfAnInterfaceIsThisMachine() throws {
    for address in LocalAddresses.ipv4 {
      #expect(Loopback.openHost(of: try #require(URL(string: "http://\(address):8080"))) == nil)
    }
    #expect(Loopback.openHost(of: try #require(URL(string: "http://192.0.2.254"))) == "192.0.2.254")
  }
}
