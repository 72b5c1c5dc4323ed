import Catalog
import CommandLanguage
import Networking

/// The value of a variable: a typed value, a product, whose number is the value and whose fields are members, or a
/// response of the server.
package struct Variable: Hashable, Sendable {
  /// The maximum size of a value in bytes.
  package static let maximumBytes = 1 << 20

  package var value: JSON
  package var product: Product?
  package var response: ResponseValue?

  /// The value as `echo` prints it.
  package var text: String { value.plainText }

  /// Creates a response, whose body is the value.
  package init(_ answer: ResponseValue) {
    value = answer.json ?? .string(answer.text)
    self.response = answer
  }

  package init(_ value: JSON) { self.value = value }

  package init(_ product: Product) {
    value = .int(product.id)
    self.product = product
  }
}
