import EmbeddedMarket
import Foundation
import Networking
import Platform
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import WriteJournal

/// `timeout`, `proxy` and `ca` of a profile are stored, shown with their source, and used.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ProfileSettingTests {
  @Test func settingsAreStoredAndShown() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("ca.pem", ProfileSettingTests.pem)
      let line =
        "profile add shop url=https://shop.example api=open timeout=90 proxy=http://127.0.0.1:3128 ca=~/ca.pem verify=batch-end calls=on"
      #expect(await sandbox.run(line).contains("Added profile shop."))
      #expect(await sandbox.run("profile shop").contains("Switched to profile shop."))
      let rows = await sandbox.run("session as csv").components(separatedBy: "\n")
      for row in [
        "timeout,90,profile", "proxy,http://127.0.0.1:3128,profile", "ca,HOME/ca.pem,profile",
        "verify,batch-end,profile", "calls,on,profile",
        "limits,connect 10 s; upload 60 s without progress; response to a change 90 s plus its size at 8 kB/s; read 90 s without data,profile",
      ] { #expect(rows.contains(row), "\(row) in \(rows)") }
      // The session's setting is the stronger one.
      #expect(await sandbox.run("set calls off; session as csv").contains("\ncalls,off,option\n"))
      // An empty value removes a setting.
      _ = await sandbox.run("profile shop proxy='' ca='' timeout=''")
      let kept = try #require(try ProfileStore(sandbox.home).load()["shop"])
      #expect(kept.proxy == nil && kept.ca == nil && kept.timeout == nil && kept.verify == .batchEnd)
    }
  }

  @Test(arguments: [
    "timeout=0", "timeout=3601", "timeout=soon", "proxy=shop", "proxy=https://127.0.0.1:1", "proxy=http://127.0.0.1",
    "proxy=http://me:pw@127.0.0.1:1", "proxy=http://127.0.0.1:1/path", "verify=perhaps", "ca=~/nosuch.pem",
    "ca=~/empty.pem",
  ])
  func invalidSettingsAreRefused(_ setting: String) async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("empty.pem", "no certificate\n")
      let said = await sandbox.run("profile add shop url=https://shop.example \(setting)")
      #expect(said.hasSuffix("= 2\n") && !said.contains("pw"), "\(said)")
      #expect(try ProfileStore(sandbox.home).load()["shop"] == nil)
    }
  }

  /// A missing certificate file is reported, and nothing is sent.
  @Test func missingCAFileIsReported() async throws {
    let server = try await TinyServer(always: .close)
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("ca.pem", ProfileSettingTests.pem)
      _ = await sandbox.run("profile add shop url=\(server.url) api=open ca=~/ca.pem; profile shop")
      try FileManager.default.removeItem(atPath: sandbox.folder + "/ca.pem")
      let said = await sandbox.run("ls")
      #expect(said.contains("Cannot read HOME/ca.pem.") && said.hasSuffix("= 2\n"), "\(said)")
      #expect(server.requests.isEmpty)
    }
    await server.stop()
  }

  /// Reads and writes go through the proxy to the server's host and port.
  @Test(.timeLimit(.minutes(20))) func requestsGoThroughTheProxy() async throws {
    let proxy = try await Tunnel(.connect)
    try await Sandbox.with { sandbox in
      let port = sandbox.url.port ?? 0
      _ = await sandbox.run("profile add shop url=http://127.0.0.1:\(port) api=open proxy=\(proxy.url); profile shop")
      #expect(proxy.asked.isEmpty)
      let said = await sandbox.run("ls columns id as csv")
      #expect(said.hasPrefix("id\n"), "\(said)")
      #expect(Set(proxy.asked) == ["127.0.0.1:\(port)"])
      #expect(proxy.firstLines.contains { $0.hasPrefix("GET /api/products") }, "\(proxy.firstLines)")
      #expect(await sandbox.run("time ls columns id as csv").hasPrefix("id\n"))
      #expect(await sandbox.run("get /healthChecker").contains("200"))
    }
    await proxy.stop()
  }

  /// An unreachable proxy is reported as such: nothing was sent.
  @Test func unreachableProxyIsReported() async throws {
    let closed = ClosedPort()
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("profile add shop url=\(sandbox.url) api=open proxy=\(closed.url); profile shop")
      let said = await sandbox.run("ls")
      #expect(said.hasSuffix("= 3\n"), "\(said)")
    }
  }

  /// A certificate of a private authority is rejected by the system's and accepted with `ca`.
  @Test(.timeLimit(.minutes(20)), .enabled(if: Trial.runs(with: "openssl")))
  func certificateOfAPrivateCAIsAccepted() async throws {
    let folder = NSTemporaryDirectory() + "ca-" + UUID().uuidString
    try Files.createDirectory(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let server = try TLSServer(in: folder)
    defer { server.stop() }
    let transport = HTTPTransport(version: "test")
    defer { transport.shutdownImmediately() }
    let url = try #require(URL(string: "https://127.0.0.1:\(try await server.port())"))
    var options = SendOptions()
    options.limits.idle = .seconds(10)
    let request = Request(.get, ["hello.txt"])
    let failure = await #expect(throws: TransportError.self) {
      _ = try await transport.send(request, to: url, with: options)
    }
    #expect(failure == TransportError(.tls("certificate verify failed"), extent: .none))
    let pem = try Data(contentsOf: URL(filePath: folder + "/cert.pem"))
    options.route = ConnectionSettings(authorities: try TrustRoots(pem: pem))
    var measured = request
    measured.recordsPhases = true
    let replies = try await [
      transport.send(request, to: url, with: options), transport.send(measured, to: url, with: options),
    ]
    #expect(replies.allSatisfy { $0.status == 200 && String(decoding: $0.body, as: UTF8.self) == "hello" })
    await transport.shutdown()
  }

  /// `openssl s_server` with a self-signed certificate, at a port that the system chooses.
  private final class TLSServer {
    private let process = Process()
    private let output: String

    init(in folder: String) throws {
      output = folder + "/output"
      let make = Process()
      make.executableURL = URL(filePath: "/usr/bin/openssl")
      make.arguments = [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
        "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
      ]
      make.standardError = FileHandle.nullDevice
      try make.run()
      make.waitUntilExit()
      try Data("hello".utf8).write(to: URL(filePath: folder + "/hello.txt"))
      process.executableURL = URL(filePath: "/usr/bin/openssl")
      process.currentDirectoryURL = URL(filePath: folder)
      process.arguments = ["s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-WWW"]
      try Data().write(to: URL(filePath: output))
      process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
      process.standardError = FileHandle.nullDevice
      process.standardInput = Pipe()
      try process.run()
    }

    /// Returns the port, once the server listens.
    func port() async throws -> Int {
      var port: Int?
      try await Waiting.until("the server's port") {
        let text = try String(contentsOfFile: output, encoding: .utf8)
        port = text.firstMatch(of: #/ACCEPT \S+:(\d+)\n/#).flatMap { Int($0.1) }
        return port != nil
      }
      return try #require(port)
    }

    /// The process inherited the signal mask of a Dispatch thread, in which SIGTERM is blocked.
    func stop() {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// A self-signed certificate whose key was discarded.
  private static let pem = """
    -----BEGIN CERTIFICATE-----
    MIIBijCCATGgAwIBAgIUMEUkoyktx7rly8VutJhxw1MD1zkwCgYIKoZIzj0EAwIw
    GjEYMBYGA1UEAwwPb3Blbm1hcmtldC10ZXN0MCAXDTI2MTEyMjAzNDAzMFoYDzIx
    MjYxMDI5MDM0MDMwWjAaMRgwFgYDVQQDDA9vcGVubWFya2V0LXRlc3QwWTATBgcq
    hkjOPQIBBggqhkjOPQMBBwNCAASOTQ86nUYivqvJKJe1+WhZPiLCcv4BFzYE0/JO
    wl4wPbR05E3L+PmYgTPR1Moqm1N3Dljmz2+xB2VMKHQerVOSo1MwUTAdBgNVHQ4E
    FgQUzdE4pCYKFXGsxHHUaao0j2yLO0owHwYDVR0jBBgwFoAUzdE4pCYKFXGsxHHU
    aao0j2yLO0owDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBNDk+i
    p1LDfSusALYLynqYEahg6reQxtui+J2RVPSkrAIgaF0tyO5r/JqTy37oOp0X/4SJ
    PPo9ozTDAjJosRBEOT0=
    -----END CERTIFICATE-----
    """
}
