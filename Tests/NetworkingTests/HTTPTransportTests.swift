import Foundation
import Networking
import ServerTesting
import Synchronization
import TestSupport
import Testing

/// The transport on real sockets: one request on the wire, no redirects, no endless waits.
@Suite(.startsPrograms, .serialized, .timeLimit(Trial.limit)) struct HTTPTransportTests {
  private static let tries = ProcessInfo.processInfo.environment["OPENMARKET_LONG_TESTS"] == nil ? 100 : 1000
  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  private func with<T>(
    _ act: @escaping @Sendable (Int, String) -> TinyServer.Act, _ body: (HTTPTransport, TinyServer) async throws -> T
  ) async throws -> T {
    let server = try await TinyServer(act)
    let transport = HTTPTransport(version: "1.0")
    let result = await Result { try await body(transport, server) }
    // The server is stopped first: a hanging handshake would delay the transport by its connect timeout.
    await server.stop()
    await transport.shutdown()
    return try result.get()
  }

  private func failure(
    _ transport: HTTPTransport, _ request: Request, _ url: URL, _ deadline: Duration = .seconds(60)
  ) async -> TransportError? {
    do {
      _ = try await transport.send(request, to: url, with: SendOptions(deadline: deadline))
      return nil
    } catch {
      return error as? TransportError
    }
  }

  /// A long body is sent in chunks whose progress is reported, and arrives unchanged.
  @Test func uploadProgressIsReported() async throws {
    let text = String(repeating: "0123456789abcdef", count: 20_000)
    let told = Told()
    let transport = HTTPTransport(version: "1.0", progress: { told.add($0, $1) })
    defer { transport.shutdownImmediately() }
    let server = try await TinyServer(always: .say(Self.ok))
    let request = Request(.post, ["p"], body: .json(.string(text)))
    let reply = try await transport.send(request, to: server.url, with: SendOptions(deadline: .seconds(60)))
    let short = try await transport.send(
      Request(.post, ["p"], body: .json(.string("x"))), to: server.url, with: SendOptions())
    await server.stop()
    await transport.shutdown()
    #expect(reply.status == 200 && short.status == 200)
    #expect(server.requests[0].hasSuffix("\r\n\r\n\"" + text + "\""))
    #expect(server.requests[0].lowercased().contains("content-length: 320002"))
    let counted = told.all.compactMap(\.sent)
    #expect(told.all.allSatisfy { $0.total == 320_002 } && counted == counted.sorted())
    // A short body is not reported; the end of the long one is reported once, as the last event.
    #expect(told.all.last?.sent == nil && told.all.count == counted.count + 1)
  }

  private final class Told: Sendable {
    private let list = Mutex<[(sent: Int?, total: Int)]>([])
    var all: [(sent: Int?, total: Int)] { list.withLock { $0 } }
    func add(_ sent: Int?, _ total: Int) { list.withLock { $0.append((sent, total)) } }
  }

  @Test func requestIsSentAsGiven() async throws {
    let body = Body.json(.object([("name", .string("가"))]))
    let request = Request(
      .patch, ["api", "a b/..?#", ".."], query: [QueryItem("q", "가+ &")], headers: [HeaderField("identifier", "x")],
      body: body)
    try await with({ _, _ in .say(Self.ok) }) { transport, server in
      let reply = try await transport.send(request, to: server.url, with: SendOptions(deadline: .seconds(60)))
      #expect(reply.status == 200 && reply.body == Data("ok".utf8))
      let lines = server.requests[0].components(separatedBy: "\r\n")
      #expect(lines[0] == "PATCH /api/a%20b%2F..%3F%23/%2E%2E?q=%EA%B0%80%2B%20%26 HTTP/1.1")
      let fields = lines.dropFirst().filter { !$0.lowercased().hasPrefix("host") }.map { $0.lowercased() }.sorted()
      #expect(
        fields == [
          "", "accept-encoding: gzip, deflate", "content-length: 14", "content-type: application/json", "identifier: x",
          "user-agent: openmarket/1.0", #"{"name":"가"}"#,
        ])
    }
  }

  @Test(arguments: [Networking.RequestMethod.get, .post, .patch, .delete])
  func requestOnAClosedNewConnectionIsSentOnce(method: Networking.RequestMethod) async throws {
    try await with({ _, _ in .close }) { transport, server in
      for _ in 0..<Self.tries / 4 {
        let failure = await failure(transport, Request(method, ["a"]), server.url)
        #expect(failure == TransportError(.connectionClosed, extent: .complete))
      }
      #expect(server.requests.count == Self.tries / 4)
    }
  }

  @Test(arguments: [Networking.RequestMethod.get, .post, .patch, .delete])
  func requestOnAClosedReusedConnectionIsSentOnce(method: Networking.RequestMethod) async throws {
    try await with({ _, text in text.contains("/first") ? .say(Self.ok) : .close }) { transport, server in
      for _ in 0..<Self.tries / 4 {
        _ = try await transport.send(
          Request(.get, ["first"]), to: server.url, with: SendOptions(deadline: .seconds(60)))
        let failure = await failure(transport, Request(method, ["second"]), server.url)
        #expect(failure == TransportError(.connectionClosed, extent: .complete))
      }
      #expect(server.requests.filter { $0.contains("/second") }.count == Self.tries / 4)
    }
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectIsNotFollowed(status: Int) async throws {
    let other = try await TinyServer(always: .say(Self.ok))
    let location = "\(other.url)/other"
    try await with({ _, _ in
      .say("HTTP/1.1 \(status) Moved\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }) { transport, server in
      for method in [Networking.RequestMethod.get, .post, .patch, .delete] {
        let reply = try await transport.send(
          Request(method, ["a"]), to: server.url, with: SendOptions(deadline: .seconds(60)))
        #expect(reply.status == status && reply.header("location") == location)
      }
      #expect(server.requests.count == 4 && other.requests.isEmpty)
    }
    await other.stop()
  }

  @Test(arguments: [TinyServer.Act.silence, .drip("HTTP/1.1 200 OK\r\nX-Slow: " + String(repeating: "a", count: 9000))])
  func slowResponseEndsAtTheDeadline(act: TinyServer.Act) async throws {
    try await with({ _, _ in act }) { transport, server in
      var failures: [TransportError?] = []
      // A busy machine may need longer than that to send the request.
      for seconds in [1, 4, 16, 64] where failures.last??.extent != .complete {
        failures.append(await failure(transport, Request(.get, ["a"]), server.url, .seconds(seconds)))
      }
      #expect(failures.last == TransportError(.timedOut, extent: .complete), "\(failures)")
    }
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nConnection: close\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n",
  ])
  func endlessBodyEndsAtTheLimit(head: String) async throws {
    try await with({ _, _ in .endless(head) }) { transport, server in
      let failure = await failure(transport, Request(.get, ["a"], maxResponseBytes: 1_000_000), server.url)
      #expect(failure == TransportError(.tooLarge(limit: 1_000_000), extent: .complete, status: 200))
    }
  }

  @Test func inflatedBodyEndsAtTheLimit() async throws {
    let bomb = try gzip(Data(repeating: 0, count: 200 << 20))
    let honest = try gzip(Data("hello".utf8))
    try await with({ _, text in .sayBytes(compressed(text.contains("/bomb") ? bomb : honest)) }) { transport, server in
      let failure = await failure(transport, Request(.get, ["bomb"]), server.url, .seconds(20))
      #expect(failure == TransportError(.tooLarge(limit: 8 << 20), extent: .complete, status: 200))
      let reply = try await transport.send(
        Request(.get, ["honest"]), to: server.url, with: SendOptions(deadline: .seconds(60)))
      #expect(reply.body == Data("hello".utf8))
    }
  }

  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", 200), ("HTTP/1.1 200 OK\r\nContent-Le", nil),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", 200),
      ("HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", 404),
    ] as [(String, Int?)])
  func incompleteResponseIsAnError(text: String, status: Int?) async throws {
    try await with({ _, _ in .sayAndClose(text) }) { transport, server in
      let failure = await failure(transport, Request(.post, ["a"]), server.url)
      #expect(failure == TransportError(.connectionClosed, extent: .complete, status: status))
      #expect(failure?.isAnswered == (status != nil))
    }
  }

  /// The codings of a body, and what is read of it.
  @Test func contentCodingIsDecoded() async throws {
    let hello = Data("hello".utf8)
    let member = try gzip(hello)
    let raw: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    let zlib: [UInt8] = [0x78, 0x9C] + raw + [0x06, 0x2C, 0x02, 0x15]
    let cases: [(coding: String, body: [UInt8], text: String?, fault: ContentCodingFault?)] = [
      ("gzip", member, "hello", nil), ("x-gzip", member, "hello", nil), ("GZIP", member + member, "hellohello", nil),
      ("gzip", member + (try gzip(Data())) + member, "hellohello", nil), ("deflate", zlib, "hello", nil),
      ("deflate", raw, "hello", nil), ("identity", Array(hello), "hello", nil), ("", Array(hello), "hello", nil),
      ("gzip, identity", member, "hello", nil), ("gzip, gzip", try gzip(Data(member)), "hello", nil),
      ("gzip", [], "", nil), ("br", [], "", nil),
      ("gzip", member + [0, 0, 0], nil, .trailingData), ("gzip", member + Array("x".utf8), nil, .trailingData),
      ("gzip", Array(hello), nil, .otherFormat("gzip")), ("deflate", Array(hello), nil, .otherFormat("deflate")),
      ("gzip", Array(member.dropLast(3)), nil, .truncated), ("gzip", Array(member.prefix(12)), nil, .truncated),
      ("gzip", member + member.dropLast(1), nil, .truncated), ("deflate", zlib + [0], nil, .trailingData),
      ("deflate", Array(zlib.dropLast(2)), nil, .truncated),
      ("gzip", member.dropLast(8) + Array(repeating: 7, count: 8), nil, .damaged),
      ("br", Array(hello), nil, .unsupported("br")), ("zstd", member, nil, .unsupported("zstd")),
      ("utf-8", Array(hello), nil, .unsupported("utf-8")),
    ]
    try await with({ number, _ in
      let (coding, body) = (cases[number - 1].coding, cases[number - 1].body)
      let field = coding.isEmpty ? "" : "Content-Encoding: \(coding)\r\n"
      return .sayBytes(Array("HTTP/1.1 200 OK\r\n\(field)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }) { transport, server in
      for (coding, body, text, fault) in cases {
        let result = await Result {
          try await transport.send(Request(.get, ["a"]), to: server.url, with: SendOptions(deadline: .seconds(60)))
        }
        switch result {
        case .success(let reply): #expect(String(decoding: reply.body, as: UTF8.self) == text, "\(coding) \(body)")
        case .failure(let error):
          let wanted = fault.map { TransportError(.undecodableContent($0), extent: .complete, status: 200) }
          #expect(error as? TransportError == wanted, "\(coding) \(body)")
        }
      }
    }
  }

  /// A server that drops every second request of a connection loses one request; then each has a connection of its own.
  @Test(arguments: [Networking.RequestMethod.get, .patch])
  func lostReusedConnectionDisablesReuse(method: Networking.RequestMethod) async throws {
    let server = try await TinyServer.perConnection { number, _ in number % 2 == 0 ? .close : .say(Self.ok) }
    let transport = HTTPTransport(version: "1.0")
    var losses = 0
    for count in 1...20 {
      let failure = await failure(transport, Request(count % 2 == 0 ? method : .get, ["a"]), server.url)
      if let failure { #expect(failure == TransportError(.connectionClosed, extent: .complete)) }
      losses += failure == nil ? 0 : 1
      #expect(server.requests.count == count)
    }
    #expect(losses == 1)
    await server.stop()
    await transport.shutdown()
  }

  @Test func responseThatIsNotHTTPIsAnError() async throws {
    try await with({ _, _ in .sayAndClose("SSH-2.0-OpenSSH\r\n\r\n") }) { transport, server in
      let failure = await failure(transport, Request(.post, ["a"]), server.url)
      #expect(failure?.mayHaveBeenSent == true && failure?.isAnswered == true)
    }
  }

  /// What lenient clients read is named as what it is.
  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\nContent-Length: 2\r\n\r\nok", TransportError.HTTPFault.headerField),
    ("HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nok", .headerField),
    ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2  \r\nok\r\n0\r\n\r\n", .chunkSize),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", .length),
    ("HTTP/1.1 200 OK\nContent-Length: 2\n\nok", .lineEnd),
  ])
  func faultInHTTPIsNamed(_ response: String, _ fault: TransportError.HTTPFault) async throws {
    try await with({ _, _ in .sayAndClose(response) }) { transport, server in
      let failure = await failure(transport, Request(.get, ["a"]), server.url)
      #expect(failure?.reason == .invalidHTTP(fault))
    }
  }

  /// A status that no response can have is a failure, with and without a body, after an informational response, over a kept
  /// connection and over one of its own, and the transport goes on.
  @Test(arguments: ["000", "001", "099", "1000", "-20", "2x0"])
  func invalidStatusIsAnError(status: String) async throws {
    let head = "HTTP/1.1 \(status) Odd\r\n"
    let responses = [
      head + "Content-Length: 2\r\n\r\nok", head + "Content-Length: 0\r\n\r\n", head + "\r\n" + Self.ok,
      "HTTP/1.1 103 Early Hints\r\n\r\n" + head + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ]
    try await with({ number, request in
      request.hasPrefix("GET /fine") ? .say(Self.ok) : .sayAndClose(responses[number / 2 % responses.count])
    }) { transport, server in
      for count in 0..<(responses.count * 2) {
        var request = Request(.patch, ["a"])
        request.recordsPhases = count >= responses.count
        let failure = await failure(transport, request, server.url)
        let expected = TransportError(.notHTTP("invalid HTTP status code"), extent: .complete)
        #expect(failure == expected, "\(count)")
        let reply = try await transport.send(Request(.get, ["fine"]), to: server.url, with: SendOptions())
        #expect(reply.status == 200)
      }
    }
  }

  @Test func endlessHeadersAreAnError() async throws {
    let head = "HTTP/1.1 200 OK\r\nX: " + String(repeating: "a", count: 400_000)
    try await with({ _, _ in .say(head) }) { transport, server in
      let failure = await failure(transport, Request(.get, ["a"]), server.url)
      #expect(failure == TransportError(.headerFieldsTooLong, extent: .complete))
      #expect(failure?.isAnswered == true)
    }
  }

  @Test func cancellationEndsTheRequest() async throws {
    try await with({ _, _ in .silence }) { transport, server in
      let task = Task { await failure(transport, Request(.get, ["a"]), server.url, .seconds(30)) }
      try await Waiting.until("the request") { !server.requests.isEmpty }
      task.cancel()
      #expect(await task.value == TransportError(.cancelled, extent: .complete))
      let late = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure(transport, Request(.get, ["late"]), server.url)
      }
      #expect(await late.value == TransportError(.cancelled, extent: .none))
      #expect(server.requests.count == 1)
    }
  }

  @Test func unsentRequestIsReportedAsUnsent() async throws {
    let closed = ClosedPort()
    let transport = HTTPTransport(version: "1.0")
    func result(_ url: String, _ request: Request = Request(.post, ["a"])) async -> TransportError? {
      await failure(transport, request, URL(string: url)!)
    }
    func unsent(_ reason: TransportError.Reason) -> TransportError { .init(reason, extent: .none) }
    #expect(await result(closed.url) == unsent(.connectionRefused))
    #expect(await result("https://nosuch.invalid") == unsent(.nameNotFound(host: "nosuch.invalid")))
    #expect(await result("http://example.com") == unsent(.insecureHost(host: "example.com")))
    #expect(await result("http://127.0.0.1.example.com") == unsent(.insecureHost(host: "127.0.0.1.example.com")))
    // Ports that no socket has: the library would crash.
    for port in ["0", "65536", "70000", "99999999999999999999"] {
      #expect(await result("http://127.0.0.1:\(port)") == unsent(.invalidURL("http://127.0.0.1:\(port)")))
    }
    for url in ["ftp://127.0.0.1", "http://kim@127.0.0.1", "http://kim:secret@127.0.0.1", "http://:secret@127.0.0.1"] {
      #expect(await result(url) == unsent(.invalidURL(url)))
    }
    let broken = Request(.get, ["a"], headers: [HeaderField("identifier", "a\r\nb: c")])
    #expect(await result(closed.url, broken) == unsent(.invalidHeader("identifier")))
    await transport.shutdown()
  }

  /// Through a client that was used before and through a new one.
  @Test(arguments: [Duration.seconds(10), .seconds(11)])
  func nothingIsSentAfterShutdown(connect: Duration) async throws {
    let server = try await TinyServer(always: .say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let transport = HTTPTransport(version: "0")
    defer { transport.shutdownImmediately() }
    var options = SendOptions(deadline: .seconds(60))
    _ = try await transport.send(Request(.get, ["a"]), to: server.url, with: options)
    await transport.shutdown()
    options.limits.connect = connect
    await #expect(throws: TransportError(.cancelled, extent: .none)) {
      try await transport.send(Request(.post, ["b"]), to: server.url, with: options)
    }
    #expect(server.requests.count == 1)
    await server.stop()
  }

  @Test func plainTextOnATLSPortIsNotSent() async throws {
    try await with({ _, _ in .close }) { transport, server in
      let url = URL(string: "https://127.0.0.1:\(server.port)")!
      let failure = await failure(transport, Request(.post, ["a"]), url, .milliseconds(500))
      #expect(failure?.mayHaveBeenSent == false)
    }
  }

  private func gzip(_ data: Data) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", data.count > 100 ? "head -c \(data.count) /dev/zero | gzip -c" : "gzip -c"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    if data.count <= 100 { try input.fileHandleForWriting.write(contentsOf: data) }
    try input.fileHandleForWriting.close()
    return Array(try output.fileHandleForReading.readToEnd() ?? Data())
  }
}

private func compressed(_ body: [UInt8]) -> [UInt8] {
  Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}
