/// One write, decided and not yet made.
package enum Change: Hashable, Sendable, Codable {
  case create(Draft)
  /// `from` holds the same fields as `to`, with the values that were seen.
  case edit(Product, from: Fields, to: Fields)
  case delete(Product)

  /// The product it touches; nil for a new one.
  package var product: Product? {
    switch self {
    case .create: nil
    case .edit(let product, _, _), .delete(let product): product
    }
  }
}
