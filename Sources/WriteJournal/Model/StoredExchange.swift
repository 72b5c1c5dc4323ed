import Catalog
import Foundation
import FoundationEssentials
import Text

/// A request of a write and its response, as stored for `log show`, `log curl` and HAR files.
///
/// It contains no secrets: each is replaced by `__NAME__`, where NAME is the environment variable that a curl command
/// reads it from. Long bodies are truncated. Pictures are represented by name and size, because their data is stored
/// with the write.
package struct StoredExchange: Hashable, Sendable, Decodable {
  /// A header, or a `name=value` pair of a query.
  package struct NameValue: Hashable, Sendable, Decodable {
    package var name: String
    package var value: String
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A part of a form.
  ///
  /// `text` is `nil` for a file.
  package struct Part: Hashable, Sendable, Decodable {
    package var name: String
    package var fileName: String?
    package var type: String?
    package var text: String?
    /// The number of bytes sent.
    package var size: Int
    /// The hash of a file in 64 hexadecimal digits, or `nil` if it wasn't requested.
    package var sha256: String?
    package init(
      name: String, fileName: String?, type: String?, text: String?, size: Int, sha256: String? = nil
    ) {
      self.name = name
      self.fileName = fileName
      self.type = type
      self.text = text
      self.size = size
      self.sha256 = sha256
    }
  }

  /// The stored part of a body, without secrets and picture data.
  package enum Body: Hashable, Sendable {
    case none
    /// A text body, which may be truncated.
    ///
    /// `size` is the number of bytes sent, even if the text was truncated.
    case text(String, type: String?, size: Int)
    /// Binary data, represented by its size and optionally its hash.
    case bytes(type: String?, size: Int, sha256: String? = nil)
    case form([Part])
  }

  /// The request as it was sent, without secrets.
  package struct Request: Hashable, Sendable, Decodable {
    package var method: String
    /// The path segments, not encoded.
    package var path: [String]
    package var query: [NameValue]
    package var headers: [NameValue]
    /// The header fields that the transport added, or `nil` if they aren't known: without a response, and in records of
    /// earlier versions.
    package var addedHeaders: [NameValue]?
    package var body: Body
    package init(method: String, path: [String], query: [NameValue], headers: [NameValue], body: Body) {
      self.method = method
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
    }
  }

  package struct Response: Hashable, Sendable, Decodable {
    package var status: Int
    package var headers: [NameValue]
    package var body: Body
    package init(status: Int, headers: [NameValue], body: Body) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  /// The attempt, counted from 1.
  ///
  /// An edition that deletes with two requests has two exchanges in one attempt.
  package var attempt = 0
  /// The start in milliseconds since 1970, UTC, by this machine's clock.
  package var started: Int64
  /// The microseconds from the call to the last byte of the response.
  package var duration: Int
  /// The microseconds of each measured phase: `blocked`, `dns`, `connect`, `ssl`, `send`, `wait`, `receive`.
  package var phases: [String: Int] = [:]
  /// The base URL at that time.
  package var base: String
  package var request: Request
  /// The response, or `nil` if no complete one was received; then `failure` contains the reason.
  package var response: Response?
  package var failure: Evidence? {
    get { storedFailure?.evidence }
    set { storedFailure = newValue.map { Evidence.Stored($0) } }
  }
  private var storedFailure: Evidence.Stored?

  /// The names in the files, where `response` has been `reply` since the first version.
  private enum CodingKeys: String, CodingKey {
    case attempt, started, duration, phases, base, request
    case storedFailure = "failure"
    case response = "reply"
  }

  package init(started: Int64, duration: Int, base: String, request: Request, response: Response?, failure: Evidence?) {
    self.started = started
    self.duration = duration
    self.base = base
    self.request = request
    self.response = response
    storedFailure = failure.map { Evidence.Stored($0) }
  }
}

extension StoredExchange: JSONObjectEncodable {
  /// The exchange as one line of JSON, as stored in the journal.
  package var json: String { JSONWriter(self).text }

  /// The JSON in UTF-8.
  package var bytes: Data { Data(JSONWriter(self).bytes) }

  func encode(to object: inout JSONWriter) {
    object.add("attempt", attempt)
    object.add("base", base)
    object.add("duration", duration)
    object.add("failure", literal: failure?.json)
    object.add("phases") { times in
      for (name, time) in phases.sorted(by: { $0.key < $1.key }) { times.add(name, time) }
    }
    object.add(CodingKeys.response.rawValue, response)
    object.add("request", request)
    object.add("started", Int(started))
  }
}

extension StoredExchange.Request: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
    if let addedHeaders { object.add("addedHeaders", addedHeaders) }
    object.add("body", body)
    object.add("headers", headers)
    object.add("method", method)
    object.add("path", path)
    object.add("query", query)
  }
}

extension StoredExchange.Response: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
    object.add("body", body)
    object.add("headers", headers)
    object.add("status", status)
  }
}

extension StoredExchange.NameValue: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
    object.add("name", name)
    object.add("value", value)
  }
}

extension StoredExchange.Part: JSONObjectEncodable {
  func encode(to object: inout JSONWriter) {
    object.add("fileName", fileName)
    object.add("name", name)
    object.add("sha256", sha256)
    object.add("size", size)
    object.add("text", text)
    object.add("type", type)
  }
}

extension StoredExchange.Body: JSONObjectEncodable {
  /// Writes `{"text":…,"type":…,"size":…}`, without `text` for binary data; `{"parts":[…]}` for a form; `{}` for an
  /// empty body.
  func encode(to object: inout JSONWriter) {
    switch self {
    case .none: break
    case .text(let text, let type, let size):
      object.add("size", size)
      object.add("text", text)
      object.add("type", type)
    case .bytes(let type, let size, let sha256):
      object.add("sha256", sha256)
      object.add("size", size)
      object.add("type", type)
    case .form(let parts): object.add("parts", parts)
    }
  }
}

extension StoredExchange.Body: Decodable {
  private enum Key: String, CodingKey {
    case text
    case type
    case size
    case sha256
    case parts
  }

  /// Decodes a body.
  ///
  /// - Throws: `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let type = try container.decodeIfPresent(String.self, forKey: .type)
    let size = try container.decodeIfPresent(Int.self, forKey: .size)
    if let parts = try container.decodeIfPresent([StoredExchange.Part].self, forKey: .parts) {
      self = .form(parts)
    } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text, type: type, size: size ?? text.utf8.count)
    } else if let size {
      self = .bytes(type: type, size: size, sha256: try container.decodeIfPresent(String.self, forKey: .sha256))
    } else {
      self = .none
    }
  }
}

/// Objects of the log, member by member, without those that are `nil`.
///
/// It is faster than a general encoder, because it runs for every write of a batch and every exchange.
extension JSONWriter {
  /// Creates the JSON of a value.
  init(_ value: some JSONObjectEncodable) {
    self.init(.required, capacity: 1 << 10)
    object(value.encode)
  }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    key(name)
    string(value)
  }

  mutating func add(_ name: String, _ value: Int?) { add(name, literal: value?.description) }

  mutating func add(_ name: String, _ value: Bool?) { add(name, literal: value?.description) }

  mutating func add(_ name: String, _ value: Amount?) { add(name, literal: value?.description) }

  /// Adds a value that is JSON already.
  mutating func add(_ name: String, literal: String?) {
    guard let literal else { return }
    key(name)
    self.literal(literal)
  }

  mutating func add(_ name: String, _ value: (some JSONObjectEncodable)?) {
    guard let value else { return }
    add(name, value.encode)
  }

  /// Adds an object with the members that `encode` adds.
  mutating func add(_ name: String, _ encode: (inout JSONWriter) -> Void) {
    key(name)
    object(encode)
  }

  mutating func add(_ name: String, _ values: [String]) {
    key(name)
    array(values) { $0.string($1) }
  }

  mutating func add(_ name: String, _ values: [some JSONObjectEncodable]) {
    key(name)
    array(values) { $0.object($1.encode) }
  }
}

/// A value stored as a JSON object.
///
/// A `Decodable` type reads it.
protocol JSONObjectEncodable {
  /// Adds the members, in alphabetical order.
  func encode(to object: inout JSONWriter)
}

extension JSONObjectEncodable {
  /// The JSON on one line.
  var json: String { JSONWriter(self).text }
}

/// The decoder for columns of the log that contain JSON.
enum JSONColumn {
  /// Returns the value of a column, or `nil` if there is none or it can't be decoded.
  static func decode<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
    text.flatMap { try? JSONDecoder().decode(type, from: Data($0.utf8)) }
  }
}
