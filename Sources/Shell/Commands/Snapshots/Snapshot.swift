import Catalog

/// Every product of a market as a scan saw it at one time.
struct Snapshot: Hashable, Sendable {
  /// The first line of its file.
  struct Head: Hashable, Sendable, Codable {
    /// Of the file's shape.
    var version = 1
    var taken: Timestamp
    /// Nil for the embedded market, whose address changes from run to run.
    var url: String?
    var edition: String
    var products: Int
    /// False when the scan could not be sure to have seen everything.
    var complete: Bool
  }

  /// Nil for what is seen now and not kept.
  var name: String?
  var head: Head
  /// In the order of the list, as its rows tell: some editions keep descriptions and pictures for the product itself.
  var products: [Product]
}
