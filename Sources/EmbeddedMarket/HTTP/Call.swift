import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore

/// A request as the editions see it: complete, and checked as far as HTTP goes.
struct Call: Sendable {
  /// The scheme and authority that the caller used; pictures are given under it, so whichever server answers serves them.
  var base: String
  /// Path and query as they were sent.
  var target: String
  var query: Query
  var headers: HTTPFields
  /// The named steps of the path, as they were sent.
  var names: [Substring: Substring]
  var body: Data

  var identifier: String? { headers[.identifier] }
  var languages: String? { headers[.acceptLanguage] }
  var contentType: String? { headers[.contentType] }
  var cause: EffectCause { EffectCause(body: body, request: headers[.requestID]) }

  /// A named part of the path, decoded.
  func text(_ name: String) -> String {
    let raw = String(names[name[...]] ?? "")
    return raw.removingPercentEncoding ?? raw
  }

  /// A number in the path. Throws a 400 when it is none.
  func number(_ name: String) throws(Refusal) -> Int64 {
    let text = text(name)
    guard let number = Int64(text) else { throw .noNumber(text, name) }
    return number
  }
}

extension HTTPField.Name {
  /// The vendor's name at the door of `training` and `open`.
  static let identifier = HTTPField.Name("identifier")!
  /// Kept with the effect of a request.
  static let requestID = HTTPField.Name("X-Request-Id")!
}

extension Call {
  /// Waits for the whole request. Throws 413 for a body of more bytes than the limit.
  init(_ request: Request, names: [Substring: Substring], limit: Int) async throws {
    base = "http://" + (request.head.authority ?? "localhost")
    target = request.uri.string
    query = Query(request.uri.query ?? "")
    headers = request.headers
    self.names = names
    body = Data()
    guard request.method != .get, request.method != .head else { return }
    for try await buffer in request.body {
      guard body.count + buffer.readableBytes <= limit else { throw Refusal.tooLarge(limit) }
      body.append(contentsOf: buffer.readableBytesView)
    }
  }
}

/// The query of an address: names and values decoded, `+` read as a blank, the first of equal names wins but for numbers.
struct Query: Hashable, Sendable {
  private var values: [String: String] = [:]
  private var repeated: Set<String> = []

  init(_ text: String) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Query.decoded(halves[0])
      if values[name] != nil { repeated.insert(name) }
      if values[name] == nil { values[name] = halves.count == 2 ? Query.decoded(halves[1]) : "" }
    }
  }

  /// Every value by its name.
  var all: [String: String] { values }

  subscript(name: String) -> String? { values[name] }

  /// A whole number, or the default when it is missing or empty. Throws a 400 for anything else, and for two of them.
  func number(_ name: String, default standard: Int64) throws(Refusal) -> Int64 {
    if repeated.contains(name) { throw .malformed("\(name): was given more than once") }
    guard let text = values[name], !text.isEmpty else { return standard }
    guard let number = Int64(text) else { throw .noNumber(text, name) }
    return number
  }

  /// A broken percent sign stands for itself.
  private static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(text) }
    let spaced = String(text).replacingOccurrences(of: "+", with: " ")
    return spaced.removingPercentEncoding ?? spaced
  }
}

/// What goes back: status, media type and bytes.
struct Answer: Hashable, Sendable {
  var status: Int
  var type: String
  var body: ByteBuffer
  /// Pictures never change under their URL.
  var isLasting = false
  /// The methods that the path has, with a 405.
  var allowed: [String] = []

  static func json(_ value: WireJSON, status: Int = 200) -> Answer {
    .json(value.bytes, status: status)
  }

  /// `text` is JSON already.
  static func json(_ text: [UInt8], status: Int = 200) -> Answer {
    Answer(status: status, type: "application/json", body: ByteBuffer(bytes: text))
  }

  static func text(_ text: String, status: Int = 200) -> Answer {
    Answer(status: status, type: "text/plain;charset=UTF-8", body: ByteBuffer(string: text))
  }

  /// HTML that needs nothing from anywhere else and runs nothing.
  static func page(_ html: String) -> Answer {
    Answer(status: 200, type: "text/html;charset=UTF-8", body: ByteBuffer(string: html))
  }

  static func picture(_ bytes: Data, type: String) -> Answer {
    Answer(status: 200, type: type, body: ByteBuffer(bytes: bytes), isLasting: true)
  }

  func headers(at stamp: MarketTime) -> HTTPFields {
    var headers: HTTPFields = [.contentType: type, .date: stamp.httpDate]
    headers[.cacheControl] = isLasting ? "max-age=31536000, immutable" : "no-store"
    headers[.xContentTypeOptions] = "nosniff"
    if type.hasPrefix("text/html") {
      headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
    }
    if !allowed.isEmpty { headers[.allow] = allowed.joined(separator: ", ") }
    return headers
  }

  func response(at stamp: MarketTime) -> Response {
    Response(status: .init(code: status), headers: headers(at: stamp), body: .init(byteBuffer: body))
  }
}

/// Why a request is not answered with what it asked for; each edition spells it its own way.
struct Refusal: Error, Hashable, Sendable {
  var status: Int
  /// In the words of Spring, with which the servers of 2022 were made.
  var message: String
  /// In those of Vapor, with which the camp servers were made; nil where they are no framework's words.
  var vapor: String?
  /// The methods that the path has, with a 405.
  var allowed: [String] = []

  init(_ status: Int, _ message: String, vapor: String? = nil) {
    self.status = status
    self.message = message
    self.vapor = vapor
  }

  static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(413, "Maximum upload size of \(limit) bytes exceeded", vapor: "Payload Too Large")
  }

  static func malformed(_ message: String, vapor: String? = nil) -> Refusal { Refusal(400, message, vapor: vapor) }

  static func missing(_ key: String) -> Refusal {
    malformed("\(key): must not be null", vapor: "Value required for key '\(key)'.")
  }

  static func missingPart(_ name: String) -> Refusal {
    malformed("Required request part '\(name)' is not present", vapor: "Value required for key '\(name)'.")
  }

  fileprivate static func noNumber(_ text: String, _ name: String) -> Refusal {
    malformed(
      "Failed to convert value of type 'String' to required type 'int'; For input string: \"\(text)\"",
      vapor: "Value of type 'Int' required for key '\(name)'.")
  }
}
