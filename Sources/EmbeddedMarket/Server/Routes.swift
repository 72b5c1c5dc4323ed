import Foundation
import HTTPTypes
import Hummingbird

/// Declares what an edition serves; every other method on the same path answers 405.
final class Routes {
  typealias Handler = @Sendable (Call) async throws -> Answer

  private let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
  private let limits: ServerLimits
  private let clock: @Sendable () -> Stamp
  private var methods: [String: [HTTPRequest.Method]] = [:]

  init(limits: ServerLimits, clock: @escaping @Sendable () -> Stamp) {
    self.limits = limits
    self.clock = clock
  }

  func get(_ path: String, _ handler: @escaping Handler) { on(.get, path, handler) }
  func post(_ path: String, _ handler: @escaping Handler) { on(.post, path, handler) }
  func patch(_ path: String, _ handler: @escaping Handler) { on(.patch, path, handler) }
  func delete(_ path: String, _ handler: @escaping Handler) { on(.delete, path, handler) }

  func makeResponder() -> some HTTPResponder<BasicRequestContext> {
    for (path, known) in methods {
      for method in [HTTPRequest.Method.get, .post, .put, .patch, .delete, .options] where !known.contains(method) {
        router.on(RouterPath(path), method: method) { request, _ -> Response in
          throw Refusal(405, "Request method '\(request.method.rawValue)' not supported")
        }
      }
    }
    return router.buildResponder()
  }

  private func on(_ method: HTTPRequest.Method, _ path: String, _ handler: @escaping Handler) {
    methods[path, default: []].append(method)
    router.on(RouterPath(path), method: method) { [limits, clock] request, context in
      let body = method == .get ? Data() : try await Routes.body(of: request, limit: limits.bodyBytes)
      let call = Call(
        base: "http://" + (request.head.authority ?? "localhost"), query: Query(request.uri.query ?? ""),
        headers: request.headers, parameters: context.parameters, body: body)
      return try await handler(call).response(at: clock())
    }
  }

  private static func body(of request: Request, limit: Int) async throws -> Data {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge(limit) }
    var body = Data()
    for try await buffer in request.body {
      guard body.count + buffer.readableBytes <= limit else { throw tooLarge(limit) }
      body.append(contentsOf: buffer.readableBytesView)
    }
    return body
  }

  private static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(413, "Maximum upload size of \(limit) bytes exceeded")
  }
}
