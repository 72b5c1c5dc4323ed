/// The four forms of the API over the years (protocol.md 0); the raw value is what people type.
package enum Edition: String, Hashable, Sendable, Codable, CaseIterable, CustomStringConvertible {
  /// 2021, first server: `/items`, a password a product.
  case camp1
  /// 2021, second server: as the first, but deleting answers the product.
  case camp2
  /// 2022: `/api/products`, snake_case paging, deletion by a product secret.
  case training
  /// From October 2022: `/api/products`, camelCase paging, search, deletion by an archive address.
  case open

  package var description: String { rawValue }

  /// Where the edition keeps its spelling.
  var wire: any Wire {
    switch self {
    case .camp1: Camp1()
    case .camp2: Camp2()
    case .training: Training()
    case .open: Open()
    }
  }

  /// What it can and how it is meant.
  package var traits: Traits { wire.traits }

  /// True when a deletion asks for a ticket first.
  package var deletesInTwoCalls: Bool { supports(.requestDeletion) }

  /// True when the edition does this at all.
  package func supports(_ operation: Operation) -> Bool { traits.abilities.contains(operation) }
}
