import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import OrderedCollections
import Platform
import Presentation
import Text
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
  /// `CommandScope.actor` says who decides a change.
  package var actor = ChangeActor.person
  /// The products that this session created, oldest first.
  package var createdProductIDs: [Product.ID] = []
  /// The possible late deliveries that were already reported.
  package var reportedLateArrivals: Set<LateDelivery> = []
  /// A Boolean value that indicates that a note has said where the JSON of the server is shown.
  package var hasExplainedJSON = false
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

/// The list that a session browses.
package struct ListingState: Hashable, Sendable {
  package var query = ListQuery()
  /// The last listing shown, to whose rows `@3` refers.
  package var last: Listing?
  /// The market of the listing and of the matches.
  package var market: MarketIdentity?
  /// The matches of the last full scan, if they are shown page by page.
  package var scan: ScanResultCache?
}

/// The products and vendors that a session saw, for completion.
package struct CompletionState: Hashable, Sendable {
  /// The products seen, with a maximum number; `nil` if no user types the lines.
  package var products: RecentProductIndex? = RecentProductIndex()
  /// The vendor's own products among them.
  package var ownProductIDs: Set<Product.ID> = []
  /// The names of their vendors, with a maximum number.
  package var vendors: OrderedSet<String> = []
}

/// The results of earlier commands of a session, to which later ones refer.
package struct LastResults: Hashable, Sendable {
  /// The last product shown, created or changed, for `_`.
  package var product: Product?
  /// The market of the product.
  package var market: MarketIdentity?
  /// The last response to `get` or `raw`, which is `_` until a product is shown.
  package var response: ResponseValue?
  /// The last HTTP status of the market, such as 200 or 404.
  package var httpStatus: Int?
  /// The last failed command, for `explain`.
  package var failure: FailedCommand?
  /// The data printed last, for `expect`.
  package var output: LastOutput?
}

/// The data that was printed, with its format.
package struct LastOutput: Hashable, Sendable {
  /// The data, or `nil` for a list that was too long to be stored.
  package var data: Report?
  package var format: OutputFormat

  package init(data: Report?, format: OutputFormat) {
    self.data = data
    self.format = format
  }
}

/// The output of the command, as far as a script could check it again.
package enum RecordedOutput: Hashable, Sendable {
  /// The last product, with the displayed fields.
  case product(Product, [ProductField])
  /// Rows, with the displayed fields of each.
  case listing(Page, [ProductField])
  case other
}

extension RecordedOutput {
  /// The maximum number of stored rows; more are not compared by eye.
  private static let maximumRows = 200

  package init(_ data: Report?, _ session: Session) {
    switch data {
    case .product(let product, let fields):
      self = session.last.product?.id == product.id ? .product(product, fields ?? ProductField.allCases) : .other
    case .listing(let listing):
      let isLong = listing.page.products.count > RecordedOutput.maximumRows
      self = isLong ? .other : .listing(listing.page, listing.columns ?? ProductField.singleLineValues)
    case .rows, .drawing, .message, .text, .receipt, .group, .empty, nil: self = .other
    }
  }
}

/// The last failed command: its message and the exchange that failed.
package struct FailedCommand: Hashable, Sendable {
  /// The line as typed, or `nil` if it may contain a secret.
  package var line: String?
  /// The message, or `nil` if it was printed while the command ran.
  package var message: Message?
  /// The command's last exchange with a status of 400 or above or without a response, without secrets, or `nil` if there
  /// is none.
  package var exchange: StoredExchange?

  package init(line: String? = nil, message: Message? = nil, exchange: StoredExchange?) {
    self.line = line
    self.message = message
    self.exchange = exchange
  }
}

/// The commands of a session, oldest first.
///
/// The newest 2,000 are stored.
package struct CommandHistory: Hashable, Sendable {
  private static let maximumCount = 2_000

  package private(set) var all: [CommandRecord] = []
  private var count = 0

  package init() {}

  /// The number of the next command.
  package var next: Int { count + 1 }

  package mutating func add(_ record: CommandRecord) {
    count += 1
    all.append(record)
    if all.count > CommandHistory.maximumCount { all.removeFirst(all.count - CommandHistory.maximumCount) }
  }
}

/// One command of this session with its result.
package struct CommandRecord: Hashable, Sendable {

  /// The number, counted from 1 as in `history session`.
  package var number: Int
  /// The line as typed, with aliases expanded, or `nil` if it may contain a secret.
  package var line: String?
  /// The command's own name.
  package var command: String
  package var code: ExitStatus
  /// The last HTTP status, or `nil` if no request was sent.
  package var status: Int?
  package var output: RecordedOutput
  /// The products that the command created.
  package var made: [Product.ID]
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var hasOutliers = false

  package init(
    number: Int, line: String? = nil, command: String, code: ExitStatus, status: Int? = nil, output: RecordedOutput,
    made: [Product.ID], hasOutliers: Bool = false
  ) {
    self.number = number
    self.line = line
    self.command = command
    self.code = code
    self.status = status
    self.output = output
    self.made = made
    self.hasOutliers = hasOutliers
  }
}

/// The scripts that a session runs, and how.
package struct ScriptState: Hashable, Sendable {
  /// The running scripts, the innermost last.
  package var stack: [ScriptFrame] = []
  /// The line or script that is being executed, or `nil` if none is.
  package var run: RunInProgress?
  /// The key of `--once`, which names the intent of the scripts.
  package var key: String?
  /// A Boolean value that indicates that the current line was typed at the prompt.
  package var isTyped = false
  /// A Boolean value that indicates that the lines come from a file or standard input and aren't typed.
  package var isReading = false
  /// A Boolean value that indicates that the lines are a test with a report: `--tap`, `--junit`.
  package var isReported = false
  /// A Boolean value that indicates whether a script continues after a failing line.
  package var continuesOnError = false
  /// The lines of `finally:` that wait for the end of their scripts, the last one runs first.
  package var cleanUps: [CleanUp] = []

  package init() {}

  /// The values of `$1` and so on: none in a script of `-f` and of standard input, and `nil` at the prompt and in `-c`, where
  /// `$1` is text.
  package var arguments: [String]? { stack.last?.arguments ?? (isReading ? [] : nil) }
}

/// A line of `finally:`, with the session as it was at that line.
///
/// It is run in that session: `_`, variables and the server are what they were there.
package struct CleanUp: Hashable, Sendable {
  package let text: String
  package let session: Session
  package let mode: CommandScope.Mode
  /// The name of the script.
  package private(set) var script = ""
  /// The number of the line in its script, or 0 if it isn't known yet.
  package private(set) var number = 0

  package init(_ text: String, session: Session, mode: CommandScope.Mode) {
    self.text = text
    self.mode = mode
    var start = session
    start.script.cleanUps = []
    self.session = start
  }

  /// The number of scripts that contain the line.
  package var depth: Int { session.script.stack.count }

  /// The line as it is written in its script.
  package var name: String { "finally: " + text }

  /// Records the position of the line, which the command doesn't know.
  package mutating func setLine(_ number: Int, in script: String) {
    if self.number == 0 { (self.number, self.script) = (number, script) }
  }
}

extension ScriptState {
  /// Records the position of the lines that were stored since the last call.
  package mutating func setCleanUpLines(at number: Int, in script: String) {
    for index in cleanUps.indices { cleanUps[index].setLine(number, in: script) }
  }
}

/// A running script: its file and its arguments.
package struct ScriptFrame: Hashable, Sendable {
  /// The name as the user typed it.
  package var name: String
  /// The path without symbolic links, by which a script that runs itself is recognized.
  package var path: String
  package var arguments: [String]

  package init(name: String, path: String, arguments: [String]) {
    self.name = name
    self.path = path
    self.arguments = arguments
  }
}

extension Session {
  /// The limits that are checked before sending: those of the setting, but none where the market documents none.
  package var limits: LimitPolicy {
    server.expectedDialect.capabilities.limits == nil ? .server : settings.limits
  }
}
