import Catalog

/// Every product of a market as a scan saw it at one time.
package struct Snapshot: Hashable, Sendable {
  /// The first line of its file.
  package struct Head: Hashable, Sendable, Codable {
    /// Of the file's shape.
    package var version = 1
    package var taken: Timestamp
    /// Nil for the embedded market, whose address changes from run to run.
    package var url: String?
    package var edition: String
    package var products: Int
    /// False when the scan could not be sure to have seen everything.
    package var complete: Bool
  }

  /// Nil for what is seen now and not kept.
  package var name: String?
  package var head: Head
  /// In the order of the list, as its rows tell: some editions keep descriptions and pictures for the product itself.
  package var products: [Product]

  package init(name: String? = nil, head: Head, products: [Product]) {
    self.name = name
    self.head = head
    self.products = products
  }
}
