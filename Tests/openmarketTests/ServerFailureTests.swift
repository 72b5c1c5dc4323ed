import ServerTesting
import Synchronization
import TerminalTesting
import TestSupport
import Testing

/// Failures of the server are reported with a message and the exit code that the article Language specifies.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ServerFailureTests {
  private static let answers: [(String, String)] = [
    ("200 OK", reply("200 OK", "<html><body>Welcome to our hotel network</body></html>", type: "text/html")),
    ("200 OK, empty", reply("200 OK", "")),
    ("200 OK, cut", reply("200 OK", #"{"pageNo":1,"#)),
    ("302", "HTTP/1.1 302 Found\r\nLocation: http://elsewhere.test/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
    ("302 without a URL", reply("302 Found", "")), ("304", reply("304 Not Modified")),
    ("099", reply("099 Odd", #"{"pageNo":1}"#)), ("000", reply("000 Odd", "")),
    ("400 with a body", reply("400 Bad Request", #"{"code":"BAD","message":"the page is\u001b[31m odd"}"#)),
    ("400 without a body", reply("400 Bad Request")),
    ("401", reply("401 Unauthorized", #"{"code":"WRONG_PASSWORD","message":"wrong secret"}"#)),
    ("404", reply("404 Not Found", #"{"code":"NOT_FOUND","message":"no such product"}"#)),
    ("404 HTML", reply("404 Not Found", "<h1>nginx</h1>", type: "text/html")),
    ("500", reply("500 Internal Server Error", "<h1>oops</h1>", type: "text/html")),
    ("not HTTP", "SSH-2.0-OpenSSH_9.6\r\n"),
  ]

  @Test func invalidResponsesAreReported() throws {
    var table = RunTable("server-trouble")
    for (name, answer) in Self.answers {
      for line in ["ls", "show 42", "health"] {
        let home = try TemporaryHome()
        let server = try RecordingServer { _ in answer }
        let result = try openmarket(
          ["--url", server.url, "--api", "open", "--home", home.path, "-c", line], environment: SmallMarket.vendor)
        #expect(server.writes.isEmpty)
        table.add("\(line)   # \(name)", result, requests: server.requests, hiding: [server.url: "URL"])
      }
    }
    try table.check()
  }

  @Test func refusedWritesAreReported() throws {
    var table = RunTable("refused-writes")
    for (name, answer) in Self.answers where name.hasPrefix("4") {
      let home = try TemporaryHome()
      let server = try RecordingServer { $0.line.hasPrefix("GET ") ? SmallMarket.answer($0) : answer }
      let result = try openmarket(
        ["--url", server.url, "--api", "open", "--home", home.path, "-c", "patch 42 stock=3 yes"],
        environment: SmallMarket.vendor)
      #expect(server.writes.map(\.line) == ["PATCH /api/products/42"], "a refused write is sent once: \(name)")
      table.add("patch 42 stock=3 yes   # \(name)", result, requests: server.requests, hiding: [server.url: "URL"])
    }
    try table.check()
  }

  /// The server applies the change and fails to respond: the program reads back instead of writing again.
  @Test(arguments: ["500", "not HTTP", "200 OK, cut", "302", "304", "099", "000"])
  func appliedWriteWithoutResponseIsReadBack(_ name: String) throws {
    let home = try TemporaryHome()
    let answer = Self.answers.first { $0.0 == name }?.1
    let hasChanged = Mutex(false)
    let server = try RecordingServer { request in
      if !request.line.hasPrefix("GET ") {
        hasChanged.withLock { $0 = true }
        return answer
      }
      guard hasChanged.withLock({ $0 }) else { return SmallMarket.answer(request) }
      return reply("200 OK", SmallMarket.product.replacing("\"stock\":2", with: "\"stock\":3"))
    }
    let result = try openmarket(
      ["--url", server.url, "--api", "open", "--home", home.path, "-c", "patch 42 stock=3 yes"],
      environment: SmallMarket.vendor)
    #expect(server.writes.count == 1)
    #expect(result.code == 0, "\(result.err)")
  }

  @Test(arguments: ["ls", "show 42", "rm 42 yes", "patch 42 stock=1 yes"])
  func unreachableServerIsReportedAfterRetries(_ line: String) throws {
    let home = try TemporaryHome()
    let closed = ClosedPort()
    let result = try openmarket(
      ["--url", closed.url, "--api", "open", "--home", home.path, "-c", line], environment: SmallMarket.vendor)
    #expect(result.out == "")
    // The first read fails, also that of a write, and each of its attempts is reported before the error.
    let refused = Array(repeating: "connection refused", count: 3).joined(separator: ", ")
    #expect(
      result.err.hasPrefix(
        "note: 3 attempts: \(refused)\nerror: Cannot reach the server.\n  reason: Connection refused.\n"))
    #expect(result.code == 3)
  }

  /// `--no-retry` sends every read once, as tests of a server need it.
  @Test(arguments: [([], 3), (["--no-retry"], 1)])
  func readIsRetriedUnlessNoRetry(_ options: [String], _ attempts: Int) throws {
    let home = try TemporaryHome()
    let server = try RecordingServer { _ in reply("503 Service Unavailable") }
    let result = try openmarket(options + ["--url", server.url, "--api", "open", "--home", home.path, "-c", "show 42"])
    #expect(server.requests.count == attempts)
    #expect(result.err.contains("note: 3 attempts: 503, 503, 503\n") == (attempts == 3), "\(result.err)")
    #expect(result.code == 1)
  }

  @Test func attemptsAreReportedInKorean() throws {
    let home = try TemporaryHome()
    let closed = ClosedPort()
    let result = try openmarket(["--lang", "ko", "--url", closed.url, "--api", "open", "--home", home.path, "-c", "ls"])
    let refused = Array(repeating: "연결이 거부됨", count: 3).joined(separator: ", ")
    #expect(result.err.hasPrefix("참고: 3번 시도: \(refused)\n"), "\(result.err)")
  }
}
