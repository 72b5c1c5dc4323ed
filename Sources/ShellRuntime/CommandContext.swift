import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import WeatherAPI
import WriteJournal

/// The dependencies of a command, which are created once by the executable and passed to every command.
///
/// Code that needs only one of them takes only that one.
package struct CommandContext: Sendable {
  package var program: RunningProgram
  package var network: NetworkAccess
  package var stores: Stores
  package var clock: ProgramClock

  package init(
    commands: CommandRegistry, lines: any LineEvaluator, transport: any Transport,
    embedded: @escaping @Sendable (Edition) async throws -> URL, demo: DemoLogin?,
    home: AppDirectories, console: any Console, asker: (any UserPrompt)? = nil, environment: Environment = [:],
    assumesYes: Bool = false, secrets: SecretRegistry = SecretRegistry(),
    calls: CallRecorder? = nil,
    journal: @escaping @Sendable () throws -> Journal, freshName: @escaping @Sendable () -> String,
    history: @escaping @Sendable () async -> [String] = { [] }, now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    clock = ProgramClock(now: now, pause: pause)
    program = RunningProgram(
      commands: commands, lines: lines, console: console, asker: asker, environment: environment,
      assumesYes: assumesYes, clock: clock)
    stores = Stores(
      home: home, secrets: secrets, calls: calls, journal: journal, freshName: freshName, history: history)
    network = NetworkAccess(
      through: transport, embedded: EmbeddedMarketAccess(address: embedded, login: demo), showing: program.spinner,
      recordingTo: stores, clock: clock)
    let given = [Credentials.secretVariable, OpenWeather.keyVariable].compactMap { environment[$0] }
    secrets.add(typed: given.compactMap { Secret(password: $0) } + ((try? CredentialStore(home).secrets()) ?? []))
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
