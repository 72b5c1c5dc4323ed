import Commands
import Networking
import Presentation
import ShellRuntime

/// The request and response that a failing line refers to, as text for a report.
///
/// A line that names a response (`assert $p.status = 200`) refers to that response, any other line to the last
/// exchange.
struct FailureEvidence {
  private let line: String
  private let session: Session
  private let context: CommandContext

  init(_ line: String, _ session: Session, _ context: CommandContext) {
    self.line = line
    self.session = session
    self.context = context
  }

  /// The text, or `nil` if nothing was sent.
  ///
  /// Secrets are redacted, and long bodies are truncated.
  var text: String? {
    if let answer = namedAnswer { return context.secrets.mask(answer.described) }
    guard let exchange = context.recording.log.last else { return nil }
    var options = context.messageOptions(session)
    (options.colors, options.isTerminal) = (false, false)
    return TraceRenderer(exchange, hiding: context.secrets.all + session.secrets).render(options)
  }

  private var namedAnswer: ResponseValue? {
    for match in line.matches(of: /\$([\p{L}_][\p{L}0-9_]*)/) {
      if let answer = session.lastResponse(String(match.1)) { return answer }
    }
    return nil
  }
}
