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

/// Everything a conversation remembers, as one value: commands get it `inout`, tests compare it.
package struct Session: Hashable, Sendable {
  package var server: ServerContext
  package var credentials: Credentials
  package var origins = CredentialOrigins()
  package var query = ListQuery()
  /// The last listing shown; `@3` means its third row.
  package var listing: Listing?
  /// All that the last reading of the whole list found, where it is shown a page at a time.
  package var matches: Matches?
  /// `_`: the last product shown, made or changed.
  package var last: Product?
  package var settings: Settings
  /// The products seen, for completion; bounded. Nil where nobody types the lines.
  package var seen: SeenProducts? = SeenProducts()
  /// Those of them that are the vendor's own.
  package var ownSeen: Set<Product.ID> = []
  /// The names of their vendors; bounded.
  package var seenVendors: OrderedSet<String> = []
  /// What `get` or `raw` was answered last, until a product is looked at again: `_` then.
  package var answer: Answer?
  /// What was typed into the form of a new product that was not made: the next form starts with it.
  package var unsent: [Field: String] = [:]
  /// What `let` made, oldest first.
  package var variables: OrderedDictionary<String, Variable> = [:]
  /// The user's own names for lines, kept in the home.
  package var aliases: [String: String] = [:]
  /// The scripts that are being run, the innermost last.
  package var frames: [ScriptFrame] = []
  /// The lines come out of a file or standard input, and from nobody who types them.
  package var readsFile = false
  /// The run of a script that the lines are of; nil where they are typed.
  package var scriptRun: ScriptRun?
  /// The lines are a test, whose outcome is reported: `--tap`, `--junit`.
  package var isReported = false
  /// A script goes on after a failing line.
  package var keepsGoing = false
  /// What the market answered last: 200, 404.
  package var status: Int?
  /// The last command that came to nothing, for `explain`.
  package var refused: RefusedCommand?
  /// The data printed last, for `expect`.
  package var shown: Shown?
  /// The products this session made, oldest first.
  package var made: [Product.ID] = []
  /// Products that may be creates of ours that were given up, told once each.
  package var arrivals: Set<LateArrival> = []
  /// The commands of this session and what came of them, for `save`.
  package var deeds = SessionLog()
  /// Set by `quit`.
  package var isOver = false

  package init(server: ServerContext, credentials: Credentials = Credentials(), settings: Settings = Settings()) {
    self.server = server
    self.credentials = credentials
    self.settings = settings
  }
}

/// What a name of the user's stands for: a value with its type, a product whose number is the value and whose fields can be
/// asked, or an answer of the server.
package struct Variable: Hashable, Sendable {
  /// Bytes of the largest value that a name can stand for.
  package static let mostBytes = 1 << 20

  package var value: JSON
  package var product: Product?
  package var answer: Answer?

  /// The value as `echo` prints it.
  package var text: String { value.plainText }

  /// An answer, whose body is the value.
  package init(_ answer: Answer) {
    value = answer.json ?? .string(answer.text)
    self.answer = answer
  }

  package init(_ value: JSON) { self.value = value }

  package init(_ product: Product) {
    value = .int(product.id)
    self.product = product
  }
}

/// A script that is being run: which file, and what stood behind it on the line of `source`.
package struct ScriptFrame: Hashable, Sendable {
  /// As the person wrote it.
  package var name: String
  /// Without links, so that a script that comes back to itself is recognised.
  package var path: String
  package var arguments: [String]

  package init(name: String, path: String, arguments: [String]) {
    self.name = name
    self.path = path
    self.arguments = arguments
  }
}

/// What the current listing asks for; `next` and `prev` change only the page.
package struct ListQuery: Hashable, Sendable {
  package var page = 1
  /// Nil: the `page-size` setting.
  package var size: Int?
  /// As many as the screen had rows for when the list was asked for: pages do not move while one goes through them.
  package var fitted: Int?
  /// What a reading of the whole list finds is shown a page at a time.
  package var isPaged = false
  package var search: String?
  package var columns: [Field]?
  package var layout: Listing.Layout = .table
  /// Nil: one page as the server gives it; else every page is read.
  package var scan: ScanQuery?

  package init() {}
}

/// Everything that a reading of the whole list found: `next` and `prev` look at the same matches and ask the server
/// nothing.
package struct Matches: Hashable, Sendable {
  package var query: ListQuery
  /// Deleted since: they are shown no more, and the others keep their places, so that `next` passes nothing over.
  package var gone: Set<Product.ID> = []
  /// As one listing: chosen, in order, cut at the limit.
  package var listing: Listing

  package init(_ listing: Listing, of query: ListQuery) {
    self.query = query
    self.listing = listing
  }

  /// True where the query asks for the same products, on whatever page.
  package func answers(_ query: ListQuery) -> Bool {
    self.query.search == query.search && self.query.scan == query.scan && query.isPaged
  }

  /// One page of them.
  package func page(_ number: Int, size: Int, like query: ListQuery) -> Listing {
    let all = listing.page.products
    let last = max(1, (all.count + size - 1) / size)
    var shown = listing
    shown.columns = query.columns
    shown.layout = query.layout
    let products = number > last ? [] : all.dropFirst((number - 1) * size).prefix(size).filter { !gone.contains($0.id) }
    shown.page = Page(
      number: number, size: size, total: all.count - gone.count, last: last, hasNext: number < last,
      hasPrevious: number > 1, products: products, broken: listing.page.broken)
    shown.page.isOfMatches = true
    return shown
  }
}

/// Data that was printed, and in which format.
package struct Shown: Hashable, Sendable {
  /// The data that was shown, or `nil` for a list that was too long to be stored.
  package var data: Report?
  package var format: OutputFormat

  package init(data: Report?, format: OutputFormat) {
    self.data = data
    self.format = format
  }
}
