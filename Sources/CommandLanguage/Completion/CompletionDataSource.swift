import Catalog
import Text

/// The candidates that don't follow from the grammar.
///
/// They are looked up only if needed.
package struct CompletionDataSource: Sendable {
  /// A setting with the values offered for it.
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

  /// The writes and batches that `undo` could undo, newest first.
  package struct Undoable: Hashable, Sendable {
    /// A write or a batch, by the number that `undo` accepts.
    package struct Item: Hashable, Sendable {
      package var number: Int
      /// A short description of the write.
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

  package var seen: RecentProductIndex
  /// The names of vendors seen in this session.
  package var vendors: [String]
  /// Returns the paths that begin with the given text.
  ///
  /// Folders end with `/`.
  package var files: @Sendable (String) -> [String]
  /// Returns the names of programs that begin with the given text, for a pipe.
  package var programs: @Sendable (String) -> [String]
  package var profiles: @Sendable () -> [String]
  /// Returns the names of snapshots, newest first, with a summary.
  package var snapshots: @Sendable () -> [Candidate]
  /// Returns the names of recipes for suppliers' files.
  package var recipes: @Sendable () -> [String]
  /// Returns the names of saved reports.
  package var reports: @Sendable () -> [String]
  /// The ids of the current vendor's products among those seen in this session.
  package var own: Set<Int>
  /// The rows of the last listing.
  ///
  /// `@1` is the first.
  package var lastListing: [RecentProductIndex.Match]
  /// Returns the current value of a field as it would be typed, for a product that a target names.
  package var currentValue: @Sendable (ProductSelector, ProductField) -> String?
  package var settings: [Setting]
  /// The names of variables, without the dollar sign.
  package var variables: [String]
  /// Returns the continuations of a variable or of a path into its value: `p.pages[0]` and `p.pages.length` for
  /// `p.pages`.
  package var memberPaths: @Sendable (String) -> [String]
  package var undoable: @Sendable () -> Undoable

  package init(
    seen: RecentProductIndex = RecentProductIndex(), vendors: [String] = [],
    files: @escaping @Sendable (String) -> [String] = { _ in [] },
    programs: @escaping @Sendable (String) -> [String] = { _ in [] },
    profiles: @escaping @Sendable () -> [String] = { [] }, snapshots: @escaping @Sendable () -> [Candidate] = { [] },
    recipes: @escaping @Sendable () -> [String] = { [] },
    reports: @escaping @Sendable () -> [String] = { [] },
    own: Set<Int> = [], lastListing: [RecentProductIndex.Match] = [],
    currentValue: @escaping @Sendable (ProductSelector, ProductField) -> String? = { _, _ in nil },
    settings: [Setting] = [],
    variables: [String] = [],
    memberPaths: @escaping @Sendable (String) -> [String] = { _ in [] },
    undoable: @escaping @Sendable () -> Undoable = { Undoable() }
  ) {
    self.seen = seen
    self.vendors = vendors
    self.files = files
    self.programs = programs
    self.profiles = profiles
    self.snapshots = snapshots
    self.recipes = recipes
    self.reports = reports
    self.own = own
    self.lastListing = lastListing
    self.currentValue = currentValue
    self.settings = settings
    self.variables = variables
    self.memberPaths = memberPaths
    self.undoable = undoable
  }
}
