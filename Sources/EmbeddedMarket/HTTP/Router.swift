import Foundation
import GRDB
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

/// The routes in the order of their declaration.
///
/// `HEAD` is routed like `GET`.
struct Router: Sendable {
  private var all: [Route] = []

  mutating func get(_ path: String, _ handler: @escaping Route.Handler) {
    all.append(Route(.get, path, handler: handler))
  }
  mutating func post(_ path: String, _ handler: @escaping Route.Handler) {
    all.append(Route(.post, path, handler: handler))
  }
  mutating func patch(_ path: String, _ handler: @escaping Route.Handler) {
    all.append(Route(.patch, path, handler: handler))
  }
  mutating func delete(_ path: String, _ handler: @escaping Route.Handler) {
    all.append(Route(.delete, path, handler: handler))
  }

  /// Adds a web page of the server. Where the API has the same path, the request decides which of them it wants.
  mutating func page(_ path: String, _ handler: @escaping Route.Handler) {
    var route = Route(.get, path, handler: handler)
    route.isPage = true
    all.append(route)
  }

  /// Adds a request of an API that a file describes, which has faults whatever its path is.
  mutating func add(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Route.Handler) {
    var route = Route(method, path, handler: handler)
    route.isExempt = false
    all.append(route)
  }

  /// The methods of a path, each once.
  func methods(at path: String) -> [String] {
    let steps = RequestPath.segments(of: path)
    var names: [String] = []
    for route in all where route.match(in: steps) != nil {
      for name in route.methodNames where !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns whether a rule for faults is for any of the routes.
  func has(_ rule: FaultRule) -> Bool {
    all.contains { $0.isMeant(by: rule) && !$0.isExempt }
  }

  /// The methods and paths, such as `GET /api/products/*`, of which requests may have faults.
  var list: [String] {
    all.filter { !$0.isExempt }.map(\.text)
  }

  /// Returns the first matching route with the named segments of the path; a page comes after the API if the request doesn't
  /// ask for one.
  ///
  /// Throws a 404 for an unknown path and a 405 for a known one with another method.
  func route(
    _ method: HTTPRequest.Method, _ path: String, asksForPage: Bool = true
  ) throws(MarketHTTPError) -> (route: Route, names: [Substring: Substring]) {
    let steps = RequestPath.segments(of: path)
    var known: Route?
    var page: (route: Route, names: [Substring: Substring])?
    for route in all {
      guard let names = route.match(in: steps) else { continue }
      if route.method == method || route.method == .get && method == .head {
        if asksForPage || !route.isPage { return (route, names) }
        page = page ?? (route, names)
      }
      known = known ?? route
    }
    if let page { return page }
    guard let known else { throw MarketHTTPError(404, "Not Found") }
    var refusal = MarketHTTPError(
      405, "Request method '\(method.rawValue)' not supported", vaporMessage: "Method Not Allowed")
    refusal.allowed = all.filter { $0.hasSamePath(of: known) }.flatMap(\.methodNames)
    throw refusal
  }
}

/// A route: a method on a path such as `/item/:id`, and its handler.
struct Route: Sendable {
  typealias Handler = @Sendable (RequestContext) async throws -> MarketResponse

  let method: HTTPRequest.Method
  let handler: Handler
  private let steps: [Substring]
  /// Indicates a web page of the server.
  fileprivate(set) var isPage = false
  /// Indicates that its requests have no faults.
  fileprivate(set) var isExempt: Bool

  init(_ method: HTTPRequest.Method, _ path: String, handler: @escaping Handler) {
    self.method = method
    self.handler = handler
    steps = RequestPath.segments(of: path)
    isExempt = method == .get && FaultInjector.exemptPaths.contains("/" + steps.joined(separator: "/"))
  }

  /// The methods that it answers.
  fileprivate var methodNames: [String] { method == .get ? ["GET", "HEAD"] : [method.rawValue] }

  func hasSamePath(of other: Route) -> Bool { path == other.path }

  /// The method and the path with `*` for named segments, as rules for faults are written.
  var text: String { method.rawValue + " " + path }

  private var path: String { "/" + steps.map { $0.hasPrefix(":") ? "*" : $0 }.joined(separator: "/") }

  /// Returns whether a rule for faults is for requests of this route.
  func isMeant(by rule: FaultRule) -> Bool {
    // A rule may name a product, such as `GET /api/products/3`.
    let path =
      zip(steps, rule.steps).map { Route.canBe($1, $0) ? $1 : $0 } + steps.dropFirst(rule.steps.count)
    return rule.matches(method: method.rawValue, path)
  }

  /// The named segments that are numbers.
  private static let numbers: Set<Substring> = [":id", ":page"]

  /// Returns whether a segment of a rule can be the named segment of a request.
  private static func canBe(_ text: Substring, _ step: Substring) -> Bool {
    guard step.hasPrefix(":"), text != "**" else { return false }
    return !numbers.contains(step) || Int64(text) != nil
  }

  /// Returns whether a segment of a path equals the segment of a route: as sent, or decoded if the route's isn't ASCII.
  private static func isSame(_ step: Substring, _ sent: Substring) -> Bool {
    step == sent || step.utf8.contains { $0 >= 0x80 } && sent.removingPercentEncoding == String(step)
  }

  /// Returns the named segments as sent, or `nil` if the path does not match.
  func match(in path: [Substring]) -> [Substring: Substring]? {
    guard path.count == steps.count else { return nil }
    for (step, sent) in zip(steps, path) where !step.hasPrefix(":") && !Route.isSame(step, sent) { return nil }
    var names: [Substring: Substring] = [:]
    for (step, sent) in zip(steps, path) where step.hasPrefix(":") { names[step.dropFirst()] = sent }
    return names
  }
}
