import HTTPTypes

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
