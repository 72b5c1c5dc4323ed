import Foundation
import Networking
import Platform
import Shell
import ShellTesting
import Synchronization
import Testing
import Text

/// A server repeats the secret in every writing that is recognized: none is kept or shown, by the journal, a HAR archive,
/// `trace`, `log` or the words of a refusal.
@Suite struct EchoedSecretTests {
  private static let secret = "p&ss \"w<o>rd\" /+41=-k3y"

  /// The encodings that servers use, each between marks.
  private static let writings: [String] = {
    let (units, bytes) = (Array(secret.utf16), Array(secret.utf8))
    func hex(_ number: some BinaryInteger, _ digits: Int) -> String {
      let text = String(number, radix: 16)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let escaped = secret.replacing("\"", with: "\\\"")
    let small = units.map { "\\u" + hex($0, 4) }.joined()
    let capital = units.map { "\\u" + hex($0, 4).uppercased() }.joined()
    let percent = bytes.map { "%" + hex($0, 2) }.joined()
    let named = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    let html = secret.map { named[String($0)] ?? String($0) }.joined()
    let form = PercentEncoding.query(secret).replacing("%20", with: "+")
    return [
      secret, escaped, small, capital, bytes.map { hex($0, 2) }.joined(),
      bytes.map { hex($0, 2).uppercased() }.joined(),
      percent, percent.uppercased(), form, Data(bytes).base64EncodedString(),
      html, html.replacing("&", with: "\\u0026"), html.replacing("&quot;", with: "&#034;"),
      bytes.map { "&#\($0);" }.joined(), bytes.map { "&#x" + hex($0, 4) + ";" }.joined(),
    ]
  }()

  /// A transport that rejects patches, and adds a header and a field to reads, that repeat the secret in one encoding
  /// each.
  private final class Echo: Transport {
    private let inner: any Transport
    private let counts = Mutex((patches: 0, reads: 0))

    init(inner: any Transport) { self.inner = inner }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      if request.method == .patch {
        let text = next(isRead: false)
        let body = "{\"code\":400,\"message\":\"\(inJSON(text))\"}"
        return Response(
          status: 400, headers: [HeaderField("Content-Type", "application/json"), HeaderField("X-Echo", text)],
          body: Data(body.utf8))
      }
      var reply = try await inner.send(request, to: base, with: options)
      guard request.method == .get, reply.header("Content-Type")?.contains("json") == true, reply.body.first == 0x7B
      else { return reply }
      let text = next(isRead: true)
      reply.headers.append(HeaderField("X-Echo", text))
      reply.body = Data("{\"echo\":\"\(inJSON(text))\",".utf8) + reply.body.dropFirst()
      return reply
    }

    /// What is written for JSON already stays as it is.
    private func inJSON(_ text: String) -> String {
      text.contains(EchoedSecretTests.secret) ? JSON.escaped(text) : text
    }

    private func next(isRead: Bool) -> String {
      counts.withLock { counts in
        if isRead { counts.reads += 1 } else { counts.patches += 1 }
        let writings = EchoedSecretTests.writings
        return "<<" + writings[(isRead ? counts.reads : counts.patches) % writings.count] + ">>"
      }
    }
  }

  /// Returns the text between the marks in any encoding of the marks.
  private static func echoes(in text: String) -> [Substring] {
    text.matches(
      of: #/(?:<<|\\u003[cC]\\u003[cC]|&lt;&lt;|%3C%3C)(.*?)(?:>>|\\u003[eE]\\u003[eE]|&gt;&gt;|%3E%3E)/#
        .dotMatchesNewlines()
    ).map(\.1)
  }

  private static let masks: Set<Substring> = ["•••", "__OPENMARKET_SECRET__", "\\u2022\\u2022\\u2022"]

  private func check(_ text: String, _ name: String, atLeast count: Int) {
    let echoes = EchoedSecretTests.echoes(in: text)
    #expect(echoes.count >= count, "\(name): \(text.prefix(2_000))")
    let bare = echoes.filter { !EchoedSecretTests.masks.contains($0) }
    #expect(bare.count == 0, "\(name): \(bare.prefix(2))")
    let held = EchoedSecretTests.writings.filter(text.contains)
    #expect(held.count == 0, "\(name): \(held.prefix(2))")
  }

  @Test func echoedSecretIsNeitherStoredNorShown() async throws {
    let environment = [
      "OPENMARKET_IDENTIFIER": "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31", "OPENMARKET_SECRET": EchoedSecretTests.secret,
    ]
    try await Sandbox.with(environment: environment, between: { door, _ in Echo(inner: door) }) { sandbox in
      let count = EchoedSecretTests.writings.count
      for number in 1...count {
        check(await sandbox.exactly("trace patch 12 stock=\(number + 50) yes"), "trace \(number)", atLeast: 4)
      }
      _ = await sandbox.exactly("patch 12 stock=37 yes note '\(EchoedSecretTests.secret)'")
      check(await sandbox.exactly("calls session as har"), "calls", atLeast: count * 4)
      for number in 1...count {
        check(await sandbox.exactly("log show \(number)"), "log show \(number)", atLeast: 2)
        check(await sandbox.exactly("log show \(number) as json"), "log show \(number) as json", atLeast: 2)
      }
      check(await sandbox.exactly("log as json"), "log", atLeast: count)
      check(await sandbox.exactly("log as har"), "HAR", atLeast: count * 2)
      var kept = 0
      for file in try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder) {
        let bytes = FileManager.default.contents(atPath: sandbox.folder + "/" + file) ?? Data()
        for writing in EchoedSecretTests.writings where bytes.range(of: Data(writing.utf8)) != nil {
          Issue.record("\(file) holds \(writing)")
        }
        guard file.hasPrefix("journal") || file.contains("journal.sqlite") else { continue }
        kept += EchoedSecretTests.echoes(in: String(decoding: bytes, as: UTF8.self)).count
      }
      #expect(kept >= count)
    }
  }
}
