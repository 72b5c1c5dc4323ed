import Catalog
import CommandLanguage
import MarketAPI
import OrderedCollections
import Presentation
import WriteJournal

/// The state of a session as one value.
///
/// Commands receive it `inout`, and tests compare it.
package struct Session: Hashable, Sendable {
  package var server: ServerConfiguration
  package var credentials: Credentials
  package var credentialOrigins = CredentialOrigins()
  package var listing = ListingState()
  package var last = LastResults()
  package var script = ScriptState()
  package var completion = CompletionState()
  package var settings: Settings
  /// The variables created by `let`, oldest first.
  package var variables: OrderedDictionary<String, Variable> = [:]
  /// The user's aliases, which are saved in the home folder.
  package var aliases: [String: String] = [:]
  /// The origin of the lines: a person at the prompt, a script, or a single line.
  ///
  /// `CommandContext.actor` says who decides a change.
  package var actor = ChangeActor.person
  /// The products that this session created, oldest first.
  package var createdProductIDs: [Product.ID] = []
  /// The possible late deliveries that were already reported.
  package var reportedLateArrivals: Set<LateDelivery> = []
  /// The commands of this session with their results, for `save`.
  package var commandHistory = CommandHistory()
  /// A Boolean value that `quit` sets.
  package var hasEnded = false

  package init(server: ServerConfiguration, credentials: Credentials = Credentials(), settings: Settings = Settings()) {
    self.server = server
    self.credentials = credentials
    self.settings = settings
  }
}
