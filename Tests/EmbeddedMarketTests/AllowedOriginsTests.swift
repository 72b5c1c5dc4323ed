import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The web pages that may use the API from a browser.
@Suite(.timeLimit(Trial.limit)) struct AllowedOriginsTests {
  /// An origin as a browser sends it, whether the pages of this machine alone have it, and whether it is one that was named.
  @Test(arguments: [
    ("http://localhost:5173", true, false), ("http://localhost", true, false), ("https://127.0.0.1:8443", true, false),
    ("http://[::1]:3000", true, false), ("http://app.example", false, true), ("http://app.example:80", false, true),
    ("HTTP://App.Example", false, true), ("https://app.example", false, false), ("http://app.example:81", false, false),
    ("https://shop.example:8443", false, true), ("https://shop.example", false, false),
    // Names that only look like those of this machine or of the named page.
    ("http://localhost.evil.example", false, false), ("http://evil.example/localhost", false, false),
    ("http://evil.example#localhost", false, false), ("http://localhost@evil.example", false, false),
    ("http://127.0.0.1.evil.example", false, false), ("http://127.0.0.2", false, false),
    ("http://app.example.evil.example", false, false), ("http://evil-app.example", false, false),
    ("http://app.example, http://localhost", false, false), ("null", false, false), ("", false, false),
    ("*", false, false), ("http://*", false, false), ("file://", false, false), ("file:///index.html", false, false),
    ("localhost", false, false), ("http://", false, false), ("chrome-extension://abc", false, false),
  ])
  func originIsRecognized(_ origin: String, _ isOfThisMachine: Bool, _ isNamed: Bool) throws {
    let named = ["http://app.example", "https://shop.example:8443"]
    #expect(!AllowedOrigins.none.contains(origin))
    #expect(try #require(AllowedOrigins([], includesLoopback: true)).contains(origin) == isOfThisMachine)
    #expect(try #require(AllowedOrigins(named, includesLoopback: false)).contains(origin) == isNamed)
    #expect(
      try #require(AllowedOrigins(named, includesLoopback: true)).contains(origin) == (isOfThisMachine || isNamed))
  }

  @Test(arguments: [
    "", "*", "null", "app.example", "http://app.example/", "http://a.example/x", "http://u@a.example",
    "ftp://a.example",
  ])
  func textThatIsNoOriginIsRefused(_ text: String) {
    #expect(AllowedOrigins(["http://app.example", text], includesLoopback: true) == nil)
  }

  // MARK: Requests

  private static func with(_ origins: [String]? = [], _ body: (Market) async throws -> Void) async throws {
    try await Market.with(
      adjust: { options in
        options.origins = origins.flatMap { AllowedOrigins($0, includesLoopback: true) } ?? .none
      }, body)
  }

  /// The fields of a response by which a browser decides, in the order of their names.
  private static func decision(_ answer: Conversation.Answer) -> String {
    answer.headers.filter { $0.key.hasPrefix("access-control-") || $0.key == "vary" }.sorted { $0.key < $1.key }
      .map { "\($0.key): \($0.value)" }.joined(separator: "\n")
  }

  /// A browser asks before it sends a write of an allowed page, and learns the methods of the path.
  @Test func preflightNamesTheMethods() async throws {
    try await Self.with { market in
      let fields = [
        "Origin: http://localhost:5173", "Access-Control-Request-Method: PATCH",
        "Access-Control-Request-Headers: content-type, Identifier,bad name",
        "Access-Control-Request-Private-Network: true",
      ]
      let answer = try await market.ask("OPTIONS", "/api/products/3", headers: fields)
      #expect(answer.status == 204 && answer.body.isEmpty)
      #expect(
        Self.decision(answer) == """
          access-control-allow-headers: content-type, identifier
          access-control-allow-methods: GET, HEAD, PATCH, DELETE
          access-control-allow-origin: http://localhost:5173
          access-control-allow-private-network: true
          access-control-expose-headers: *
          access-control-max-age: 600
          vary: Origin
          """)
      #expect(answer.headers["access-control-allow-credentials"] == nil)
    }
  }

  /// A page of another origin gets no permission, an unknown path none either, and OPTIONS that asks for none is refused.
  @Test(
    arguments: [
      (["Origin: http://evil.example", "Access-Control-Request-Method: PATCH"], "/api/products/3", 403),
      (["Origin: null", "Access-Control-Request-Method: PATCH"], "/api/products/3", 403),
      (["Origin: http://localhost", "Access-Control-Request-Method: GET"], "/api/nothing", 404),
      (["Origin: http://localhost"], "/api/products/3", 405), ([], "/api/products/3", 405),
    ] as [([String], String, Int)])
  func otherPreflightIsRefused(_ fields: [String], _ path: String, _ status: Int) async throws {
    try await Self.with { market in
      let answer = try await market.ask("OPTIONS", path, headers: fields)
      #expect(answer.status == status)
      #expect(answer.headers["access-control-allow-methods"] == nil)
      let isAllowed = fields.first == "Origin: http://localhost"
      #expect((answer.headers["access-control-allow-origin"] != nil) == isAllowed)
    }
  }

  /// An allowed page reads every response, also an error; any other one none, and its write has no effect.
  @Test func responseNamesTheAllowedOriginAlone() async throws {
    try await Self.with(["https://app.example"]) { market in
      for (origin, isAllowed) in [
        ("http://localhost:3000", true), ("https://app.example", true), ("http://app.example", false), ("null", false),
      ] {
        for (path, status) in [("/api/products", 200), ("/api/products/999999", 404), ("/nothing", 404)] {
          let answer = try await market.ask("GET", path, headers: ["Origin: \(origin)"])
          #expect(answer.status == status && answer.headers["vary"] == "Origin")
          #expect(answer.headers["access-control-allow-origin"] == (isAllowed ? origin : nil), "\(origin) \(path)")
        }
        let write = try await market.create(Parts.params, headers: ["Origin: \(origin)"])
        #expect(isAllowed ? write.status == 201 || write.status == 200 : write.status == 403, "\(origin) \(write.line)")
      }
      #expect(try await market.server.auditLog().count == 2)
    }
  }

  /// Without allowed origins nothing says that there could be some.
  @Test func serverWithoutOriginsNamesNone() async throws {
    try await Self.with(nil) { market in
      let answer = try await market.ask("GET", "/api/products", headers: ["Origin: http://localhost"])
      #expect(Self.decision(answer).isEmpty)
      let fields = ["Origin: http://localhost", "Access-Control-Request-Method: PATCH"]
      #expect(try await market.ask("OPTIONS", "/api/products/3", headers: fields).status == 403)
    }
  }
}
