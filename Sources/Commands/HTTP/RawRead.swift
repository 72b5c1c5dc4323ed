import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// A raw request that reads, with the redirections that a pasted `curl -L` follows.
struct RawRead {
  private let request: Request
  private let line: RawRequestArguments

  init(_ request: Request, _ line: RawRequestArguments) {
    self.request = request
    self.line = line
  }

  /// Sends the request and reports the response.
  ///
  /// - Parameters:
  ///   - base: The server.
  ///   - scope: The scope of the command.
  /// - Returns: The report.
  /// - Throws: `TransportError` without a complete response; `CommandError` for too many redirections, and for one that
  ///   would send the vendor's credentials to another server.
  func run(to base: URL, in scope: inout CommandScope) async throws -> CommandResult {
    if request.carriesSecret {
      try await WriteApproval.admitPlainHTTP(scope.session, scope.mode, to: base, in: scope.context)
    }
    let transport = try scope.context.transport(scope.session)
    var (request, base) = (request, base)
    var took = Duration.zero
    var redirects = 0
    while true {
      let start = ContinuousClock.now
      let reply = try await transport.send(request, to: base, with: line.options)
      took += reply.timing?.phases.total ?? start.duration(to: .now)
      guard let maximum = line.pasted?.output.redirects, let target = redirect(reply, from: request, at: base) else {
        return try RawResponseReport(
          reply, to: request, at: base, took: took, redirects: redirects, line, scope.context
        )
        .report(in: &scope)
      }
      guard redirects < maximum else {
        throw CommandError(
          .refused,
          .failure("Stopped after \(maximum) redirects.", ko: "리다이렉트가 \(maximum)번을 넘어 중단했습니다."))
      }
      redirects += 1
      (request, base) = try RawRead.next(request, from: base, to: target)
    }
  }

  /// Returns the URL that a response redirects to, or `nil`.
  private func redirect(_ reply: Response, from request: Request, at base: URL) -> URL? {
    guard [301, 302, 303, 307, 308].contains(reply.status), let location = reply.header("Location"),
      let here = (try? request.url(at: base)).flatMap({ URL(string: $0) })
    else { return nil }
    return URL(string: CurlCommandParser.ascii(location), relativeTo: here)?.absoluteURL
  }

  /// Returns the request of a redirection.
  ///
  /// Like curl, it omits `Authorization` and `Cookie` for another server.
  private static func next(_ request: Request, from base: URL, to target: URL) throws -> (Request, URL) {
    guard var parts = URLComponents(url: target, resolvingAgainstBaseURL: true),
      ["http", "https"].contains(parts.scheme?.lowercased() ?? "")
    else { throw TransportError(.invalidURL(target.absoluteString), extent: .none) }
    var request = request
    let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
    request.rawTarget = path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "")
    (parts.percentEncodedPath, parts.percentEncodedQuery, parts.fragment) = ("", nil, nil)
    guard let origin = parts.url else { throw TransportError(.invalidURL(target.absoluteString), extent: .none) }
    guard !RawRequestArguments.isSame(origin, base) else { return (request, origin) }
    request.headers.removeAll { ["authorization", "cookie", "host"].contains($0.name.lowercased()) }
    guard !request.carriesSecret else {
      throw CommandError(
        .blocked,
        .failure(
          "The request contains a secret, so the redirect to \(.value(origin.absoluteString)) was not followed.",
          ko: "요청에 시크릿이 있어 \(.value(origin.absoluteString), .toward) 가는 리다이렉트를 따라가지 않았습니다."))
    }
    return (request, origin)
  }
}

extension RawRequestArguments {
  /// The time limits of a pasted line.
  var options: SendOptions {
    var options = SendOptions(deadline: pasted?.deadline)
    if let connect = pasted?.connectTimeout { options.limits.connect = connect }
    return options
  }
}
