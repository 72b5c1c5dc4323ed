import Catalog
import Text

/// What a command has to show, before anyone decides how: renderers turn it into bytes.
package enum Report: Hashable, Sendable {
  case listing(Listing)
  /// A product, whole, or only those fields in that order.
  case product(Product, fields: [Field]?)
  case rows(Table)
  case drawing(Drawing)
  case message(Message)
  /// A plain text as data: a curl line, a help screen.
  case text(Wording)
  case several([Report])
  case nothing
}
