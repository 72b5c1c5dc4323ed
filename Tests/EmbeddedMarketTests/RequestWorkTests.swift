import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EmbeddedMarket

/// The work for a request grows with its length and not faster, whatever its bytes are: the largest head and body made of each
/// separator take about as long as plain ones of their size.
///
/// A time is the shortest of up to eight tries, and includes the record of the request. What is looked for takes hundreds of times as
/// long, so a busy machine does not matter.
@Suite(.serialized, .timeLimit(Trial.limit)) struct RequestWorkTests {
  /// How much longer than the plain request.
  private static let maximumFactor = 20.0
  /// A plain request counts as taking at least this many seconds.
  private static let floor = 0.01
  private static let maximumTries = 8
  private static let headBytes = 15_000
  private static let pathBytes = 7_900
  private static let bodyBytes = Trial.isLong ? 10_000_000 : 65_536

  /// A text that is repeated, or counted up so that all its pieces are different.
  private struct Filling: Sendable {
    var name: String
    var piece: @Sendable (Int) -> [UInt8]

    init(_ text: String) { self.init(bytes: [UInt8](text.utf8), text.debugDescription) }

    init(bytes: [UInt8], _ name: String) {
      self.name = name
      piece = { _ in bytes }
    }

    /// Pieces such as `&0`, `&1`, `&2`.
    init(different text: String) {
      name = "\(text.debugDescription) and a number"
      piece = { Array((text + String($0, radix: 36)).utf8) }
    }

    func bytes(_ count: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(count + 16)
      var number = 0
      while bytes.count < count {
        bytes += piece(number)
        number += 1
      }
      return Array(bytes.prefix(count))
    }
  }

  private static let plain = Filling("a")

  /// What may be in the path and query and in a header field.
  private static let headFillings: [Filling] =
    ["&", "/", ",", ";", "=", "-", "%25", "+", "1", "/a", ";a=", "&a=b", "%EA%B0%80", "%CC%81", "?"]
    .map { Filling($0) } + ["&", "&a=", "/", ",", ";", "="].map { Filling(different: $0) }

  /// What may be in a header field only.
  ///
  /// Only some bytes are no UTF-8: the standard library throws an error for each of them, and Swift Testing notes where.
  private static let fieldFillings: [Filling] =
    ["\"", " ", "\t", "\\", ": ", "; a=\"", "ko,", "q=0.1,", "é", "각", "chunked,"].map { Filling($0) }
    + [UInt8(0x80), 0xFF].map {
      Filling(bytes: Array(repeating: 0x61, count: 15) + [$0], "some 0x\(String($0, radix: 16))")
    }

  private static let bodyFillings: [Filling] =
    [
      "&", "/", ",", ";", "=", "-", "%", "+", "\"", " ", "\t", "\r\n", "\n", "\r", "0", "{", "[", "\\", ":", "\r\n\r\n",
      "\r\n x",
      "--", "--b", "--b\n", "--b\r\n", "\r\n--b", "\r\n--b\r\n", "\r\n--b\r\n\r\n", "\r\n--b \t", "\n--b\r\n",
      "\r\n--b--",
      "\r\n--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n", "\"a\":0,", "0,", "\"\",", "\\u0041", "가",
    ].map { Filling($0) }
    + [Filling(bytes: [0], "NUL"), Filling(bytes: [0x80], "0x80"), Filling(bytes: [0xFF], "0xFF")]

  /// A place that is filled: the bytes of a request, and those of the plain one with the same size.
  private struct Place: Sendable {
    var name: String
    var request: @Sendable ([UInt8]) -> Data
  }

  private static func head(_ line: String, _ fields: [String] = ["Host: localhost"], body: [UInt8] = []) -> Data {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.count)"]
    return Data(([line + " HTTP/1.1"] + fields + length).joined(separator: "\r\n").utf8) + Data("\r\n\r\n".utf8)
      + Data(body)
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static let addresses: [Place] = [
    "/api/products/", "/", "/api/products?page_no=", "/api/products?", "/api/products?search_value=", "/?key=",
    "/api/products?page_no=x&", "/class?key=", "/media.yagom-academy.kr/training-resources/1/2/",
    "/data/2.5/weather?q=",
  ].map { beginning in
    Place(name: "GET " + beginning) { head("GET \(beginning)\(text($0))") }
  }

  private static let fields: [Place] = [
    ("GET /", "Host"), ("GET /", "Accept-Language"), ("PATCH /api/products/1", "identifier"),
    ("POST /api/products", "Content-Type: multipart/form-data; boundary"), ("POST /api/products", "Content-Type"),
    ("POST /api/products", "Origin"), ("POST /api/products", "Expect"), ("PATCH /api/products/1", "X-Request-Id"),
    ("GET /api/products", "Content-Length"), ("POST /api/products", "Transfer-Encoding"),
    ("GET /api/products", "Connection"),
    ("GET /api/products", "Cookie"),
  ].map { line, field in
    Place(name: "\(line), \(field)") { bytes in
      let separator = field.contains(":") ? "=" : ": "
      let host = field == "Host" ? [] : ["Host: localhost"]
      var data = Data(([line + " HTTP/1.1"] + host).joined(separator: "\r\n").utf8)
      data += Data("\r\n\(field)\(separator)".utf8) + Data(bytes)
      return data + Data((line.hasPrefix("POST") ? "\r\nContent-Length: 0\r\n\r\n" : "\r\n\r\n").utf8)
    }
  }

  private static func bodies(_ edition: ServedEdition) -> [Place] {
    let path = edition == .open ? "/api/products" : "/item"
    let identifier = "identifier: \(Market.demo.identifier)"
    let hyphens = String(repeating: "-", count: MultipartBody.maximumBoundaryBytes)
    let forms = ["b", hyphens].flatMap { boundary in
      let type = "Content-Type: multipart/form-data; boundary=\(boundary)"
      return [
        Place(name: "form \(boundary.prefix(3))") {
          head("POST \(path)", ["Host: localhost", identifier, type], body: $0)
        },
        Place(name: "part \(boundary.prefix(3))") { filling in
          let body = "--\(boundary)\r\nContent-Disposition: form-data; name=\"params\"\r\n\r\n"
          return head("POST \(path)", ["Host: localhost", identifier, type], body: [UInt8](body.utf8) + filling)
        },
      ]
    }
    let type = "Content-Type: application/json"
    let json = [("PATCH", "{\"name\":\""), ("PATCH", "["), ("PATCH", "{"), ("POST", "")].map { method, beginning in
      Place(name: "JSON \(method) \(beginning)") { filling in
        head(
          "\(method) \(path)/1" + (method == "POST" ? "/archived" : ""), ["Host: localhost", identifier, type],
          body: [UInt8](beginning.utf8) + filling)
      }
    }
    return edition == .open ? forms + json : forms
  }

  /// Returns the seconds from sending a request until it is answered and recorded.
  private static func seconds(_ request: Data, _ market: Market) async throws -> Double {
    let conversation = try Conversation(market.url)
    let start = ContinuousClock.now
    conversation.send(request)
    _ = try? await conversation.answer()
    _ = try await BackgroundThreads.records.run {}
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private static func shortest(_ request: Data, _ market: Market, below limit: Double = 0) async throws -> Double {
    var shortest = Double.infinity
    for _ in 0..<maximumTries where shortest > limit { shortest = min(shortest, try await seconds(request, market)) }
    return shortest
  }

  private static func with(_ edition: ServedEdition, _ body: (Market) async throws -> Void) async throws {
    var random = SplitMix64(1)
    let key = TeacherKey(using: &random)
    try await Market.with(
      edition, empty: false,
      adjust: { options in
        options.teacherKey = key
        options.classReport = { _ in "" }
        options.landingPage = { _ in "" }
      }, log: { _ in }, body)
  }

  /// Compares the requests of each place. In a short run each place gets every third filling, in turns.
  private static func check(_ places: [Place], _ fillings: [Filling], size: Int, on market: Market) async throws {
    for (turn, place) in places.enumerated() {
      let plain = try await shortest(place.request(plain.bytes(size)), market)
      let limit = max(plain, floor) * maximumFactor
      for (number, filling) in fillings.enumerated() where Trial.isLong || (turn + number).isMultiple(of: 3) {
        let seconds = try await shortest(place.request(filling.bytes(size)), market, below: limit)
        let comment = "\(place.name), \(filling.name): \(seconds) s, plain \(plain) s"
        #expect(seconds <= limit, "\(comment)")
        if seconds > plain * 4 { Trial.printInLongRun(comment) }
      }
    }
  }

  @Test func workForAnAddressGrowsWithItsLength() async throws {
    try await Self.with(.open) { market in
      try await Self.check(Self.addresses, Self.headFillings, size: Self.pathBytes, on: market)
    }
  }

  @Test func workForAFieldGrowsWithItsLength() async throws {
    try await Self.with(.open) { market in
      try await Self.check(Self.fields, Self.headFillings + Self.fieldFillings, size: Self.headBytes, on: market)
    }
  }

  @Test(arguments: [ServedEdition.open, .camp1]) func workForABodyGrowsWithItsLength(_ edition: ServedEdition)
    async throws
  {
    try await Self.with(edition) { market in
      try await Self.check(Self.bodies(edition), Self.bodyFillings, size: Self.bodyBytes, on: market)
    }
  }

  /// The end of the attacks.
  private final class End: Sendable {
    private let state = Mutex(false)
    var isReached: Bool { state.withLock { $0 } }
    func reach() { state.withLock { $0 = true } }
  }

  /// While three clients send the requests that once took longest, another one reads a list about as fast as before.
  @Test func othersReadMeanwhile() async throws {
    try await Self.with(.open) { market in
      let list = Self.head("GET /api/products")
      func median(_ count: Int) async throws -> Double {
        var all: [Double] = []
        for _ in 0..<count {
          let conversation = try Conversation(market.url)
          let start = ContinuousClock.now
          conversation.send(list)
          #expect(try await conversation.answer().status == 200)
          all.append((ContinuousClock.now - start) / .seconds(1))
        }
        return all.sorted()[count / 2]
      }
      let alone = try await median(9)
      let heads = Self.addresses[2].request(Filling(different: "&").bytes(Self.pathBytes))
      let forms = Self.bodies(.open)[0].request(Filling("\r\n--b\r\n").bytes(63_000))
      let large = Self.bodies(.open)[2].request(Filling("-").bytes(max(Self.bodyBytes, 131_072)))
      let end = End()
      try await withThrowingTaskGroup { group in
        for attack in [heads, forms, large] {
          group.addTask {
            while !end.isReached { _ = try? await Self.seconds(attack, market) }
          }
        }
        let beside = try await median(15)
        end.reach()
        // Two processors are shared by the clients, the server and other tests.
        #expect(beside <= max(alone * 3, 0.15), "\(alone) s alone, \(beside) s beside")
        try await group.waitForAll()
      }
    }
  }
}
