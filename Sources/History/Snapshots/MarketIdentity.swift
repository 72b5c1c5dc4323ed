import Foundation

/// The identity of a market: its name, edition and base URL.
///
/// Product ids are unique within one market only.
package struct MarketIdentity: Hashable, Sendable {
  package var name: String
  package var edition: String
  /// The base URL.
  ///
  /// It is empty for the embedded market, whose port changes with every start.
  package var address: String

  package init(name: String, edition: String, address: String) {
    self.name = name
    self.edition = edition
    self.address = address
  }
}
