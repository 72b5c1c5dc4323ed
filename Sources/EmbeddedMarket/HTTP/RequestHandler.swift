import GRDB
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handler of all requests: checks the host and origin, then routes.
///
/// Every error is encoded in the format of the edition.
struct RequestHandler: Sendable {
  let routes: Router
  /// Encodes an error in the format of the edition.
  let encodeError: @Sendable (MarketHTTPError) -> MarketResponse
  let addresses: ServedAddresses
  let limits: ServerLimits
  let clock: @Sendable () -> MarketTime
  var faults = FaultInjection()
  var log: AccessLog?

  func serve(_ request: Request, _ writer: consuming ResponseWriter, on channel: any Channel) async throws {
    if request.headers[.expect]?.lowercased() == "100-continue", refusal(of: request) == nil {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    let start = ContinuousClock.now
    let (answer, reason) = try await answer(to: request)
    if let log {
      let left = channel.isActive ? nil : "The client closed the connection before the response"
      await log.write(
        AccessLogEntry(
          method: request.method.rawValue, target: request.uri.string, status: answer.status,
          byteCount: answer.body.readableBytes, duration: .now - start, address: channel.clientAddress,
          identifier: request.headers[.identifier], reason: reason ?? left))
    }
    let response = answer.response(at: clock())
    // The response to a HEAD has no body even for an error: the client would take the body for the next response.
    let sent = request.method == .head ? response.createHeadResponse() : response
    try await writer.write(response: sent.head, body: sent.body)
  }

  /// Returns the response, and the reason if the request is refused.
  ///
  /// Throws `IncompleteRequest`, which the connection reports, and errors of the connection.
  private func answer(to request: Request) async throws -> (response: MarketResponse, reason: String?) {
    do {
      if let refusal = refusal(of: request) { throw refusal }
      let (route, names) = try routes.route(request.method, request.uri.path)
      try await faults.inject(request.uri.path)
      let context = try await RequestContext(
        request, base: addresses.base(for: request.head.authority), names: names, limit: limits.bodyBytes)
      return (try await route.handler(context), nil)
    } catch {
      guard let refusal = httpError(of: error) else { throw error }
      var answer = encodeError(refusal)
      answer.allowed = refusal.allowed
      return (answer, refusal.message)
    }
  }

  private func refusal(of request: Request) -> MarketHTTPError? {
    if !addresses.accepts(request.head.authority) {
      return MarketHTTPError(421, "This server does not answer to the name '\(request.head.authority ?? "")'")
    }
    // Browsers add Origin to every write. No web page needs access, and no other client sends it.
    if request.method != .get, request.method != .head, request.headers[.origin] != nil {
      return MarketHTTPError(403, "Invalid CORS request", vaporMessage: "Forbidden")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
      return .tooLarge(limits.bodyBytes)
    }
    return nil
  }

  /// Maps an error to a response, or returns `nil` for those the connection handles: a parser error, a cancelled task,
  /// a closed channel.
  private func httpError(of error: any Error) -> MarketHTTPError? {
    switch error {
    case let refusal as MarketHTTPError: refusal
    case let error as DatabaseError:
      MarketHTTPError(
        DatabaseErrorMapping.status(error), "The market cannot be read or written: \(error.message ?? "")")
    default: nil
    }
  }
}
