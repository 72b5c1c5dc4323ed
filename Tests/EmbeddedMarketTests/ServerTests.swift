import Foundation
import NIOCore
import Pacing
import Testing

@testable import EmbeddedMarket

/// The server's protection against misbehaving clients.
@Suite(.serialized, .timeLimit(Trial.limit)) struct ServerTests {
  static let length = "Content-Length: 2\r\n"

  @Test(arguments: [
    ("two lengths", "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)Content-Length: 3\r\n\r\nab"),
    ("same length twice", "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)\(length)\r\nab"),
    ("length and chunks", "POST / HTTP/1.1\r\nHost: localhost\r\n\(length)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ("strange coding", "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
    ("signed length", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +2\r\n\r\nab"),
    ("no host", "GET /healthChecker HTTP/1.1\r\n\r\n"),
    ("two hosts", "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n"),
    ("blank before colon", "GET /healthChecker HTTP/1.1\r\nHost : localhost\r\n\r\n"),
    ("whole address", "GET http://localhost/healthChecker HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    ("no HTTP", "hello\r\n\r\n"),
  ])
  func ambiguityIsRefusedAndClosed(_ name: String, _ text: String) async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send(text)
      let answer = try await conversation.rest()
      #expect(answer.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n{\"code\":400,\"message\":\"Bad Request\"}"))
      #expect(answer.components(separatedBy: "HTTP/1.1").count == 2)
    }
  }

  @Test(arguments: [
    ("localhost", 200), ("localhost:1", 200), ("LOCALHOST", 200), ("127.0.0.1:80", 200), ("[::1]:80", 200),
    ("[::1]", 200),
    ("evil.example", 421), ("127.0.0.1.evil.example:80", 421), ("10.0.0.1", 421), ("localhost:x", 421), ("", 421),
  ])
  func hosts(_ host: String, _ status: Int) async throws {
    try await Market.with { market in
      let answer = try await market.ask("GET", "/healthChecker", host: host)
      #expect(answer.status == status)
    }
  }

  @Test func pagesOfTheWebMayNotWrite() async throws {
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
  func largeHeadsAreRefusedInTheEditionsWords(_ text: String, _ status: Int, _ words: String) async throws {
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

  @Test func anotherMethodIsToldWhichThereAre() async throws {
    try await Market.with { market in
      let answer = try await market.ask("PUT", "/api/products")
      #expect(answer.line == #"405 {"code":405,"message":"Request method 'PUT' not supported"}"#)
      #expect(answer.headers["allow"] == "GET, HEAD, POST")
    }
  }

  @Test func slowHeadsAreClosed() async throws {
    var limits = ServerLimits()
    limits.headerTimeout = .milliseconds(50)
    try await Market.with(limits: limits) { market in
      let conversation = try Conversation(market.url)
      conversation.send("GET /healthChecker HTTP/1.1\r\nHost: loc")
      #expect(try await conversation.rest() == "")
    }
  }

  /// A connection without any byte is closed sooner than one with an incomplete request.
  @Test func silentConnectionsAreClosed() async throws {
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

  /// Silent, half-open and idle connections fill the server or their address: the next request is served, and the
  /// connections that have waited longest are closed for it.
  @Test(arguments: [(8, 100), (100, 4)])
  func idleConnectionsMakeRoom(_ connections: Int, _ perAddress: Int) async throws {
    var limits = ServerLimits()
    (limits.connections, limits.connectionsPerAddress) = (connections, perAddress)
    limits.graceTime = .milliseconds(10)
    try await Market.with(limits: limits) { market in
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
  }

  /// A request that was read is always served, however many more arrive.
  @Test func requestsThatWereReadAreServed() async throws {
    var limits = ServerLimits()
    (limits.connections, limits.connectionsPerAddress) = (6, 3)
    try await Market.with(limits: limits, faults: FaultInjection(delay: .milliseconds(100))) { market in
      let ask = "GET /healthChecker HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      let busy = try (0..<12).map { _ in try Conversation(market.url) }
      for conversation in busy { conversation.send(ask) }
      for conversation in busy { #expect(try await conversation.rest().hasPrefix("HTTP/1.1 200 ")) }
    }
  }

  @Test func slowBodiesAreClosed() async throws {
    var limits = ServerLimits()
    limits.requestTime = .milliseconds(50)
    try await Market.with(limits: limits) { market in
      let conversation = try Conversation(market.url)
      conversation.send("POST /api/products HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
      #expect(try await conversation.rest() == "")
    }
  }

  /// A body that takes longer than the limit but makes progress; then the same with a market for which that progress is
  /// too slow.
  @Test(arguments: [(10, "HTTP/1.1 4"), (1000, "")])
  func aBodyThatGetsOnIsRead(_ progress: Int, _ answer: String) async throws {
    var limits = ServerLimits()
    (limits.requestTime, limits.timeoutResetBytes) = (.seconds(4), progress)
    try await Market.with(limits: limits) { market in
      let conversation = try Conversation(market.url)
      conversation.send(
        "POST /api/products HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 60\r\n\r\n")
      for _ in 1...6 {
        try await Task.sleep(for: .seconds(1))
        conversation.send("0123456789")
      }
      #expect(try await conversation.rest().prefix(10) == answer)
    }
  }

  @Test func largeBodiesAreRefused() async throws {
    var limits = ServerLimits()
    limits.bodyBytes = 1000
    try await Market.with(limits: limits) { market in
      let line = try await market.create(Parts.params, images: 5).line
      #expect(
        line == #"413 {"code":413,"message":"Maximum upload size of 1000 bytes exceeded"}"#)
    }
  }

  @Test func connectionsStayOpenAndInOrder() async throws {
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
  @Test func aRefusalWaitsForItsTurn() async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send(
        "GET /api/products/1 HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
      #expect(try await conversation.answer().status == 404)
      #expect(try await conversation.rest().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }
  }

  @Test(arguments: [("/healthChecker", 200), ("/nowhere", 404), ("/api/products/999", 404), ("/api/products/x", 400)])
  func headIsAnsweredWithoutABody(_ path: String, _ status: Int) async throws {
    try await Market.with { market in
      let conversation = try Conversation(market.url)
      conversation.send("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = try await conversation.rest()
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test func aBodyMayBeAnnounced() async throws {
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
}
