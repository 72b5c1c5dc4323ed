import Catalog
import Foundation
import Journal
import Language
import Marketplace
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
  /// `_`: the last product shown, made or changed.
  package var last: Product?
  package var settings: Settings
  /// The products seen, for completion; bounded.
  package var seen = SeenProducts()
  /// The names of their vendors; bounded.
  package var seenVendors: OrderedSet<String> = []
  /// What was typed into the form of a new product that was not made: the next form starts with it.
  package var unsent: [Field: String] = [:]
  /// What `let` made, oldest first.
  package var variables: OrderedDictionary<String, Variable> = [:]
  /// The user's own names for lines, kept in the home.
  package var aliases: [String: String] = [:]
  /// The scripts that are being run, the innermost last.
  package var frames: [ScriptFrame] = []
  /// A script goes on after a failing line.
  package var keepsGoing = false
  /// What the market answered last: 200, 404.
  package var status: Int?
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

/// What a name of the user's stands for: a text, or a product whose number is the text and whose fields can be asked.
package struct Variable: Hashable, Sendable {
  /// Bytes of the largest value that a name can stand for.
  package static let mostBytes = 1 << 20

  package var text: String
  package var product: Product?

  package init(_ text: String) { self.text = text }

  package init(_ product: Product) {
    text = String(product.id)
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
  package var search: String?
  package var columns: [Field]?
  package var layout: Listing.Layout = .table
  /// Nil: one page as the server gives it; else every page is read.
  package var scan: ScanQuery?

  package init() {}
}

/// Data that was printed, and in which format.
package struct Shown: Hashable, Sendable {
  package var data: Report
  package var format: OutputFormat

  package init(data: Report, format: OutputFormat) {
    self.data = data
    self.format = format
  }
}
