import CommandLanguage
import MarketAPI
import ShellRuntime
import Text
import WriteJournal

/// The meaning of a response that refused something, without the request: what it means in the edition, and what to try.
package struct ResponseExplanation {
  /// The name of each part, as in ``Explanation``, and its English text.
  package let parts: [(String, String)]

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
