import Foundation
import Networking

/// Tells a success from the service's refusals: the HTTP status first, then the body as far as it can be read.
enum Answers {
  static func tree(from reply: Reply, of service: OpenWeather) throws(WeatherError) -> Tree {
    let tree = try? JSONDecoder().decode(Tree.self, from: service.withoutKey(reply.body))
    guard reply.isSuccess else { throw error(status: reply.status, in: tree, of: reply) }
    guard let tree else { throw .unreadable(status: reply.status) }
    // `cod` is a number here and a string there, and some proxies answer 200 with the refusal inside.
    if let code = tree["cod"].whole, code >= 400 { throw error(status: code, in: tree, of: reply) }
    return tree
  }

  private static func error(status: Int, in tree: Tree?, of reply: Reply) -> WeatherError {
    let message = tree?["message"].text
    switch status {
    case 400: return .badRequest(message)
    case 401: return .keyRefused(message)
    case 404: return .notFound(message)
    case 429:
      let wait = reply.header("Retry-After").flatMap(Figures.number).flatMap { Int(exactly: $0.rounded(.up)) }
      return .tooManyRequests(retryAfter: wait, message)
    case 500...599: return .serverTrouble(status: status, message)
    default: return .refused(status: status, message)
    }
  }
}
