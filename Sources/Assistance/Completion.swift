import Catalog
import Language
import Text

/// What Tab offers, and which part of the line the choice replaces.
package struct Completion: Hashable, Sendable {
  /// In Unicode scalars of the line.
  package var range: Range<Int>
  package var candidates: [Candidate]
  /// Whether there are more than these.
  package var isCut = false
}

/// One thing Tab offers: what would stand in the line, and what it is.
package struct Candidate: Hashable, Sendable {
  /// Already quoted where the language needs it.
  package var text: String
  package var summary: LocalizedText?
  /// A space follows it when it is taken.
  package var endsWord: Bool

  package init(_ text: String, _ summary: LocalizedText? = nil, endsWord: Bool = true) {
    self.text = text
    self.summary = summary
    self.endsWord = endsWord
  }
}

/// What Tab may offer that the grammar does not know itself; looked up only when it is needed.
package struct CompletionSources: Sendable {
  /// A setting with the values that Tab offers for it.
  package struct Setting: Hashable, Sendable {
    package var name: String
    package var values: [String]
    package var summary: LocalizedText?
    package init(_ name: String, values: [String], _ summary: LocalizedText? = nil) {
      self.name = name
      self.values = values
      self.summary = summary
    }
  }

  /// What `undo` could take back, newest first.
  package struct Undoable: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
      package var number: Int
      /// What was done, in a few words.
      package var summary: LocalizedText
      package init(_ number: Int, _ summary: LocalizedText) {
        self.number = number
        self.summary = summary
      }
    }

    package var writes: [Item] = []
    package var batches: [Item] = []
    package init() {}
  }

  package var seen: SeenProducts
  /// Names of vendors that were seen.
  package var vendors: [String]
  /// Paths that begin with the text; folders end with `/`.
  package var files: @Sendable (String) -> [String]
  package var profiles: @Sendable () -> [String]
  /// Names of snapshots, newest first, with what tells them apart.
  package var snapshots: @Sendable () -> [Candidate]
  /// Of the products seen, those of the vendor who is logged in.
  package var own: Set<Int>
  /// The last listing: `@1` is the first.
  package var rows: [SeenProducts.Found]
  /// What a field of a product at hand is now, as it would be typed; the product as a target names it.
  package var current: @Sendable (Target, Field) -> String?
  package var settings: [Setting]
  /// Without the dollar sign.
  package var variables: [String]
  /// What leads on from a variable or a path into its answer: `p.pages` gives `p.pages[0]` and `p.pages.length`.
  package var members: @Sendable (String) -> [String]
  package var undoable: @Sendable () -> Undoable

  package init(
    seen: SeenProducts = SeenProducts(), vendors: [String] = [],
    files: @escaping @Sendable (String) -> [String] = { _ in [] },
    profiles: @escaping @Sendable () -> [String] = { [] }, snapshots: @escaping @Sendable () -> [Candidate] = { [] },
    own: Set<Int> = [], rows: [SeenProducts.Found] = [],
    current: @escaping @Sendable (Target, Field) -> String? = { _, _ in nil }, settings: [Setting] = [],
    variables: [String] = [],
    members: @escaping @Sendable (String) -> [String] = { _ in [] },
    undoable: @escaping @Sendable () -> Undoable = { Undoable() }
  ) {
    self.seen = seen
    self.vendors = vendors
    self.files = files
    self.profiles = profiles
    self.snapshots = snapshots
    self.own = own
    self.rows = rows
    self.current = current
    self.settings = settings
    self.variables = variables
    self.members = members
    self.undoable = undoable
  }
}
