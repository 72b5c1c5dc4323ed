import Networking
import Weather

extension Context {
  /// The same things with another door in front of every server, for the command at hand.
  package func through(_ wrap: (any Transport) -> any Transport) -> Context {
    var copy = self
    copy.transport = wrap(transport)
    copy.weather = weather.through(copy.transport)
    return copy
  }
}
