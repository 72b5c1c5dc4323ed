import Networking

/// Why there is no weather, in parts that a program can tell apart; the server's own words are kept aside, tamed.
package enum WeatherError: Error, Hashable, Sendable {
  /// Nothing was sent.
  case keyMissing
  /// The key has characters that no key has; nothing was sent.
  case keyUnusable
  /// 401
  case keyRefused(String?)
  /// 404
  case notFound(String?)
  /// 400
  case badRequest(String?)
  /// 429; seconds to wait where the server says.
  case tooManyRequests(retryAfter: Int?, String?)
  /// 5xx, often with a page of HTML.
  case serverTrouble(status: Int, String?)
  /// Any other status that is no success.
  case refused(status: Int, String?)
  /// A success whose body is no weather.
  case unreadable(status: Int)
  case unreachable(TransportFailure.Reason)
  case timedOut(seconds: Int)
}
