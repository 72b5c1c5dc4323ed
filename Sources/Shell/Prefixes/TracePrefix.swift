import Commands
import Networking
import Platform
import ShellRuntime

/// The prefix `trace`, which prints every exchange to standard error with secrets redacted.
struct TracePrefix {
  private let session: Session
  private let plain: CommandContext

  init(_ session: Session, _ context: CommandContext) {
    self.session = session
    plain = context
  }

  /// The context whose transport prints every exchange.
  var context: CommandContext {
    let options = plain.messageOptions(session)
    let console = plain.console
    let secrets = session.secrets
    return plain.through { transport in
      ObservedTransport(transport) { console.writeMessage(TraceRenderer($0, hiding: secrets).render(options)) }
    }
  }
}
