import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import ShellRuntime
import Text
import WriteJournal

/// The market of another profile than the session's, with its login.
struct OtherMarket {
  /// A scope whose session is that of the profile.
  ///
  /// Changes of a command to it don't affect the user's session.
  var scope: CommandScope
  var client: Client<MarketService>

  /// Opens the market of a profile.
  ///
  /// - Parameters:
  ///   - profile: The name of the profile.
  ///   - writes: Whether the command changes this market, which needs the secret.
  ///   - scope: The scope of the command.
  /// - Throws: `CommandError` for an unknown profile; the errors of opening the market.
  init(_ profile: String, writes: Bool = false, in scope: CommandScope) async throws {
    var session = try scope.context.opening.session(
      profile: Sourced(profile, .option), settings: scope.session.settings)
    session.script.isReading = scope.session.script.isReading
    session.script.run = scope.session.script.run
    if scope.session.server.access.value == .readOnly { session.server.access = scope.session.server.access }
    var other = CommandScope(session, scope.context, mode: scope.mode, output: scope.output)
    if writes { try await other.resolveSecret() }
    client = try await other.marketClient()
    if writes { try await other.readGeneration(of: client) } else { try await other.recognize(client) }
    self.scope = other
  }

  var market: MarketIdentity { scope.session.market(at: client.service.baseURL) }

  /// The name as in the journal.
  var address: String { scope.session.marketLogin(at: client.service.baseURL).baseURL }

  /// The market in a map of copies.
  var side: ProductIDMap.Side { ProductIDMap.Side(address, market) }
}
