import HTTPTypes

/// What is served, in the order it was declared; `HEAD` goes where `GET` goes.
struct Routes: Sendable {
  private var all: [Route] = []

  mutating func get(_ path: String, _ handler: @escaping Route.Handler) { all.append(Route(.get, path, handler)) }
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
    var isKnown = false
    for route in all {
      guard let names = route.names(in: steps) else { continue }
      if route.method == method || route.method == .get && method == .head { return (route, names) }
      isKnown = true
    }
    throw isKnown ? Refusal(405, "Request method '\(method.rawValue)' not supported") : Refusal(404, "Not Found")
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

  /// The steps that have a name, as they were sent; nil for a path that is not this route's.
  func names(in path: [Substring]) -> [Substring: Substring]? {
    guard path.count == steps.count else { return nil }
    var names: [Substring: Substring] = [:]
    for (step, sent) in zip(steps, path) {
      if step.hasPrefix(":") { names[step.dropFirst()] = sent } else if step != sent { return nil }
    }
    return names
  }
}
