import Foundation
import GRDB
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

/// What is served, in the order it was declared; `HEAD` goes where `GET` goes.
struct Routes: Sendable {
  private var all: [Route] = []

  mutating func get(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.get, path, handler)) }
  /// What the market alone decides: given again as it was while nobody has changed the market.
  mutating func get(_ path: String, kept answers: KeptAnswers, _ handler: @escaping Route.Handler) {
    get(path) { call in try await answers.answer(to: call.base + call.target) { try await handler(call) } }
  }

  mutating func post(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.post, path, handler)) }
  mutating func patch(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.patch, path, handler)) }
  mutating func delete(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.delete, path, handler)) }

  /// The first route that fits, with the named steps of the path.
  ///
  /// Throws 404 for a path nobody knows, 405 for one that is known with another method.
  func route(
    _ method: HTTPRequest.Method, _ path: String
  ) throws(Refusal) -> (route: Route, names: [Substring: Substring]) {
    let steps = Route.steps(of: path)
    var known: Route?
    for route in all {
      guard let names = route.names(in: steps) else { continue }
      if route.method == method || route.method == .get && method == .head { return (route, names) }
      known = known ?? route
    }
    guard let known else { throw Refusal(404, "Not Found") }
    var refusal = Refusal(405, "Request method '\(method.rawValue)' not supported", vapor: "Method Not Allowed")
    refusal.allowed = all.filter { $0.hasPath(of: known) }
      .flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
    throw refusal
  }
}

/// One line of what is served: a method on a path such as `/item/:id`, and what answers it.
struct Route: Sendable {
  typealias Handler = @Sendable (Call) async throws -> Answer

  let method: HTTPRequest.Method
  let handler: Handler
  private let steps: [Substring]

  init(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
    self.method = method
    self.handler = handler
    steps = Route.steps(of: path)
  }

  /// The steps of a path between its slashes; two slashes in a row count as one.
  static func steps(of path: String) -> [Substring] { path.split(separator: "/") }

  func hasPath(of other: Route) -> Bool { steps == other.steps }

  /// The steps that have a name, as they were sent; nil for a path that is not this route's.
  func names(in path: [Substring]) -> [Substring: Substring]? {
    guard path.count == steps.count else { return nil }
    for (step, sent) in zip(steps, path) where !step.hasPrefix(":") && step != sent { return nil }
    var names: [Substring: Substring] = [:]
    for (step, sent) in zip(steps, path) where step.hasPrefix(":") { names[step.dropFirst()] = sent }
    return names
  }
}

/// Answers every request: who it was meant for, whether a web page sent it, then the routes; every error leaves as the edition
/// spells errors.
struct RequestHandler: Sendable {
  let routes: Routes
  /// How the served edition spells a refusal.
  let spell: @Sendable (Refusal) -> Answer
  let host: HostRule
  let limits: ServerLimits
  let clock: @Sendable () -> MarketTime
  var faults = FaultInjection()
  var log: (@Sendable (String) -> Void)?

  func serve(_ request: Request, _ writer: consuming ResponseWriter) async throws {
    if request.headers[.expect]?.lowercased() == "100-continue", refusal(of: request) == nil {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    let start = ContinuousClock.now
    let answer = try await answer(to: request)
    if let log { log(RequestLine(request, answer, took: .now - start, at: clock()).text) }
    let response = answer.response(at: clock())
    // What a HEAD is refused with has no body either: the next answer would begin with it.
    let sent = request.method == .head ? response.createHeadResponse() : response
    try await writer.write(response: sent.head, body: sent.body)
  }

  private func answer(to request: Request) async throws -> Answer {
    do {
      if let refusal = refusal(of: request) { throw refusal }
      let (route, names) = try routes.route(request.method, request.uri.path)
      try await faults.strike(request.uri.path)
      return try await route.handler(Call(request, names: names, limit: limits.bodyBytes))
    } catch {
      guard let refusal = meaning(of: error) else { throw error }
      var answer = spell(refusal)
      answer.allowed = refusal.allowed
      return answer
    }
  }

  private func refusal(of request: Request) -> Refusal? {
    if !host.accepts(request.head.authority) {
      return Refusal(421, "This server does not answer to the name '\(request.head.authority ?? "")'")
    }
    // Browsers add Origin to every write; no page has any business here, and no other client sends it.
    if request.method != .get, request.method != .head, request.headers[.origin] != nil {
      return Refusal(403, "Invalid CORS request", vapor: "Forbidden")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
      return .tooLarge(limits.bodyBytes)
    }
    return nil
  }

  /// Nil for what the connection itself has to deal with: a parser's error, a cancelled task, a closed channel.
  private func meaning(of error: any Error) -> Refusal? {
    switch error {
    case let refusal as Refusal: refusal
    case let error as DatabaseError:
      Refusal(StoreFailure.status(error), "The market cannot be read or written: \(error.message ?? "")")
    default: nil
    }
  }
}
