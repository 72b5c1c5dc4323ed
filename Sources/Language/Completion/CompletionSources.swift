import Catalog

/// What Tab may offer that the grammar does not know itself; looked up only when it is needed.
package struct CompletionSources: Sendable {
  package struct Setting: Hashable, Sendable {
    package var name: String
    package var values: [String]
    package var summary: Wording?
    package init(_ name: String, values: [String], _ summary: Wording? = nil) {
      self.name = name
      self.values = values
      self.summary = summary
    }
  }

  /// Those seen last, newest first.
  package var products: @Sendable () -> [Product]
  /// Paths that begin with the text; folders end with `/`.
  package var files: @Sendable (String) -> [String]
  package var profiles: @Sendable () -> [String]
  package var settings: [Setting]
  package var variables: [String]

  package init(
    products: @escaping @Sendable () -> [Product] = { [] },
    files: @escaping @Sendable (String) -> [String] = { _ in [] },
    profiles: @escaping @Sendable () -> [String] = { [] }, settings: [Setting] = [], variables: [String] = []
  ) {
    self.products = products
    self.files = files
    self.profiles = profiles
    self.settings = settings
    self.variables = variables
  }
}
