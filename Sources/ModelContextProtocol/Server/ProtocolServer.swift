import Foundation
import Networking
import Synchronization
import Text

/// A server of the Model Context Protocol for one client, in both eras of the protocol.
///
/// It receives lines and sends lines; it knows neither descriptors nor the meaning of its tools. Requests run side by
/// side. What it sends is complete: a response and the progress before it are sent in order, and nothing is sent for a
/// cancelled request.
package final class ProtocolServer: Sendable {
  private struct State {
    /// The version of the handshake, or `nil` before `initialize`.
    var legacyVersion: String?
    var client: String?
    var inFlight: [RequestID: Work] = [:]
  }

  private struct Work {
    var task: Task<Void, Never>?
    /// The last progress that was reported, and when.
    var progress: (value: Int, time: ContinuousClock.Instant)?
  }

  /// The minimum time between two reports of progress of one request.
  private static let progressInterval = Duration.milliseconds(250)
  /// The time for which lists may be cached, in milliseconds.
  private static let listLifetime = 3_600_000

  private let description: ServerDescription
  private let provider: any FeatureProvider
  private let maximumBytes: Int
  private let bucket: TokenBucket
  private let mask: @Sendable (String) -> String
  private let send: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - description: Its name.
  ///   - provider: Its tools, resources and prompts.
  ///   - maximumBytes: The maximum size of a line that it sends.
  ///   - rate: The calls of tools per second.
  ///   - mask: Removes secrets from a text; applied to everything but the protocol's own members.
  ///   - send: Sends a line. Calls are serialized.
  package init(
    _ description: ServerDescription, _ provider: any FeatureProvider, maximumBytes: Int, rate: Int,
    mask: @escaping @Sendable (String) -> String = { $0 }, send: @escaping @Sendable (String) -> Void
  ) {
    self.description = description
    self.provider = provider
    self.maximumBytes = maximumBytes
    self.mask = mask
    self.send = send
    bucket = TokenBucket(rate: rate)
  }

  /// Handles a line of the client.
  ///
  /// A request that needs no waiting is answered before this function returns, others later.
  package func receive(_ line: LineSplitter.Line) {
    switch line {
    case .tooLong:
      respond(nil, .failure(.invalidRequest("The line is longer than \(LineSplitter.maximumLength) bytes.")))
    case .text(let data):
      switch IncomingMessage(data) {
      case .response: break
      case .invalid(let id, let error): respond(id, .failure(error))
      case .notification(let method, let parameters): handle(notification: method, parameters)
      case .request(let id, let method, let parameters): handle(id, method: method, parameters: parameters)
      }
    }
  }

  /// A Boolean value that indicates that a request waits for its response.
  package var hasRequestsInFlight: Bool { state.withLock { !$0.inFlight.isEmpty } }

  /// Cancels the requests in flight, for which nothing is sent any more.
  package func cancelAll() {
    let works = state.withLock { state in
      defer { state.inFlight = [:] }
      return state.inFlight.values.map(\.task)
    }
    for work in works { work?.cancel() }
  }

  // MARK: Dispatch

  private func handle(notification method: String, _ parameters: JSONObject) {
    guard method == "notifications/cancelled", let id = RequestID(parameters["requestId"]) else { return }
    let work = state.withLock { $0.inFlight.removeValue(forKey: id) }
    work?.task?.cancel()
  }

  private func handle(_ id: RequestID, method: String, parameters: JSONObject) {
    do {
      let request = try Request(
        id, method: method, parameters: parameters, client: state.withLock { ($0.legacyVersion, $0.client) })
      if let result = try immediateResult(of: request) { return respond(request, result) }
      try start(request)
    } catch let error as ProtocolError {
      respond(id, .failure(error))
    } catch {
      respond(id, .failure(ProtocolError(-32_603, "Internal error.")))
    }
  }

  /// Returns the result of a request that needs no waiting, or `nil`.
  private func immediateResult(of request: Request) throws -> [(String, JSON)]? {
    switch (request.method, request.era) {
    case ("initialize", .legacy): return initialize(request.parameters)
    case ("ping", .legacy): return []
    case ("server/discover", .modern):
      return [("supportedVersions", .array(ProtocolVersion.supported.map { .string($0) }))] + identity(.modern)
        + cache(isPublic: true, for: ProtocolServer.listLifetime, .modern)
    case ("tools/list", _):
      return try list("tools", elements: provider.tools.map(\.json), request: request, isPublic: true)
    case ("prompts/list", _):
      return try list("prompts", elements: provider.prompts.map(\.json), request: request, isPublic: true)
    case ("resources/list", _):
      return try list(
        "resources", elements: provider.resources.filter { !$0.isTemplate }.map(\.json), request: request,
        isPublic: true)
    case ("resources/templates/list", _):
      return try list(
        "resourceTemplates", elements: provider.resources.filter(\.isTemplate).map(\.json), request: request,
        isPublic: true)
    case ("tools/call", _), ("resources/read", _), ("prompts/get", _): return nil
    default: throw ProtocolError.methodNotFound(request.method)
    }
  }

  private func list(
    _ key: String, elements: [JSON], request: Request, isPublic: Bool
  ) throws -> [(String, JSON)] {
    // The lists fit one page, so there are no cursors.
    guard [nil, .null, .string("")].contains(request.parameters["cursor"]) else {
      throw ProtocolError.invalidParameters("Unknown cursor.")
    }
    return [(key, .array(elements))] + cache(isPublic: isPublic, for: ProtocolServer.listLifetime, request.era)
  }

  private func initialize(_ parameters: JSONObject) -> [(String, JSON)] {
    let requested = parameters["protocolVersion"].flatMap { if case .string(let text) = $0 { text } else { nil } }
    let version = ProtocolVersion.legacy.first { $0 == requested } ?? ProtocolVersion.legacy[0]
    let client = Request.name(of: parameters["clientInfo"])
    state.withLock { ($0.legacyVersion, $0.client) = (version, client) }
    return [("protocolVersion", .string(version))] + identity(.legacy)
  }

  /// The capabilities and the instructions, and in the handshake the name of the server.
  private func identity(_ era: ProtocolEra) -> [(String, JSON)] {
    let none = JSON.object([])
    return [("capabilities", .object([("tools", none), ("resources", none), ("prompts", none)]))]
      + (era == .legacy ? [("serverInfo", description.json)] : [])
      + [("instructions", .string(description.instructions))]
  }

  private func cache(isPublic: Bool, for lifetime: Int, _ era: ProtocolEra) -> [(String, JSON)] {
    era == .legacy ? [] : [("ttlMs", .int(lifetime)), ("cacheScope", .string(isPublic ? "public" : "private"))]
  }

  // MARK: Work

  private func start(_ request: Request) throws {
    let work = try work(of: request)
    let isNew = state.withLock { state in
      guard state.inFlight[request.id] == nil else { return false }
      state.inFlight[request.id] = Work()
      state.inFlight[request.id]?.task = Task { [self] in
        do {
          let result = try await work()
          finish(request, .success(result))
        } catch let error as ProtocolError {
          finish(request, .failure(error))
        } catch is CancellationError {
          // Only a cancelled request ends so, and nothing is sent for it.
        } catch {
          finish(request, .failure(ProtocolError(-32_603, "Internal error.")))
        }
      }
      return true
    }
    if !isNew { throw ProtocolError.invalidRequest("Another request with this id is in flight.") }
  }

  /// Returns the work of a request after checking its parameters.
  private func work(of request: Request) throws -> @Sendable () async throws -> [(String, JSON)] {
    switch request.method {
    case "tools/call": return try toolCall(request)
    case "resources/read":
      guard case .string(let uri)? = request.parameters["uri"] else {
        throw ProtocolError.invalidParameters("uri must be a string.")
      }
      return { [self] in try await read(uri, request) }
    default:
      let (name, arguments) = try promptArguments(request.parameters)
      return { [self] in
        let text = try await provider.prompt(name, arguments)
        let content = JSON.object([("type", .string("text")), ("text", .string(limited(text)))])
        return [("messages", .array([.object([("role", .string("user")), ("content", content)])]))]
      }
    }
  }

  private func toolCall(_ request: Request) throws -> @Sendable () async throws -> [(String, JSON)] {
    guard case .string(let name)? = request.parameters["name"] else {
      throw ProtocolError.invalidParameters("name must be a string.")
    }
    guard let tool = provider.tools.first(where: { $0.name == name }) else {
      throw ProtocolError.invalidParameters("There is no tool \(name.prefix(100)).")
    }
    let given: JSONObject
    switch request.parameters["arguments"] {
    case nil, .null: given = JSONObject()
    case .object(let object): given = object
    case .some: throw ProtocolError.invalidParameters("arguments must be an object.")
    }
    let token = request.progressToken
    return { [self] in
      let arguments: JSONObject
      do {
        arguments = try tool.arguments(from: given)
      } catch let error as ToolDeclaration.ArgumentError {
        return fitting(provider.failure(badArguments: error.problem), request)
      }
      try await bucket.take()
      let call = ToolCall(client: request.client) { [self] value, total, message in
        guard let token else { return }
        report(request.id, token: token, value: value, total: total, message: message)
      }
      let result: ToolResult
      do {
        result = try await provider.call(name, arguments, in: call)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        result = provider.failure(error)
      }
      return fitting(result, request)
    }
  }

  private func read(_ uri: String, _ request: Request) async throws -> [(String, JSON)] {
    let found: ResourceText?
    do {
      found = try await provider.read(uri)
    } catch let error as ProtocolError {
      throw error
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      let failure = provider.failure(error)
      throw ProtocolError(-32_603, "The resource cannot be read.", data: .object(failure.content))
    }
    guard var found else { throw ProtocolError.resourceNotFound(uri, in: request.era) }
    found.text = limited(found.text)
    return [("contents", .array([found.json]))] + cache(isPublic: false, for: 0, request.era)
  }

  private func promptArguments(_ parameters: JSONObject) throws -> (String, [String: String]) {
    guard case .string(let name)? = parameters["name"], let prompt = provider.prompts.first(where: { $0.name == name })
    else { throw ProtocolError.invalidParameters("There is no such prompt.") }
    var arguments: [String: String] = [:]
    if let given = parameters["arguments"], given != .null {
      guard let object = given.object else { throw ProtocolError.invalidParameters("arguments must be an object.") }
      for key in object.keys where object[key] != .null {
        guard case .string(let text)? = object[key], prompt.arguments.contains(where: { $0.name == key }) else {
          throw ProtocolError.invalidParameters("\(name) has no text argument \(key.prefix(60)).")
        }
        arguments[key] = text
      }
    }
    if let missing = prompt.arguments.first(where: { $0.isRequired && arguments[$0.name] == nil }) {
      throw ProtocolError.invalidParameters("\(missing.name) is missing.")
    }
    return (name, arguments)
  }

  // MARK: Sizes

  /// The space for everything around a result in its line.
  private static let envelope = 1_024

  /// Returns the members of a result that fits the limit of bytes, after dropping rows from its end.
  private func fitting(_ result: ToolResult, _ request: Request) -> [(String, JSON)] {
    func masked(_ result: ToolResult) -> [(String, JSON)] {
      var copy = result
      copy.content = JSON.object(result.content).mappingStrings(mask).object ?? copy.content
      return copy.members
    }
    func isFitting(_ members: [(String, JSON)]) -> Bool {
      ProtocolServer.serialized(.object(members)).utf8.count + ProtocolServer.envelope <= maximumBytes
    }
    let whole = masked(result)
    if isFitting(whole) { return whole }
    var (fits, tooMany) = (-1, result.rowCount)
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      if let part = result.keeping(middle), isFitting(masked(part)) { fits = middle } else { tooMany = middle }
    }
    if fits > 0, let part = result.keeping(fits) { return masked(part) }
    return masked(provider.failure(tooLarge: maximumBytes))
  }

  /// Returns a text that fits the limit of bytes, cut at a character.
  private func limited(_ text: String) -> String {
    let text = mask(text)
    let limit = maximumBytes - ProtocolServer.envelope
    guard ProtocolServer.serialized(.string(text)).utf8.count > limit else { return text }
    let end = "\n(truncated)"
    var (fits, tooMany) = (0, text.count)
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      let size = ProtocolServer.serialized(.string(text.prefix(middle) + end)).utf8.count
      if size <= limit { fits = middle } else { tooMany = middle }
    }
    return text.prefix(fits) + end
  }

  // MARK: Sending

  private func respond(_ request: Request, _ members: [(String, JSON)]) {
    state.withLock { _ in send(response(request, .success(members))) }
  }

  private func respond(_ id: RequestID?, _ result: Result<Never, ProtocolError>) {
    guard case .failure(let error) = result else { return }
    state.withLock { _ in send(ProtocolServer.line(id, [("error", masked(error).json)])) }
  }

  /// Sends the response, unless the request was cancelled in the meantime.
  private func finish(_ request: Request, _ result: Result<[(String, JSON)], ProtocolError>) {
    state.withLock { state in
      guard state.inFlight.removeValue(forKey: request.id) != nil else { return }
      send(response(request, result))
    }
  }

  private func response(_ request: Request, _ result: Result<[(String, JSON)], ProtocolError>) -> String {
    switch result {
    case .failure(let error): return ProtocolServer.line(request.id, [("error", masked(error).json)])
    case .success(let members):
      let extra: [(String, JSON)] =
        request.era == .legacy
        ? []
        : [
          ("resultType", .string("complete")),
          ("_meta", .object([("io.modelcontextprotocol/serverInfo", description.json)])),
        ]
      return ProtocolServer.line(request.id, [("result", .object(extra + members))])
    }
  }

  /// Returns an error without secrets and control characters: it repeats what the client sent.
  private func masked(_ error: ProtocolError) -> ProtocolError {
    let clean: (String) -> String = { [mask] in Sanitizer.sanitized(mask($0)) }
    return ProtocolError(error.code, clean(error.message), data: error.data?.mappingStrings(clean))
  }

  private func report(_ id: RequestID, token: JSON, value: Int, total: Int?, message: String) {
    state.withLock { state in
      guard let work = state.inFlight[id] else { return }
      let now = ContinuousClock.now
      if let last = work.progress {
        guard value > last.value, last.time.duration(to: now) >= ProtocolServer.progressInterval else { return }
      }
      state.inFlight[id]?.progress = (value, now)
      let parameters: [(String, JSON)] =
        [("progressToken", token), ("progress", .int(value))] + (total.map { [("total", .int($0))] } ?? [])
        + [("message", .string(mask(message)))]
      send(
        ProtocolServer.line(
          nil, [("method", .string("notifications/progress")), ("params", .object(parameters))]))
    }
  }

  private static func line(_ id: RequestID?, _ members: [(String, JSON)]) -> String {
    serialized(.object([("jsonrpc", .string("2.0"))] + (id.map { [("id", $0.json)] } ?? []) + members)) + "\n"
  }

  /// Returns the JSON with invisible characters as escapes, because some clients end lines at U+2028.
  private static func serialized(_ value: JSON) -> String { JSONWriter.escapingInvisibles(in: value.serialized) }
}

extension JSON {
  /// Returns the value with every string replaced.
  ///
  /// The names of members stay.
  package func mappingStrings(_ transform: (String) -> String) -> JSON {
    switch self {
    case .string(let text): .string(transform(text))
    case .null, .bool, .number, .invalidLiteral: self
    case .array(let elements): .array(elements.map { $0.mappingStrings(transform) })
    case .object(let object):
      .object(object.keys.map { ($0, (object[$0] ?? .null).mappingStrings(transform)) })
    }
  }
}

/// The name of the server, and its instructions for models.
package struct ServerDescription: Hashable, Sendable {
  package var name: String
  package var title: String
  package var version: String
  package var instructions: String

  package init(name: String, title: String, version: String, instructions: String) {
    self.name = name
    self.title = title
    self.version = version
    self.instructions = instructions
  }

  var json: JSON {
    .object([("name", .string(name)), ("title", .string(title)), ("version", .string(version))])
  }
}

/// A limit for the rate of calls: each takes a token, and tokens are added at a constant rate.
///
/// A call that finds no token waits for its own one, so that calls keep their order.
package final class TokenBucket: Sendable {
  private let interval: Duration
  private let capacity: Int
  /// The time at which the bucket was, or will be, full.
  private let full: Mutex<ContinuousClock.Instant>

  /// Creates a full bucket.
  ///
  /// - Parameters:
  ///   - rate: The tokens per second.
  ///   - capacity: The number of calls that may begin at once after a pause.
  package init(rate: Int, capacity: Int = 10) {
    interval = .seconds(1) / max(1, rate)
    self.capacity = capacity
    full = Mutex(.now)
  }

  /// Takes a token, waiting for it if necessary.
  ///
  /// - Throws: `CancellationError`.
  package func take() async throws {
    let now = ContinuousClock.now
    let delay = full.withLock { full in
      full = max(full, now) + interval
      return now.duration(to: full) - interval * capacity
    }
    if delay > .zero { try await Task.sleep(for: delay) }
  }
}
