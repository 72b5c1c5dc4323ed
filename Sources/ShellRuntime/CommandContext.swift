import MarketAPI
import Networking
import Platform
import WeatherAPI

/// The dependencies of a command, which are created once by the executable and passed to every command.
///
/// Code that needs only one of them takes only that one.
package struct CommandContext: Sendable {
  package var program: RunningProgram
  package var network: NetworkAccess
  package var stores: Stores
  package var clock: ProgramClock

  /// Creates the dependencies of a program whose requests go through a transport.
  ///
  /// The secrets that the environment and the saved credentials contain are removed from the journal.
  package init(
    _ program: RunningProgram, _ stores: Stores, through transport: any Transport, embedded: EmbeddedMarketAccess,
    clock: ProgramClock = ProgramClock()
  ) {
    self.program = program
    self.stores = stores
    self.clock = clock
    network = NetworkAccess(
      through: transport, embedded: embedded, showing: program.spinner, recordingTo: stores, clock: clock)
    let given = [Credentials.secretVariable, OpenWeather.keyVariable].compactMap { program.environment[$0] }
    stores.secrets.add(
      typed: given.compactMap { Secret(password: $0) } + ((try? CredentialStore(stores.home).secrets()) ?? []))
  }
}

extension CommandContext {
  /// Returns a copy whose requests go through `wrap(transport)`.
  package func through(_ wrap: (any Transport) -> any Transport) -> CommandContext {
    var copy = self
    copy.network.transport = wrap(network.transport)
    return copy
  }

  /// Returns a copy that calls a closure with every exchange after it has ended, each attempt separately.
  package func observing(_ observe: @escaping @Sendable (Exchange) -> Void) -> CommandContext {
    through { ObservedTransport($0, observe: observe) }
  }
}

extension Session {
  /// The session's credentials, which are hidden wherever a server repeats them.
  package var secrets: [NamedSecret] {
    [
      credentials.secret.map { NamedSecret(Credentials.secretVariable, $0) },
      credentials.identifier.flatMap { Secret($0) }.map { NamedSecret(Credentials.identifierVariable, $0) },
    ].compactMap { $0 }
  }
}
