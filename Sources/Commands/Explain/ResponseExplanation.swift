import CommandLanguage
import MarketAPI
import Networking
import ShellRuntime
import Text
import WriteJournal

/// The meaning of a response that refused something, without the request: what it means in the edition, and what to try.
package struct ResponseExplanation {
  /// The name of each part, as in ``Explanation``, and its English text.
  package let parts: [(String, String)]

  /// Returns what a refusal of the built-in server means, or `nil` if its words say all.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - words: The message of the response.
  ///   - detail: What the server did not tell the client.
  ///   - method: The method of the request.
  ///   - path: The path of the request, in which `…` stands for any segment.
  ///   - edition: The edition of the server.
  package static func meaning(
    status: Int, words: String, detail: String?, of method: String, _ path: String, _ edition: Edition
  ) -> LocalizedText? {
    // Nothing is known of a request to a URL that the server does not have.
    let isNowhere = status == 404 && words == "Not Found" && detail == nil
    let steps = isNowhere ? [] : path.split(separator: "/").map(String.init)
    let request = StoredExchange.Request(method: method, path: steps, query: [], headers: [], body: .none)
    let body = JSON.object([("message", .string(words))]).serialized
    let reply = StoredExchange.Response(
      status: status, headers: [], body: .text(body, type: nil, size: body.utf8.count))
    let sent = SentRequest(request, edition)
    let isOfPassword = status == 404 && !edition.capabilities.hasVendors && [.edit, .delete].contains(sent.act)
    let reason = ServerErrorReason(words) ?? detail.flatMap { ServerErrorReason($0) }
    if let reason, !isOfPassword { return reason.message }
    guard [404, 413, 429].contains(status) else { return nil }
    return ErrorResponse(reply, to: sent, edition).meanings.last
  }

  /// Creates the explanation.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - body: The body of the response.
  ///   - edition: The edition of the server.
  ///   - limits: The limits that are checked before something is sent.
  package init(status: Int, body: String, _ edition: Edition, limits: LimitPolicy) {
    let request = StoredExchange.Request(method: "POST", path: [], query: [], headers: [], body: .none)
    let reply = StoredExchange.Response(
      status: status, headers: [], body: .text(body, type: nil, size: body.utf8.count))
    let answer = ErrorResponse(reply, to: SentRequest(request, edition), edition)
    parts =
      [(Explanation.Section.answer.rawValue, answer.wording[.english].plain)]
      + answer.meanings.map { (Explanation.Section.means.rawValue, $0[.english].plain) }
      + answer.steps([], limits: limits).map { (Explanation.Section.next.rawValue, $0[.english].plain) }
  }
}
