import Catalog

/// Every product of a market as a scan saw it at one time.
package struct Snapshot: Hashable, Sendable {
  /// The circumstances of the scan.
  package struct Head: Hashable, Sendable {
    package var takenAt: Timestamp
    /// The base URL, or `nil` for the embedded market, whose port changes with every start.
    package var url: String?
    package var edition: String
    package var products: Int
    /// A Boolean value that is false if the scan may have missed products.
    package var isComplete: Bool

    package init(takenAt: Timestamp, url: String?, edition: String, products: Int, isComplete: Bool) {
      self.takenAt = takenAt
      self.url = url
      self.edition = edition
      self.products = products
      self.isComplete = isComplete
    }
  }

  /// The name, or `nil` for the current state of the market.
  package var name: String?
  package var head: Head
  /// The products in the order of the list, with the fields that its rows contain.
  ///
  /// Some editions provide descriptions and pictures only for single products.
  package var products: [Product]

  package init(name: String? = nil, head: Head, products: [Product]) {
    self.name = name
    self.head = head
    self.products = products
  }
}

extension Snapshot {
  /// Returns true for letters, digits, `-`, `_` and dots, in at most 100 bytes and not with `-` or a dot first.
  package static func canBeName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.first != "." && name.first != "-"
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0)
      }
  }
}
