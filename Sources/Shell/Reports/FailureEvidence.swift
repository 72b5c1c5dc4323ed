import Engine
import Exploration
import Language
import Networking
import Presentation

/// The request and the response that a failing line is about, as text for a report on the whole run.
///
/// A line that names an answer (`assert $p.status = 200`) is about that answer; any other is about the last exchange.
struct FailureEvidence {
  private let line: String
  private let session: Session
  private let context: Context

  init(_ line: String, _ session: Session, _ context: Context) {
    self.line = line
    self.session = session
    self.context = context
  }

  /// `nil` where nothing was sent. Secrets are masked, long bodies are cut.
  var text: String? {
    if let answer = namedAnswer { return context.secrets.mask(answer.described) }
    guard let exchange = context.requests.last else { return nil }
    var options = context.messageOptions(session)
    (options.colors, options.isTerminal) = (false, false)
    return ExchangeText(exchange, hiding: context.secrets.all + session.secrets).render(options)
  }

  private var namedAnswer: Answer? {
    for match in line.matches(of: /\$([\p{L}_][\p{L}0-9_]*)/) {
      if let answer = session.answer(String(match.1)) { return answer }
    }
    return nil
  }
}
