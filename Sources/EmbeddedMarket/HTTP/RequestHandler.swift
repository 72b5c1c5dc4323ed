import GRDB
import HTTPTypes
import HummingbirdCore
import NIOCore

/// The handler of all requests: checks the host and origin, then routes.
///
/// Every error is encoded in the format of the API.
struct RequestHandler: Sendable {
  let routes: Router
  let api: any APIHandler
  let addresses: ServedAddresses
  var origins = AllowedOrigins.none
  let limits: ServerLimits
  let clock: @Sendable () -> MarketTime
  var faults = FaultInjector(FaultPlan())
  var gate = RequestGate()
  /// Returns the generation of the market, which every response to a route names; see `StoredGeneration`.
  var generation: @Sendable () async throws -> String? = { nil }
  var log: AccessLog?
  /// Refuses clients of other accounts of this machine.
  var servesOwnAccountOnly = false

  /// A response, and what happens to it.
  private struct HandledResponse {
    var response: MarketResponse
    /// The refusal that the response is.
    var refusal: MarketHTTPError?
    /// The reason for a line in the log that is no refusal.
    var reason: String?
    /// The fault that the request got.
    var fault = Fault.Effect.none
    /// The form that was refused, whose fault is looked for after the response.
    var form: RefusedForm?
    /// The content of a request that was refused.
    var content: SentContent?
  }

  /// The client of a request.
  private struct Sender {
    let address: String
    /// The login of the request, which is not checked.
    let login: SentLogin?

    /// The text by which the sequences of faults distinguish clients.
    var client: String { login?.client ?? address }
  }

  /// The error after which the connection is closed, because a fault asks for it.
  private struct DeliberateClose: Error {}

  /// Serves a request.
  ///
  /// - Parameters:
  ///   - writer: Receives the response.
  ///   - channel: The channel of the connection.
  func serve(
    _ request: Request, _ writer: consuming ResponseWriter, on channel: any Channel,
    _ connection: RequestConnection
  ) async throws {
    if request.headers[.expect]?.lowercased() == "100-continue", refusal(of: request) == nil {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    let start = ContinuousClock.now
    // A channel that was closed has no address any more.
    let sender = Sender(
      address: channel.clientAddress,
      login: api.login({ request.headers[$0] }, query: Substring(request.uri.query ?? "")))
    var handled = try await respond(to: request, from: sender, on: connection) {
      await record($0, of: request, since: start, from: sender, isLeft: !connection.isOpen())
    }
    origins.mark(&handled.response, for: request.headers[.origin])
    if handled.fault == .lostRequest || handled.fault == .lostResponse {
      channel.close(promise: nil)
      throw DeliberateClose()
    }
    var response = handled.response.response(at: clock())
    // The response to a HEAD has no body even for an error: the client would take the body for the next response.
    if request.method == .head { response = response.createHeadResponse() }
    guard handled.fault == .cutResponse else {
      return try await writer.write(response: response.head, body: response.body)
    }
    let body = handled.response.body
    var part = try await writer.writeHead(response.head)
    if request.method != .head, let half = body.getSlice(at: body.readerIndex, length: body.readableBytes / 2) {
      try await part.write(half)
    }
    channel.close(promise: nil)
    throw DeliberateClose()
  }

  private func record(
    _ handled: HandledResponse?, of request: Request, since start: ContinuousClock.Instant, from sender: Sender,
    isLeft: Bool
  ) async {
    let isOfApp = ReceivedRequests.isOfApp(agent: request.headers[.userAgent])
    guard let log, log.records(isOfApp: isOfApp) else { return }
    let isSent = handled.map { $0.fault != .lostRequest && $0.fault != .lostResponse } ?? false
    let left = isLeft ? "The client closed the connection before the response" : nil
    var entry = AccessLogEntry(
      method: request.method.rawValue, target: request.uri.string, status: isSent ? handled?.response.status : nil,
      byteCount: isSent ? handled?.response.body.readableBytes ?? 0 : 0, duration: .now - start,
      address: sender.address, login: sender.login,
      reason: handled?.reason ?? (handled?.refusal == nil ? left : nil))
    entry.shownParameters = api.shownParameters
    entry.sentRefusal = handled?.refusal.map { api.logged($0) }
    entry.refusal = handled?.refusal.map { api.logged($0.general) }
    entry.form = handled?.form
    if log.storesContent { entry.content = handled?.content }
    entry.isOfApp = isOfApp
    entry.agent = request.headers[.userAgent]
    entry.isPicture = handled?.response.type.hasPrefix("image/") == true
    entry.isDeliberate = (handled?.fault ?? .none) != .none
    await log.write(entry)
  }

  /// Returns the response, after `record` has noted it.
  ///
  /// Throws `IncompleteRequest`, which the connection reports, `ClientLeft` after `record` has noted it, and errors of the
  /// connection.
  private func respond(
    to request: Request, from sender: Sender, on connection: RequestConnection,
    record: (HandledResponse?) async -> Void
  ) async throws -> HandledResponse {
    do {
      if let refusal = refusal(of: request) { throw refusal }
      let methods = request.method == .options ? routes.methods(at: request.uri.path) : []
      // It has no effect, and belongs to a request that follows and is recorded.
      if let preflight = origins.preflight(request.head, methods: methods) {
        return HandledResponse(response: preflight)
      }
      let (route, names) = try routes.route(
        request.method, request.uri.path, asksForPage: RequestHandler.asksForPage(request))
      let context = try await RequestContext(
        request, base: addresses.base(for: request.head.authority), names: names, limit: limits.bodyBytes,
        client: WorkClient(address: sender.address), on: connection)
      let choice =
        route.isExempt
        ? FaultInjector.Choice()
        : faults.next(method: request.method.rawValue, request.uri.path, client: sender.client)
      if choice.delay > 0 { try await Task.sleep(for: .milliseconds(choice.delay)) }
      // The request is recorded before it leaves, so that a report that begins again does not count it.
      try await gate.enter(whilePaused: route.isExempt)
      defer { gate.leave() }
      // No reset of this process begins before the response is complete.
      let generation = try await generation()
      var handled = try await respond(to: context, by: route, choice.fault)
      handled.response.generation = generation
      await record(handled)
      return handled
    } catch let error as ClientLeft {
      await record(nil)
      throw error
    } catch {
      guard let refused = encoded(error) else { throw error }
      await record(refused)
      return refused
    }
  }

  /// Returns the response of a route, changed by a fault.
  private func respond(to context: RequestContext, by route: Route, _ fault: Fault) async throws -> HandledResponse {
    if case .status(let status) = fault.effect {
      let error = MarketHTTPError.deliberate(status)
      var handled = HandledResponse(response: api.response(to: error), reason: error.message)
      handled.response.retryAfter = fault.retryAfter
      handled.fault = fault.effect
      return handled
    }
    var handled: HandledResponse
    if fault.effect == .lostRequest {
      handled = HandledResponse(response: .text(""))
    } else {
      do {
        handled = HandledResponse(response: try await route.handler(context))
      } catch {
        guard var refused = encoded(error) else { throw error }
        if refused.refusal?.status == 400 { refused.form = RefusedForm(context) }
        refused.content = SentContent(context)
        handled = refused
      }
    }
    guard let reason = RequestHandler.reason(of: fault.effect) else { return handled }
    if fault.effect == .brokenJSON, handled.response.type.hasPrefix("application/json") {
      let body = handled.response.body
      handled.response.body = body.getSlice(at: body.readerIndex, length: body.readableBytes / 2) ?? body
    }
    (handled.fault, handled.reason) = (fault.effect, reason)
    return handled
  }

  private static func reason(of effect: Fault.Effect) -> String? {
    switch effect {
    case .none, .status: nil
    case .lostRequest: "A deliberate fault: the request had no effect, and the connection was closed"
    case .lostResponse: "A deliberate fault: the request had its effect, and the connection was closed"
    case .cutResponse: "A deliberate fault: half of the response was sent"
    case .brokenJSON: "A deliberate fault: the JSON of the response ends in the middle"
    }
  }

  /// Returns the response to an error, or `nil` for one that the connection handles.
  private func encoded(_ error: any Error) -> HandledResponse? {
    guard let refusal = httpError(of: error) else { return nil }
    var response = api.response(to: refusal)
    response.allowed = refusal.allowed
    response.retryAfter = refusal.retryAfter
    return HandledResponse(response: response, refusal: refusal)
  }

  private func refusal(of request: Request) -> MarketHTTPError? {
    if !addresses.accepts(request.head.authority) {
      guard let name = request.head.authority, !name.isEmpty else {
        return MarketHTTPError(421, "The request names no host: add a Host field")
      }
      let advice = ServedAddresses.option(for: name).map { "; start it with \($0)" } ?? ""
      return MarketHTTPError(421, "This server does not answer to the name '\(name)'\(advice)")
    }
    // Browsers add Origin to every write, and no other client sends it.
    if request.method != .get, request.method != .head, let origin = request.headers[.origin], !origins.contains(origin)
    {
      return MarketHTTPError(403, "Invalid CORS request", vaporMessage: "Forbidden")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
      return .tooLarge(limits.bodyBytes)
    }
    return nil
  }

  /// Returns whether a request wants a web page of the server, where the API has the same path: a browser accepts HTML, and the
  /// URL of the teacher's page has a key.
  private static func asksForPage(_ request: Request) -> Bool {
    request.headers[.accept]?.lowercased().contains("text/html") == true
      || QueryParameters(request.uri.query ?? "")["key"] != nil
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

/// The error for a request whose connection was closed before its body was complete.
struct IncompleteRequest: Error {}

/// The API of an edition, or one that a file describes, on top of the store.
protocol APIHandler: Sendable {
  func registerRoutes(on routes: inout Router)
  func response(to refusal: MarketHTTPError) -> MarketResponse
  /// Returns the message that the client gets.
  func words(of refusal: MarketHTTPError) -> String
  /// Returns the login that a request has, for the log, the report and the sequences of faults.
  ///
  /// - Parameters:
  ///   - field: Returns the value of a header field.
  ///   - query: The query of the URL.
  func login(_ field: (HTTPField.Name) -> String?, query: Substring) -> SentLogin?
  /// The parameters of a query whose values the log shows.
  var shownParameters: Set<String> { get }
}

extension APIHandler {
  func login(_ field: (HTTPField.Name) -> String?, query: Substring) -> SentLogin? {
    field(.identifier).map { .identifier($0) }
  }

  var shownParameters: Set<String> { LoggedTarget.shownParameters }

  /// Returns a refusal as the log and the report have it.
  func logged(_ refusal: MarketHTTPError) -> LoggedRefusal {
    let words = words(of: refusal)
    // Several errors have the text `Not Found`.
    let isReworded = refusal.vaporMessage == nil && words != refusal.message
    return LoggedRefusal(words: words, detail: isReworded ? refusal.message : nil)
  }
}
