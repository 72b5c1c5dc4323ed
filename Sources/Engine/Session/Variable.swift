import Catalog

/// What a name of the user's stands for: a text, or a product whose number is the text and whose fields can be asked.
package struct Variable: Hashable, Sendable {
  /// Bytes of the largest value that a name can stand for.
  package static let mostBytes = 1 << 20

  package var text: String
  package var product: Product?

  package init(_ text: String) { self.text = text }

  package init(_ product: Product) {
    text = String(product.id)
    self.product = product
  }
}
