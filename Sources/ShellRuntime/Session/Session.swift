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
  package var listQuery = ListQuery()
  /// The last listing shown, to whose rows `@3` refers.
  package var lastListing: Listing?
  /// The matches of the last full scan, if they are shown page by page.
  package var scanCache: ScanResultCache?
  /// The last product shown, created or changed, for `_`.
  package var lastProduct: Product?
  package var settings: Settings
  /// The products seen, for completion, with a maximum number; `nil` if no user types the lines.
  package var recentProducts: RecentProductIndex? = RecentProductIndex()
  /// The vendor's own products among them.
  package var recentOwnProductIDs: Set<Product.ID> = []
  /// The names of their vendors, with a maximum number.
  package var recentVendors: OrderedSet<String> = []
  /// The last response to `get` or `raw`, which is `_` until a product is shown.
  package var lastResponse: ResponseValue?
  /// The texts of a form for a new product that was left, with which the next form starts.
  package var newProductDraft: [ProductField: String] = [:]
  /// The variables created by `let`, oldest first.
  package var variables: OrderedDictionary<String, Variable> = [:]
  /// The user's aliases, which are saved in the home folder.
  package var aliases: [String: String] = [:]
  /// The running scripts, the innermost last.
  package var scriptStack: [ScriptFrame] = []
  /// The origin of the lines: a person at the prompt, a script, or a single line.
  ///
  /// `CommandContext.actor` says who decides a change.
  package var actor = ChangeActor.person
  /// A Boolean value that indicates that the lines come from a file or standard input and aren't typed.
  package var isReadingScript = false
  /// The run of the current script, or `nil` for typed lines.
  package var scriptRun: ScriptRun?
  /// A Boolean value that indicates that the lines are a test with a report: `--tap`, `--junit`.
  package var isReported = false
  /// A Boolean value that indicates whether a script continues after a failing line.
  package var continuesOnError = false
  /// The last HTTP status of the market, such as 200 or 404.
  package var lastHTTPStatus: Int?
  /// The last failed command, for `explain`.
  package var lastFailure: FailedCommand?
  /// The data printed last, for `expect`.
  package var lastOutput: LastOutput?
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
