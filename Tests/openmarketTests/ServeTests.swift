import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// The market server by itself, and several sessions with one market.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ServeTests {
  @Test(arguments: [SIGTERM, SIGINT]) func serverRunsUntilASignal(_ signal: Int32) throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(["serve", "--port", "0", "--data", home.path + "/market"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output
    let key = try #require(line.firstMatch(of: #/\?key=([0-9a-z]{26})\n/#)).1
    #expect(
      line == """
        openmarket serving open at \(url)
        vendor_id=15 identifier=4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31 secret=open-the-market name=구름상점
        export OPENMARKET_IDENTIFIER='4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31'
        export OPENMARKET_VENDOR_ID='15'
        export OPENMARKET_SECRET='open-the-market'
        teacher \(url)/?key=\(key)
        class \(url)/class?key=\(key)
        openapi \(url)/openapi.json
        curl '\(url)/api/products?page_no=1&items_per_page=3'

        """)
    let detected = "note: Detected edition open: the paging keys are in camelCase.\n"
    let shell = try openmarket(["--url", String(url), "--home", home.path + "/home", "-c", "show 3 id as csv"])
    #expect(shell == .init(out: "id\n3\n", err: detected, code: 0))
    // The edition is detected once for each address, also for one without a scheme, and then saved.
    let address = String(url.dropFirst("http://".count))
    let again = try openmarket(["--url", address, "--home", home.path + "/home", "-c", "show 3 id as csv"])
    #expect(again == .init(out: "id\n3\n", err: "", code: 0))
    let session = try openmarket(["--url", address, "--home", home.path + "/home", "-c", "session as csv"])
    #expect(session.out.contains("\napi,open,detected\n"), "\(session.out)")
    let fresh = try openmarket(["--url", address, "--home", home.path + "/new", "-c", "session as csv"])
    #expect(fresh.out.contains("\napi,open,detected\n"), "\(fresh.out)")
    let calls = try openmarket(["--url", address, "--home", home.path + "/home", "-c", "calls 1 as csv"])
    #expect(calls.out.contains(",\(address),GET,"), "\(calls.out)")
    for wrong in ["training", "camp2"] {
      let result = try openmarket(["--url", address, "--api", wrong, "--home", home.path + "/home", "-c", "ls"])
      #expect(
        result.code == 1 && result.err.contains("The server uses API edition open, not \(wrong)."), "\(result.err)")
      #expect(result.err.contains("  hint: Use `--api open`.\n"), "\(result.err)")
    }
    kill(market.processID, signal)
    #expect(try market.result() == .init(out: line, err: "", code: 0))
  }

  /// `--api` and `--home` are also options of the shell, and apply to the market here.
  @Test(arguments: ["camp1", "camp2", "training", "open"]) func serveHasTheOptionsAPIAndHome(_ edition: String) throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(["serve", "--api", edition, "--home", home.path, "--port", "0"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output
    #expect(line.hasPrefix("openmarket serving \(edition) at \(url)\n"))
    #expect(try home.files().keys.contains { $0.hasSuffix("market.sqlite") })
    let told = ["--url", String(url), "--api", edition, "--home", home.path + "/other"]
    #expect(try openmarket(told + ["-c", "show 3 id as csv"]) == .init(out: "id\n3\n", err: "", code: 0))
    kill(market.processID, SIGTERM)
    _ = try market.result()
  }

  @Test func wrongSecretIsRefused() throws {
    let home = try TemporaryHome()
    let market = try PipedProgram(["serve", "--port", "0", "--data", home.path + "/market"])
    let line = try market.output { $0.hasSuffix("\n") }
    let url = try #require(line.firstMatch(of: #/http://127\.0\.0\.1:\d+/#)).output
    let result = try openmarket(
      ["--url", String(url), "--api", "open", "--home", home.path + "/home", "-c", "rm 138 yes"],
      environment: [
        "OPENMARKET_IDENTIFIER": "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31", "OPENMARKET_SECRET": "not-the-secret",
      ])
    #expect(result.code == 1, "\(result.err)")
    #expect(result.err.contains("error: Could not delete product 138.\n"))
    #expect(!result.err.contains("not-the-secret"))
    let there = try openmarket(["--url", String(url), "--home", home.path + "/home", "-c", "show 138 id as csv"])
    #expect(there.out == "id\n138\n")
  }

  @Test func twoShellsShareOneMarket() throws {
    let home = try TemporaryHome()
    _ = try openmarket(["--home", home.path, "-c", "ls size 1"])
    let lines = (1...6).map { "patch 138 stock=\($0) yes" }
    let others = (1...6).map { "patch 132 stock=\($0) yes" }
    let one = try PipedProgram(["--home", home.path], input: Array(lines.joined(separator: "\n").utf8))
    let other = try PipedProgram(["--home", home.path], input: Array(others.joined(separator: "\n").utf8))
    for result in [try one.result(), try other.result()] { #expect(result.code == 0, "\(result.err)") }
    let seen = try openmarket(["--home", home.path, "-c", "show 138 stock as csv; show 132 stock as csv"])
    #expect(seen.out == "stock\n6\nstock\n6\n")
    let log = try openmarket(["--home", home.path, "-c", "log as jsonl"])
    #expect(log.out.split(separator: "\n").count == 12)
  }
}
