import EmbeddedMarket
import Foundation
import MarketAPI
import ServerTesting
import Shell
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

/// `log curl N`, run by a real shell and curl, sends the same form with the same pictures and file names, although the
/// journal stores them under other names.
@Suite(.timeLimit(Trial.limit)) struct EntryCurlReportTests {
  @Test(arguments: Edition.allCases) func curlLineSendsTheSameFormAndPictures(_ edition: Edition) async throws {
    let server = try await ReplayedEdition(edition, values: EntryCurlReportTests.sent).start()
    var options = SessionOptions()
    options.url = server.url.absoluteString
    options.edition = edition
    // The same credentials as in the variables of the test's shell.
    let vendor = Sh.credentials.merging(["OPENMARKET_VENDOR_ID": edition == .training ? "6" : "50"]) { $1 }
    try await Sandbox.with(options: options, environment: vendor) { sandbox in
      try sandbox.writePictures()
      let made = await sandbox.run(
        "new name='It is \"so\"; here' description='a lamp; @home, <new>' price=3500 currency=KRW "
          + "images=~/cup.png,~/big.png yes")
      #expect(!made.hasPrefix("= ") && !made.contains("\n= "), "\(made)")
      let script = await sandbox.exactly("log curl 1")
      let answer = try await Sh.run(script)
      #expect(answer.status == 0, "\(script)\n\(answer.error)")
    }
    let forms = server.requests.filter { $0.hasPrefix("POST ") }.map(Form.init)
    #expect(forms.count == 2)
    #expect(forms.first == forms.last)
    #expect(forms.first?.names.count == 2, "\(forms.first?.names ?? [])")
    await server.stop()
  }

  /// Neither the journal nor the recorded calls contain the secret, so the lines escape whatever it is.
  @Test(arguments: ["log curl", "calls curl"], ["0123456789abc", #"ZqSecretXy"7\$q1"#, #"\\"a b'"#])
  func printedLinesAreAcceptedWithAnySecret(_ command: String, secret: String) async throws {
    let vendor = VendorRequest(name: EmbeddedMarket.demoVendor.name, secret: secret)
    let variables = Sh.credentials(secret: secret)
    try await Sandbox.with(environment: variables, served: { $0.vendors = [vendor] }) { sandbox in
      try sandbox.writePictures()
      func sendAgain(_ line: String) async throws {
        let made = await sandbox.run(line)
        #expect(!made.contains("= 1"), "\(made)")
        let list = command == "log curl" ? "log 1 as json" : "calls where method!=GET as json"
        let number = try #require(await sandbox.exactly(list).firstMatch(of: /"n":([0-9]+)/)).1
        let script = await sandbox.exactly("\(command) \(number)")
        #expect(!script.contains(secret))
        _ = await sandbox.run("patch 12 stock=5 yes")
        let answer = try await Sh.run(script.replacing(/^curl/, with: "curl -fsS"), environment: variables)
        #expect(answer.status == 0, "\(script)\n\(answer.error)")
      }
      try await sendAgain("patch 12 stock=41 yes")
      #expect(await sandbox.run("show 12 stock as json") == "{\"stock\":41}\n")
      try await sendAgain(
        "new name='A \"lamp\"' description='a lamp; new' price=3500 currency=KRW images=~/cup.png yes")
      #expect(await sandbox.run("show 143 name as json") == #"{"name":"A \"lamp\""}"# + "\n")
    }
  }

  /// The values of the product in the server's responses, which are those that the test sends.
  private static let sent = [
    ("판 시험 상품", #"It is \"so\"; here"#), ("네 판에 같은 상품", "a lamp; @home, <new>"),
    ("\"price\": 1.2E4", "\"price\": 3.5E3"), ("\"price\": 12000.0", "\"price\": 3500.0"),
    ("\"price\":12000", "\"price\":3500"), ("\"bargain_price\": 11000.0", "\"bargain_price\": 3500.0"),
    ("\"discounted_price\":11000", "\"discounted_price\":3500"),
    ("\"discounted_price\": 1000.0", "\"discounted_price\": 0.0"), ("\"stock\": 3", "\"stock\": 0"),
    ("\"stock\":3", "\"stock\":0"),
  ]

  /// The content of a form, independent of its boundary and the order of its headers.
  private struct Form: Equatable {
    let path: Substring
    let parts: [[Substring]]

    init(_ request: String) {
      path = request.prefix { $0 != "\r\n" }
      let boundary = request.firstMatch(of: #/boundary=("?)([^"\r\n]+)\1/#)?.output.2 ?? "none"
      let body = request.components(separatedBy: "\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n")
      parts = body.components(separatedBy: "--\(boundary)").map { part in
        part.split(separator: "\r\n").map { Substring($0) }.filter { !$0.lowercased().hasPrefix("content-length") }
          .sorted()
      }
    }

    var names: [Substring] {
      parts.joined().compactMap { $0.firstMatch(of: #/filename="([^"]+)"/#)?.output.1 }
    }
  }
}
