import Catalog
import EmbeddedMarket
import Foundation
import Platform
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `doctor` names what is wrong and what to do, and ends with 0 only if nothing is.
@Suite(.timeLimit(Trial.limit)) struct DoctorCommandTests {
  /// A broken situation: how it is made, and what `doctor` must say about it.
  struct Situation: CustomTestStringConvertible, Sendable {
    var name: String
    var environment: [String: String] = [:]
    var width: Int?
    var prepare: @Sendable (Sandbox) async throws -> Void
    var expected: [String]

    var testDescription: String { name }
  }

  private static let vendor = EmbeddedMarket.demoVendor

  /// Adds a profile that is logged in, and switches to it.
  private static func logIn(_ sandbox: Sandbox, _ values: String) async throws {
    try sandbox.writeFile("secret.txt", vendor.secret)
    _ = await sandbox.run("profile add shop \(values)")
    _ = await sandbox.run(
      "profile shop; login identifier=\(vendor.identifier) vendor_id=\(vendor.vendorID) secret=@~/secret.txt")
  }

  private static let situations = [
    Situation(
      name: "URL of an endpoint",
      prepare: { sandbox in
        try await logIn(sandbox, "url=\(sandbox.url.absoluteString) api=open")
        let path = sandbox.home.profilesFile
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let wrong = text.replacing(
          "\"" + sandbox.url.absoluteString, with: "\"" + sandbox.url.absoluteString + "/api/products")
        try Files.write(Data(wrong.utf8), to: path)
        _ = await sandbox.run("profile demo; profile shop")
      },
      expected: [
        "is the URL of an endpoint, not of the server.", "hint: Use http://market.",
        "profile shop url=http://market",
      ]),
    Situation(
      name: "unknown host",
      prepare: { try await logIn($0, "url=https://nothing.invalid api=open") },
      expected: ["The name nothing.invalid cannot be looked up.", "Cannot reach the server."]),
    Situation(
      name: "proxy variables", environment: ["HTTPS_PROXY": "http://proxy.example:3128"],
      prepare: { try await logIn($0, "url=https://nothing.invalid api=open") },
      expected: ["openmarket does not use HTTPS_PROXY.", "profile shop proxy=http://HOST:PORT"]),
    Situation(
      name: "no TLS",
      prepare: { try await logIn($0, "url=\($0.url.absoluteString.replacing("http:", with: "https:")) api=open") },
      expected: ["The server does not support TLS."]),
    Situation(
      name: "another edition", prepare: { try await logIn($0, "url=\($0.url.absoluteString) api=camp2") },
      expected: ["The server responds as edition open, but camp2 is set.", "profile shop api=open"]),
    Situation(
      name: "not logged in",
      prepare: { _ = await $0.run("profile add shop url=\($0.url.absoluteString) api=open; profile shop") },
      expected: ["Not logged in.", "Run `login` to log in."]),
    Situation(
      name: "vendor ID unknown",
      prepare: { sandbox in
        try await logIn(sandbox, "url=\(sandbox.url.absoluteString) api=open")
        _ = await sandbox.run("profile shop vendor_id=; profile demo; profile shop")
      }, expected: ["Your vendor ID is unknown.", "login vendor_id=N"]),
    Situation(
      name: "program of the secret missing",
      prepare: { sandbox in
        try await logIn(sandbox, "url=\(sandbox.url.absoluteString) api=open")
        _ = await sandbox.run("profile shop secret_command='no-such-program show'; profile demo; profile shop")
      }, expected: ["The program of secret_command was not found.", "no-such-program show"]),
    Situation(
      name: "damaged file",
      prepare: { try Files.write(Data(repeating: 65, count: 8192), to: $0.home.versionsFile) },
      expected: ["is damaged.", "Restore it from a backup"]),
    Situation(
      name: "sale due", prepare: { _ = await $0.run("sale 138 10% from 12-01 to 12-02") },
      expected: ["1 of 1 sales have something due.", "Run `due apply` to apply it."]),
    Situation(
      name: "locale", environment: ["TERM": "xterm-256color", "LANG": "C"], width: 100, prepare: { _ in },
      expected: ["The locale is not UTF-8: C.", "export LANG=C.UTF-8"]),
    Situation(
      name: "terminal", environment: ["TERM": "dumb", "LANG": "C.UTF-8"], width: 100, prepare: { _ in },
      expected: ["TERM is not set to a terminal: dumb."]),
  ]

  @Test(arguments: DoctorCommandTests.situations)
  func problemIsNamedWithItsSolution(_ situation: Situation) async throws {
    try await Sandbox.with(width: situation.width, environment: situation.environment) { sandbox in
      try await situation.prepare(sandbox)
      let said = await sandbox.run("doctor")
      for text in situation.expected { #expect(said.contains(text), "\(text)\n\(said)") }
      #expect(said.hasSuffix("= 1\n"), "\(said)")
    }
  }

  @Test(arguments: [("/bin/sh", false), ("/no/such/sh", true)])
  func aProgramWithAPathIsNotSoughtInPATH(program: String, isMissing: Bool) async throws {
    try await Sandbox.with { sandbox in
      try await DoctorCommandTests.logIn(sandbox, "url=\(sandbox.url.absoluteString) api=open")
      _ = await sandbox.run("profile shop secret_command='\(program) show'; profile demo; profile shop")
      let said = await sandbox.run("doctor")
      #expect(said.contains("The program of secret_command was not found.") == isMissing, "\(said)")
    }
  }

  @Test func newHomeHasNoProblem() async throws {
    try await Sandbox.with { sandbox in
      let said = await sandbox.run("doctor")
      #expect(!said.contains("problem") && !said.contains("\n= "), "\(said)")
      let json = await sandbox.run("doctor --json")
      #expect(json.hasPrefix("[{\"check\":\"version\",\"state\":\"ok\","), "\(json)")
      #expect(json == (await sandbox.run("doctor as json")))
    }
  }

  /// The server accepts connections and never responds.
  @Test func unresponsiveServerTakesLessThanThreeSeconds() async throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        #expect(bind(socket, pointer, size) == 0 && listen(socket, 8) == 0)
        getsockname(socket, pointer, &size)
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("profile add slow url=http://127.0.0.1:\(port) api=open; profile slow")
      let start = ContinuousClock.now
      let said = await sandbox.run("doctor")
      #expect(said.contains("The server did not respond in time.") && said.hasSuffix("= 1\n"), "\(said)")
      // The limit of other reads is 30 s.
      #expect(ContinuousClock.now - start < .seconds(25))
    }
  }

  @Test func doctorChangesNothing() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("sale 138 10% from 12-01 to 12-02")
      let before = try sandbox.log().count
      _ = await sandbox.run("doctor")
      #expect(try sandbox.log().count == before)
      let product = try await sandbox.product(138)
      #expect(product?.discount == 0)
    }
  }
}
