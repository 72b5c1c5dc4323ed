import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The server's protection against misbehaving clients.
@Suite(.serialized, .timeLimit(Trial.limit)) struct ConnectionGuardTests {
  /// What surrounds the chunks of a body counts too: it has no end otherwise.
  @Test(arguments: ["5;", "5;name=", "5;\"", "0000"]) func endlessChunkExtensionIsRefused(_ beginning: String)
    async throws
  {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send(
        "POST /api/products HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + beginning)
      for _ in 0..<4 { conversation.send(Data(repeating: UInt8(ascii: "0"), count: 16 * 1024)) }
      let answer = try await conversation.answer()
      #expect(answer.status == 400, "\(answer)")
      #expect(answer.text.contains(beginning == "5;\"" ? "unambiguous" : "chunks"), "\(answer.text)")
    }
  }

  /// A body in chunks of one byte is read.
  @Test func smallestChunksAreRead() async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      let body = Data((#"{"secret":"\#(Market.demo.secret)"}"# + String(repeating: " ", count: 40_000)).utf8)
      var sent = Data(
        ("PATCH /api/products/9 HTTP/1.1\r\nHost: localhost\r\nidentifier: \(Market.demo.identifier)\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n").utf8)
      for byte in body { sent += Data("1\r\n".utf8) + [byte] + Data("\r\n".utf8) }
      conversation.send(sent + Data("0\r\n\r\n".utf8))
      #expect(try await conversation.answer().line == #"404 {"code":404,"message":"Product 9 does not exist"}"#)
    }
  }

  private static let chunkedHead =
    "PATCH /api/products/1 HTTP/1.1\r\nHost: localhost\r\nidentifier: \(Market.demo.identifier)\r\n"
    + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let change = #"{"secret":"\#(Market.demo.secret)","stock":88}"#

  /// Returns a chunk with an extension of `size` bytes.
  private static func chunk(_ content: String, extension size: Int = 0) -> String {
    let note = size > 0 ? ";" + String(repeating: "x", count: size - 1) : ""
    return String(content.utf8.count, radix: 16) + note + "\r\n" + content + "\r\n"
  }

  /// A refused body changes nothing, even if its content was read before the fault.
  @Test(arguments: [
    ("an extension before the only content", chunk(change, extension: 30_001) + "0\r\n\r\n"),
    ("extensions after the content", chunk(change) + String(repeating: chunk(" ", extension: 1_500), count: 12)),
    (
      "extensions after the content, and the end",
      chunk(change) + String(repeating: chunk(" ", extension: 1_500), count: 60) + "0\r\n\r\n"
    ),
    ("no chunk after the content", chunk(change) + "xy\r\n"),
  ])
  func refusedBodyHasNoEffect(_ name: String, _ body: String) async throws {
    let lines = Mutex<[String]>([])
    try await Market.with(log: { line in lines.withLock { $0.append(line) } }) { market in
      #expect(try await market.create(Parts.params).status == 201)
      let conversation = try Conversation(market.url)
      conversation.send(ConnectionGuardTests.chunkedHead)
      // The server has one thread: what came before this request is read, and other handlers have the head.
      #expect(try await market.get("/healthChecker").status == 200)
      conversation.send(body)
      #expect(try await conversation.answer().status == 400)
      #expect(try await conversation.rest() == "")
      #expect(try await market.get("/api/products/1").text.contains(#""stock":2,"#))
    }
    // The market has stopped: no other line follows.
    let changes = lines.withLock { $0.filter { $0.contains(" PATCH ") } }
    #expect(changes.count == 1 && changes[0].contains(" 400 "), "\(changes)")
  }

  /// The end of the connection is not the end of a body in chunks.
  @Test(arguments: [false, true]) func bodyWithoutItsLastChunkHasNoEffect(_ isReset: Bool) async throws {
    let lines = Mutex<[String]>([])
    @Sendable func changes() -> [String] { lines.withLock { $0.filter { $0.contains(" PATCH ") } } }
    try await Market.with(log: { line in lines.withLock { $0.append(line) } }) { market in
      #expect(try await market.create(Parts.params).status == 201)
      var conversation: Conversation? = try Conversation(market.url)
      conversation?.send(ConnectionGuardTests.chunkedHead + ConnectionGuardTests.chunk(ConnectionGuardTests.change))
      #expect(try await market.get("/healthChecker").status == 200)
      if isReset { conversation?.reset() }
      conversation = nil
      try await Waiting.until("a line of the log") { !changes().isEmpty }
      #expect(try await market.get("/api/products/1").text.contains(#""stock":2,"#))
    }
    #expect(changes().count == 1 && !changes()[0].contains(" 200 "), "\(changes())")
  }

  /// What the decoder takes from one read counts too: an extension that is read together with the head, the content and the
  /// end of its request.
  @Test(arguments: [(15_000, true), (20_000, false), (30_001, false), (60_000, false)])
  func frameOfOneReadIsCounted(_ size: Int, _ isPassedOn: Bool) throws {
    let handler = RequestHandler(
      routes: Router(), api: EmptyAPI(), addresses: ServedAddresses(host: "127.0.0.1"), limits: ServerLimits(),
      clock: { MarketTime(Market.noon) })
    let meter = ByteMeter()
    let connection = ConnectionGuard(
      limits: ServerLimits(), handler: handler, connections: ConnectionTable(ServerLimits()), meter: meter)
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers([
      meter, ByteToMessageHandler(HTTPRequestDecoder()), connection,
    ])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let get = "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n"
    // The bytes of the request before it are not counted.
    try channel.writeInbound(
      ByteBuffer(
        string: get + ConnectionGuardTests.chunkedHead
          + ConnectionGuardTests.chunk(ConnectionGuardTests.change, extension: size) + "0\r\n\r\n"))
    var methods: [HTTPMethod] = []
    while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
      if case .head(let head) = part { methods.append(head.method) }
    }
    #expect(methods == (isPassedOn ? [.GET, .PATCH] : [.GET]))
    _ = try channel.finish(acceptAlreadyClosed: true)
  }

  static let length = "Content-Length: 2\r\n"

  @Test(arguments: [
    (
      "two lengths", "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)Content-Length: 3\r\n\r\nab",
      "Content-Length must be one number"
    ),
    (
      "same length twice", "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)\(length)\r\nab",
      "Content-Length must be one number"
    ),
    (
      "length and chunks",
      "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "This is not an unambiguous HTTP/1.1 request"
    ),
    (
      "strange coding", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "Transfer-Encoding must be chunked, in HTTP/1.1"
    ),
    (
      "signed length", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +2\r\n\r\nab",
      "Content-Length must be one number"
    ),
    ("no host", "GET /healthChecker HTTP/1.1\r\n\r\n", "The Host field is missing"),
    (
      "two hosts", "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n",
      "There is more than one Host field"
    ),
    (
      "blank before colon", "GET /healthChecker HTTP/1.1\r\nHost : localhost\r\n\r\n",
      "A header field holds a character that is not allowed there"
    ),
    (
      "user in the address", "GET http://u@localhost/healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "The address must begin with /; the host is in the Host field"
    ),
    ("no HTTP", "hello\r\n\r\n", "The method is unknown; methods are in capital letters"),
    (
      "not encoded", "GET /api/products?search_value=한강 HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "The address holds characters that must be percent-encoded"
    ),
    (
      "small letters", "get / HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "The method is unknown; methods are in capital letters"
    ),
    (
      "no chunk", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxy\r\n",
      "The body is not in chunks as Transfer-Encoding says"
    ),
  ])
  func ambiguousRequestIsRefusedAndClosed(_ name: String, _ text: String, _ reason: String) async throws {
    let lines = Mutex<[String]>([])
    try await Market.with(log: { line in lines.withLock { $0.append(line) } }) { market in
      let conversation = try Conversation(market.url)
      conversation.send(text)
      let answer = try await conversation.rest()
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n{\"code\":400,\"message\":\"Bad Request: \(reason)\"}"))
      #expect(answer.components(separatedBy: "HTTP/1.1 400").count == 2)
      // The line is written on another thread, and is the only one.
      try await Waiting.until("a line of the log") { !lines.withLock(\.isEmpty) }
      #expect(try await market.ask("GET", "/healthChecker").status == 200)
      try await Waiting.until("the next line of the log") { lines.withLock { $0.count >= 2 } }
      let (line, next) = lines.withLock { ($0[0], $0[1]) }
      #expect(next.contains("GET /healthChecker 200"), "\(next)")
      #expect(line.contains(" 400 ") && line.hasSuffix(#" from=127.0.0.1 reason="Bad Request: \#(reason)""#), "\(line)")
    }
  }

  @Test(arguments: [
    ("localhost", 200), ("localhost:1", 200), ("LOCALHOST", 200), ("127.0.0.1:80", 200), ("[::1]:80", 200),
    ("[::1]", 200), ("[0:0:0:0:0:0:0:1]:80", 200), ("[::ffff:127.0.0.1]", 200), ("[::ffff:10.0.0.1]", 421),
    ("evil.example", 421), ("127.0.0.1.evil.example:80", 421), ("10.0.0.1", 421), ("localhost:x", 421), ("", 421),
  ])
  func foreignHostIsAnsweredWith421(_ host: String, _ status: Int) async throws {
    try await Market.with { market in
      let answer = try await market.ask("GET", "/healthChecker", host: host)
      #expect(answer.status == status)
    }
  }

  /// A target in absolute form names the host that counts (RFC 9112 section 3.2.2).
  @Test(arguments: [
    ("http://localhost:1/healthChecker", 200), ("HTTP://127.0.0.1/healthChecker", 200),
    ("http://evil.example/healthChecker", 421), ("http://localhost/nothing", 404),
  ])
  func absoluteFormIsRead(_ target: String, _ status: Int) async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(try await conversation.rest().hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  /// A client of HTTP/1.0 reads to the end of the connection.
  @Test(arguments: [("Host: localhost\r\n", "HTTP/1.1 200 "), ("", "HTTP/1.1 421 ")])
  func connectionOfHTTP10IsClosed(_ host: String, _ status: String) async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send("GET /healthChecker HTTP/1.0\r\n\(host)\r\n")
      #expect(try await conversation.rest().hasPrefix(status))
    }
  }

  @Test func crossOriginWriteIsRefused() async throws {
    try await Market.with { market in
      let answer = try await market.create(Parts.params, headers: ["Origin: http://localhost"])
      #expect(answer.line == #"403 {"code":403,"message":"Invalid CORS request"}"#)
      #expect(answer.headers["access-control-allow-origin"] == nil)
      let effects = try await market.server.auditLog()
      #expect(effects.isEmpty)
    }
  }

  @Test(arguments: [
    ("GET /" + String(repeating: "a", count: 12_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 414, "URI Too Long"),
    (
      "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "a", count: 20_000) + "\r\n\r\n", 431,
      "Request Header Fields Too Large"
    ),
    (
      "GET / HTTP/1.1\r\nHost: localhost\r\n" + String(repeating: "X: a\r\n", count: 200) + "\r\n", 431,
      "Request Header Fields Too Large"
    ),
  ])
  func largeHeadIsRefusedInTheEditionsWords(_ text: String, _ status: Int, _ words: String) async throws {
    for (edition, body) in [
      (ServedEdition.open, #"{"code":\#(status),"message":"\#(words)"}"#),
      (.camp1, #"{"error":true,"reason":"\#(words)"}"#),
    ] {
      try await Market.with(edition) { market in
        let conversation = try Conversation(market.url)
        conversation.send(text)
        let answer = try await conversation.answer()
        #expect(answer.line == "\(status) \(body)")
        #expect(answer.headers["content-type"] == "application/json")
        #expect(answer.headers["connection"] == "close")
      }
    }
  }

  @Test func unsupportedMethodGetsAllow() async throws {
    try await Market.with { market in
      let answer = try await market.ask("PUT", "/api/products")
      #expect(answer.line == #"405 {"code":405,"message":"Request method 'PUT' not supported"}"#)
      #expect(answer.headers["allow"] == "GET, HEAD, POST")
    }
  }

  /// The limits that the article Serving promises.
  @Test func limitsEqualThoseOfTheServingArticle() {
    let limits = ServerLimits()
    #expect(limits.connections == 4096 && limits.nearlyFull == 3072 && limits.silentConnectionsPerAddress == 256)
    #expect(limits.totalBodyBytes == 512 << 20 && limits.bodyBytes == 10 << 20)
    #expect(limits.pathBytes == 8 << 10 && limits.headBytes == 16 << 10 && limits.headFields == 100)
    #expect(limits.firstByteTime == .seconds(5) && limits.headerTimeout == .seconds(10))
    #expect(limits.requestTime == .seconds(60) && limits.timeoutResetBytes == 64 << 10)
    #expect(limits.idleTimeout == .seconds(60) && limits.graceTime == .milliseconds(500))
    #expect(limits.noticeInterval == .seconds(60))
  }

  /// The process keeps 128 files for itself, or half of them if it may open few.
  @Test(arguments: [(1_048_576, 4096), (4224, 4096), (4223, 4095), (1024, 896), (256, 128), (100, 50)])
  func connectionLimitFitsTheDescriptorLimit(_ descriptors: Int, _ connections: Int) {
    #expect(ServerLimits().fitting(descriptors: descriptors).connections == connections)
  }

  /// A client that asks and doesn't read is given up.
  @Test func clientThatDoesNotReadIsClosed() async throws {
    var limits = ServerLimits()
    limits.requestTime = .milliseconds(50)
    try await Market.with(.open, empty: false, limits: limits) { market in
      let ask = "GET /api/products?page_no=1&items_per_page=141 HTTP/1.1\r\nHost: localhost\r\n\r\n"
      let size = try await market.get("/api/products?page_no=1&items_per_page=141").text.utf8.count
      // More than the buffers of both sides hold.
      let count = 8_000_000 / size
      for wait in [1, 4, 16, 60] {
        let conversation = try Conversation(market.url, receiveBuffer: 4_096)
        Thread.detachNewThread { conversation.send(String(repeating: ask, count: count)) }
        try await Task.sleep(for: .seconds(wait))
        // What was sent before is read; a server that waits would send all of it.
        guard let text = try? await conversation.rest() else { return }
        if text.utf8.count < count * size { return }
      }
      Issue.record("a server sent everything after a minute")
    }
  }

  @Test func slowHeadIsClosed() async throws {
    var limits = ServerLimits()
    limits.headerTimeout = .milliseconds(50)
    try await Market.with(limits: limits) { market in
      let conversation = try Conversation(market.url)
      conversation.send("GET /healthChecker HTTP/1.1\r\nHost: loc")
      #expect(try await conversation.rest() == "")
    }
  }

  /// A connection without any byte is closed sooner than one with an incomplete request.
  @Test func silentConnectionIsClosedFirst() async throws {
    var limits = ServerLimits()
    limits.firstByteTime = .milliseconds(50)
    try await Market.with(limits: limits) { market in
      let begun = try Conversation(market.url)
      begun.send("GET /healthChecker HTTP/1.1\r\nHost: loc")
      let silent = try Conversation(market.url)
      #expect(try await silent.rest() == "")
      begun.send("alhost\r\n\r\n")
      #expect(try await begun.answer().status == 200)
    }
  }

  /// Silent, half-open and idle connections fill the server: the next request is served, and the connection that has
  /// been idle for longest is closed for it.
  @Test func longestIdleConnectionIsClosedForANewOne() async throws {
    var limits = ServerLimits()
    (limits.connections, limits.graceTime) = (8, .milliseconds(10))
    let notices = Mutex<[ConnectionNotice]>([])
    try await Market.with(limits: limits, notify: { notice in notices.withLock { $0.append(notice) } }) { market in
      var idle: [Conversation] = []
      for number in 0..<24 {
        let conversation = try Conversation(market.url)
        if number % 3 == 1 { conversation.send("POST / HT") }
        if number % 3 == 2 {
          conversation.send("GET /healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n")
          #expect(try await conversation.answer().status == 200)
        }
        idle.append(conversation)
      }
      #expect(try await market.get("/healthChecker").status == 200)
      for number in [0, 2] { #expect(try await idle[number].rest() == "") }
    }
    // One address may have half of the connections when the server is nearly full. Each kind is reported once.
    let kinds = notices.withLock { $0.map(\.kind) }
    #expect(kinds.contains(.share) && Set(kinds).count == kinds.count, "\(kinds)")
  }

  /// Connections that never sent a byte are limited for each address, long before the server is full.
  @Test func silentConnectionsPerAddressAreLimited() async throws {
    var limits = ServerLimits()
    (limits.silentConnectionsPerAddress, limits.graceTime) = (4, .zero)
    let notices = Mutex<[ConnectionNotice]>([])
    try await Market.with(limits: limits, notify: { notice in notices.withLock { $0.append(notice) } }) { market in
      let asking = try Conversation(market.url)
      let ask = "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n"
      asking.send(ask)
      #expect(try await asking.answer().status == 200)
      let silent = try (0..<6).map { _ in try Conversation(market.url) }
      // Two event loops may register neighbors in another order, and then one of these ends with its time limit.
      #expect(try await silent[0].rest() == "")
      #expect(try await silent[1].rest() == "")
      // All six are registered now, so that this one is the last.
      let last = try Conversation(market.url)
      last.send(ask)
      #expect(try await last.answer().status == 200)
      asking.send(ask)
      #expect(try await asking.answer().status == 200)
    }
    #expect(
      notices.withLock { $0 } == [ConnectionNotice(kind: .silent, address: "127.0.0.1", closedCount: 1, limit: 4)])
  }

  /// A request that was read is always served, however many more arrive.
  @Test func requestThatWasReadIsAlwaysServed() async throws {
    var limits = ServerLimits()
    limits.connections = 6
    try await Market.with(limits: limits, faults: FaultPlan(delay: .constant(100))) { market in
      let ask = "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let busy = try (0..<12).map { _ in try Conversation(market.url) }
      for conversation in busy { conversation.send(ask) }
      for conversation in busy { #expect(try await conversation.rest().hasPrefix("HTTP/1.1 200 ")) }
    }
  }

  /// Thirty students with six connections each, all from one address.
  @Test func manyConnectionsOfOneAddressAreServed() async throws {
    try await Market.with { market in
      let open = try (0..<180).map { _ in try Conversation(market.url) }
      for _ in 0..<2 {
        for conversation in open { conversation.send("GET /healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        for conversation in open { #expect(try await conversation.answer().status == 200) }
      }
    }
  }

  /// Uploads that take too much memory: the one that has made no progress for longest is closed.
  @Test func slowestUploadIsClosedAtTheMemoryLimit() async throws {
    var limits = ServerLimits()
    (limits.totalBodyBytes, limits.timeoutResetBytes) = (3000, 1000)
    let notices = Mutex<[ConnectionNotice]>([])
    let lines = Mutex<[String]>([])
    try await Market.with(
      limits: limits, log: { line in lines.withLock { $0.append(line) } },
      notify: { notice in notices.withLock { $0.append(notice) } }
    ) { market in
      let stalled = try Conversation(market.url)
      let head = "POST /api/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n"
      stalled.send(head + String(repeating: "a", count: 2000))
      // The server has one thread: what came before this request is read.
      #expect(try await market.get("/healthChecker").status == 200)
      let next = try Conversation(market.url)
      next.send(head + String(repeating: "a", count: 2000))
      #expect(try await stalled.rest() == "")
      // One line for the upload, one for the notice, in either order, besides that of the other request.
      try await Waiting.until("three lines of the log") { lines.withLock(\.count) >= 3 }
      let reason = #"reason="Closed after 2000 of 9000 bytes of the body, because uploads took too much memory""#
      #expect(lines.withLock { $0.filter { $0.hasSuffix(reason) }.count } == 1)
    }
    #expect(notices.withLock { $0.map(\.kind) } == [.uploads])
  }

  @Test func slowBodyIsClosed() async throws {
    var limits = ServerLimits()
    limits.requestTime = .milliseconds(50)
    let lines = Mutex<[String]>([])
    try await Market.with(limits: limits, log: { line in lines.withLock { $0.append(line) } }) { market in
      let conversation = try Conversation(market.url)
      conversation.send(
        "POST /api/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n"
          + "identifier: \(Market.demo.identifier)\r\n\r\nabc")
      #expect(try await conversation.rest() == "")
      try await Waiting.until("a line of the log") { !lines.withLock(\.isEmpty) }
    }
    let expected =
      "POST /api/products - 0 B from=127.0.0.1 vendor=\(Market.demo.vendorID) name=\"\(Market.demo.name)\" "
      + "reason=\"Closed after 3 of 100 bytes of the body: less than 1 kB/s arrived for 1 s\""
    #expect(lines.withLock { $0 }.map { $0.replacing(#/^.*?Z | \d+ ms/#, with: "") } == [expected])
  }

  /// A body that takes longer than the limit but makes progress; then the same with a market for which that progress is
  /// too slow.
  @Test(arguments: [(10, true), (1000, false)])
  func bodyThatMakesProgressIsRead(_ progress: Int, _ isRead: Bool) throws {
    var limits = ServerLimits()
    (limits.requestTime, limits.timeoutResetBytes) = (.seconds(2), progress)
    let handler = RequestHandler(
      routes: Router(), api: EmptyAPI(), addresses: ServedAddresses(host: "127.0.0.1"), limits: limits,
      clock: { MarketTime(Market.noon) })
    // The test advances the time of this channel.
    let channel = EmbeddedChannel(
      handler: ConnectionGuard(
        limits: limits, handler: handler, connections: ConnectionTable(limits), meter: ByteMeter()))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let head = HTTPRequestHead(
      version: .http1_1, method: .POST, uri: "/api/products", headers: ["Host": "localhost", "Content-Length": "60"])
    try channel.writeInbound(HTTPServerRequestPart.head(head))
    for _ in 1...6 where channel.isActive {
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
      if channel.isActive { try channel.writeInbound(HTTPServerRequestPart.body(ByteBuffer(string: "0123456789"))) }
    }
    #expect(channel.isActive == isRead)
    // The body isn't complete in either case.
    #expect(throws: IncompleteRequest.self) { _ = try channel.finish(acceptAlreadyClosed: true) }
  }

  /// An API without any route.
  private struct EmptyAPI: APIHandler {
    func registerRoutes(on routes: inout Router) {}
    func response(to refusal: MarketHTTPError) -> MarketResponse { .text(refusal.message) }
    func words(of refusal: MarketHTTPError) -> String { refusal.message }
  }

  @Test func largeBodyIsRefused() async throws {
    var limits = ServerLimits()
    limits.bodyBytes = 1000
    try await Market.with(limits: limits) { market in
      let line = try await market.create(Parts.params, images: 5).line
      #expect(
        line == #"413 {"code":413,"message":"Maximum upload size of 1000 bytes exceeded"}"#)
    }
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      let ask = "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n"
      conversation.send(ask + "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n" + ask)
      #expect(try await conversation.answer().line == #"200 "OK""#)
      #expect(try await conversation.answer().status == 404)
      #expect(try await conversation.answer().line == #"200 "OK""#)
    }
  }

  /// An error after a request that is being served: the response to that request is first.
  @Test func errorResponseWaitsForEarlierResponses() async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send(
        "GET /api/products/1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      #expect(try await conversation.answer().status == 404)
      #expect(try await conversation.rest().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }
  }

  @Test(arguments: [("/healthChecker", 200), ("/nowhere", 404), ("/api/products/999", 404), ("/api/products/x", 400)])
  func headResponseHasNoBody(_ path: String, _ status: Int) async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = try await conversation.rest()
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func expect100IsAnsweredWith100() async throws {
    try await Market.with { market in
      let body = Parts.product(Parts.params, images: 1)
      let conversation = try Conversation(market.url)
      conversation.send(
        "POST /api/products HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: \(body.count)\r\n"
          + "identifier: \(Market.demo.identifier)\r\nContent-Type: multipart/form-data; boundary=XYZ\r\n\r\n")
      #expect(try await conversation.answer().status == 100)
      conversation.send(body)
      #expect(try await conversation.answer().status == 201)
    }
  }

  /// An HTTP/1.0 client knows no interim response.
  @Test(arguments: ["100-continue", "100-Continue"])
  func http10ClientGetsNoInterimResponse(_ value: String) async throws {
    try await Market.with { market in
      let body = Parts.product(Parts.params, images: 1)
      let conversation = try Conversation(market.url)
      conversation.send(
        "POST /api/products HTTP/1.0\r\nHost: localhost\r\nExpect: \(value)\r\nContent-Length: \(body.count)\r\n"
          + "identifier: \(Market.demo.identifier)\r\nContent-Type: multipart/form-data; boundary=XYZ\r\n\r\n")
      conversation.send(body)
      #expect(try await conversation.answer().status == 201)
    }
  }

  /// Of a burst, the first connection that is closed is reported at once, and the others a while later.
  @Test func closedConnectionsOfABurstAreReported() async throws {
    var limits = ServerLimits()
    (limits.silentConnectionsPerAddress, limits.graceTime) = (4, .zero)
    limits.noticeInterval = .seconds(1)
    let notices = Mutex<[ConnectionNotice]>([])
    try await Market.with(limits: limits, notify: { notice in notices.withLock { $0.append(notice) } }) { market in
      var open: [Conversation] = []
      for _ in 1...10 {
        open.append(try Conversation(market.url))
        try await Task.sleep(for: .milliseconds(10))
      }
      try await Waiting.until("the notice of the rest") {
        notices.withLock { $0.reduce(0) { $0 + $1.closedCount } } >= 6
      }
      _ = open
    }
    let told = notices.withLock { $0 }
    #expect(told.first?.closedCount == 1 && told.reduce(0) { $0 + $1.closedCount } == 6, "\(told)")
    #expect(told.allSatisfy { $0.kind == .silent && $0.address == "127.0.0.1" })
  }
}
