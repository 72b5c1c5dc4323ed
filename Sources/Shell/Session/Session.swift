import Catalog
import OrderedCollections
import Foundation
import Marketplace
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
  /// The names of products seen, newest last, for completion; bounded.
  package var seen: OrderedDictionary<Product.ID, String> = [:]
  /// `dry` stands in front of the command at hand: what would be written is shown, and nothing is.
  package var isDry = false
  /// `curl` stands in front of the command at hand: its requests are wanted, and nothing is asked or written.
  package var isCurl = false
  /// How the command at hand ends when its report itself tells of something not done: a batch.
  package var ending = ExitStatus.success
  /// Set by `quit`.
  package var isOver = false

  package init(place: Place, credentials: Credentials = Credentials(), settings: Settings = Settings()) {
    self.place = place
    self.credentials = credentials
    self.settings = settings
  }
}
