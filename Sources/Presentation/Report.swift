import Catalog
import Text

/// The result of a command, independent of its format.
///
/// Renderers convert it to text.
package enum Report: Hashable, Sendable {
  case listing(Listing)
  /// A product with all fields, or only with the given ones in order.
  case product(Product, fields: [ProductField]?)
  case rows(Table)
  case drawing(Figure)
  case message(Message)
  /// Plain text: a curl line, a help page.
  case text(LocalizedText)
  /// The result of a write.
  indirect case receipt(WriteReceipt)
  case group([Report])
  case empty
}
