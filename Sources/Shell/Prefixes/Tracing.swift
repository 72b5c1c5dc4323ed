import Engine
import Networking
import Platform
import Presentation

/// `trace` in front of a command: every exchange as it was sent and received, on standard error, without its secrets.
struct Tracing {
  private let session: Session
  private let plain: Context

  init(_ session: Session, _ context: Context) {
    self.session = session
    plain = context
  }

  /// The context whose door tells of everything that passes.
  var context: Context {
    let options = plain.messageOptions(session)
    let console = plain.console
    let secrets = session.secrets
    return plain.through { door in
      ObservedTransport(door) { console.say(ExchangeText($0, hiding: secrets).render(options)) }
    }
  }
}
