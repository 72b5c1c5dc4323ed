import Foundation
import TestSupport
import Testing

@testable import EmbeddedMarket

/// A market in a folder of its own, at noon of a fixed day.
struct Market {
  let server: EmbeddedMarket
  let url: URL
  let directory: String

  static let noon = Date(timeIntervalSince1970: 1_679_540_400)  // 2023-03-23 12:00 in Korea
  static let demo = EmbeddedMarket.demoVendor

  /// Runs `body` with a market that is stopped and removed afterwards.
  static func with(
    _ edition: ServedEdition = .open, strict: Bool = false, empty: Bool = true, quirks: Bool = false,
    limits: ServerLimits = ServerLimits(), faults: FaultPlan = FaultPlan(), at now: Date = noon,
    adjust: (inout MarketOptions) -> Void = { _ in }, log: (@Sendable (String) -> Void)? = nil,
    notify: (@Sendable (ConnectionNotice) -> Void)? = nil,
    _ body: (Market) async throws -> Void
  ) async throws {
    let directory = NSTemporaryDirectory() + "market-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await with(
      edition, in: directory, strict: strict, empty: empty, quirks: quirks, limits: limits, faults: faults, at: now,
      adjust: adjust, log: log, notify: notify, body)
  }

  static func with(
    _ edition: ServedEdition = .open, in directory: String, strict: Bool = false, empty: Bool = true,
    quirks: Bool = false, limits: ServerLimits = ServerLimits(), faults: FaultPlan = FaultPlan(),
    at now: Date = noon, adjust: (inout MarketOptions) -> Void = { _ in }, log: (@Sendable (String) -> Void)? = nil,
    notify: (@Sendable (ConnectionNotice) -> Void)? = nil, _ body: (Market) async throws -> Void
  ) async throws {
    var options = MarketOptions(
      dataDirectory: directory, edition: edition, enforcesDocumentedLimits: strict, startsEmpty: empty,
      emulatesKnownBugs: quirks, clock: { now })
    options.faults = faults
    (options.log, options.notify) = (log, notify)
    adjust(&options)
    try await ConcurrencyLimit.servers.run { [options] in
      let server = EmbeddedMarket(options, limits: limits)
      let url = try await server.start()
      do {
        try await body(Market(server: server, url: url, directory: directory))
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }

  func ask(
    _ method: String, _ path: String, headers: [String] = [], body: Data = Data(), host: String? = nil
  ) async throws -> Conversation.Answer {
    let conversation = try Conversation(url)
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host ?? authority)", "Content-Length: \(body.count)"] + headers
    conversation.send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return try await conversation.answer(to: method)
  }

  func get(_ path: String) async throws -> Conversation.Answer { try await ask("GET", path) }

  func json(_ method: String, _ path: String, _ text: String, identifier: String = demo.identifier) async throws
    -> Conversation.Answer
  {
    let headers = ["Content-Type: application/json", "identifier: \(identifier)"]
    return try await ask(method, path, headers: headers, body: Data(text.utf8))
  }

  func form(_ method: String, _ path: String, _ body: Data, boundary: String = "XYZ", headers: [String] = [])
    async throws
    -> Conversation.Answer
  {
    let type = "Content-Type: multipart/form-data; boundary=\(boundary)"
    return try await ask(method, path, headers: [type, "identifier: \(Market.demo.identifier)"] + headers, body: body)
  }

  /// Creates a product and returns the response.
  func create(_ params: String, images: Int = 1, headers: [String] = []) async throws -> Conversation.Answer {
    try await form("POST", "/api/products", Parts.product(params, images: images), headers: headers)
  }

  var authority: String { "127.0.0.1:\(url.port ?? 0)" }
}
