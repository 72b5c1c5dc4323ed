import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Every request comes in here: who it was meant for, whether a web page sent it, then the routes; every error leaves as the
/// edition spells errors.
struct FrontDoor<Responder: HTTPResponder>: Sendable where Responder.Context == BasicRequestContext {
  let responder: Responder
  let edition: any Edition
  let host: HostRule
  let limits: ServerLimits
  let clock: @Sendable () -> Stamp

  func serve(_ request: Request, _ writer: consuming ResponseWriter, _ channel: any Channel) async throws {
    if request.headers[.expect]?.lowercased() == "100-continue", refusal(of: request) == nil {
      try await writer.writeInformationalHead(HTTPResponse(status: .continue))
    }
    let response = try await respond(to: request, on: channel)
    try await writer.write(response: response.head, body: response.body)
  }

  private func respond(to request: Request, on channel: any Channel) async throws -> Response {
    do {
      if let refusal = refusal(of: request) { throw refusal }
      let source = ApplicationRequestContextSource(channel: channel, logger: Quiet.logger)
      let response = try await responder.respond(to: request, context: BasicRequestContext(source: source))
      // The router answers an unknown path by itself, without a body.
      if response.status == .notFound, response.body.contentLength == 0 { throw Refusal(404, "Not Found") }
      return response
    } catch {
      guard let refusal = meaning(of: error) else { throw error }
      return edition.answer(to: refusal).response(at: clock())
    }
  }

  private func refusal(of request: Request) -> Refusal? {
    if !host.accepts(request.head.authority) {
      return Refusal(421, "This server does not answer to the name '\(request.head.authority ?? "")'")
    }
    // Browsers add Origin to every write; no page has any business here, and no other client sends it.
    if request.method != .get, request.method != .head, request.headers[.origin] != nil {
      return Refusal(403, "Invalid CORS request")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyBytes {
      return Refusal(413, "Maximum upload size of \(limits.bodyBytes) bytes exceeded")
    }
    return nil
  }

  /// Nil for what the connection itself has to deal with: a parser's error, a cancelled task, a closed channel.
  private func meaning(of error: any Error) -> Refusal? {
    switch error {
    case let refusal as Refusal: refusal
    case let error as HTTPError: Refusal(error.status.code, error.body ?? error.status.reasonPhrase)
    case let error as DatabaseError:
      Refusal(StoreFailure.status(error), "The market cannot be read or written: \(error.message ?? "")")
    default: nil
    }
  }
}
