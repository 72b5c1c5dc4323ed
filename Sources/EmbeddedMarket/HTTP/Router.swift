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

  mutating func get(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.get, path, handler)) }
  mutating func post(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.post, path, handler)) }
  mutating func patch(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.patch, path, handler)) }
  mutating func delete(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.delete, path, handler)) }

  /// Returns whether a rule for faults is for any of the routes.
  func has(_ rule: FaultRule) -> Bool {
    all.contains { $0.isMeant(by: rule) && !$0.isExempt }
  }

  /// The methods and paths, such as `GET /api/products/*`, of which requests may have faults.
  var list: [String] {
    all.filter { !$0.isExempt }.map(\.text)
  }

  /// Returns the first matching route with the named segments of the path.
  ///
  /// Throws a 404 for an unknown path and a 405 for a known one with another method.
  func route(
    _ method: HTTPRequest.Method, _ path: String
  ) throws(MarketHTTPError) -> (route: Route, names: [Substring: Substring]) {
    let steps = RequestPath.segments(of: path)
    var known: Route?
    for route in all {
      guard let names = route.match(in: steps) else { continue }
      if route.method == method || route.method == .get && method == .head { return (route, names) }
      known = known ?? route
    }
    guard let known else { throw MarketHTTPError(404, "Not Found") }
    var refusal = MarketHTTPError(
      405, "Request method '\(method.rawValue)' not supported", vaporMessage: "Method Not Allowed")
    refusal.allowed = all.filter { $0.hasSamePath(of: known) }
      .flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
    throw refusal
  }
}
