import Assistance
import Catalog
import Foundation
import Journal
import Language
import Marketplace
import Networking
import OrderedCollections
import Presentation
import Scanning

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
  package var products: RecentProductIndex? = RecentProductIndex()
  /// The vendor's own products among them.
  package var own: Set<Product.ID> = []
  /// The names of their vendors, with a maximum number.
  package var vendors: OrderedSet<String> = []
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

/// The value of a variable: a typed value, a product, whose number is the value and whose fields are members, or a
/// response of the server.
package struct Variable: Hashable, Sendable {
  /// The maximum size of a value in bytes.
  package static let mostBytes = 1 << 20

  package var value: JSON
  package var product: Product?
  package var response: ResponseValue?

  /// The value as `echo` prints it.
  package var text: String { value.plainText }

  /// Creates a response, whose body is the value.
  package init(_ answer: ResponseValue) {
    value = answer.json ?? .string(answer.text)
    self.response = answer
  }

  package init(_ value: JSON) { self.value = value }

  package init(_ product: Product) {
    value = .int(product.id)
    self.product = product
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

/// The query of the current listing.
///
/// `next` and `prev` change only the page.
package struct ListQuery: Hashable, Sendable {
  package var page = 1
  /// The page size, or `nil` for the setting `page-size`.
  package var size: Int?
  /// The number of rows that fit on the screen when the list was requested.
  ///
  /// It stays the same, so that products don't move to other pages.
  package var screenPageSize: Int?
  /// A Boolean value that indicates that the matches of a full scan are shown page by page.
  package var showsPaged = false
  package var search: String?
  package var columns: [ProductField]?
  package var layout: Listing.Layout = .table
  /// The query for a full scan, or `nil` for one page as the server returns it.
  package var scan: ScanQuery?

  package init() {}
}

/// The cached result of a full scan.
///
/// `next` and `prev` page through it without requests.
package struct ScanResultCache: Hashable, Sendable {
  package var query: ListQuery
  /// The products deleted since.
  ///
  /// They aren't shown, but the others keep their positions, so that `next` skips nothing.
  package var deletedIDs: Set<Product.ID> = []
  /// The matches as one listing: filtered, sorted and limited.
  package var listing: Listing

  package init(_ listing: Listing, of query: ListQuery) {
    self.query = query
    self.listing = listing
  }

  /// Returns whether a query selects the same products, on any page.
  package func matches(_ query: ListQuery) -> Bool {
    self.query.search == query.search && self.query.scan == query.scan && query.showsPaged
  }

  /// Returns one page of the matches.
  package func page(_ number: Int, size: Int, like query: ListQuery) -> Listing {
    let all = listing.page.products
    let last = max(1, (all.count + size - 1) / size)
    var shown = listing
    shown.columns = query.columns
    shown.layout = query.layout
    let products = number > last ? [] : all.dropFirst((number - 1) * size).prefix(size).filter { !deletedIDs.contains($0.id) }
    shown.page = Page(
      number: number, size: size, total: all.count - deletedIDs.count, last: last, hasNext: number < last,
      hasPrevious: number > 1, products: products, broken: listing.page.broken)
    shown.page.isFiltered = true
    return shown
  }
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
