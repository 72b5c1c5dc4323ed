import Catalog
import Foundation
import Journal
import Language
import Marketplace
import OrderedCollections
import Presentation

/// Everything a conversation remembers, as one value: commands get it `inout`, tests compare it.
package struct Session: Hashable, Sendable {
  package var place: Place
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
  package var deeds = Deeds()
  /// Set by `quit`.
  package var isOver = false

  package init(place: Place, credentials: Credentials = Credentials(), settings: Settings = Settings()) {
    self.place = place
    self.credentials = credentials
    self.settings = settings
  }
}
