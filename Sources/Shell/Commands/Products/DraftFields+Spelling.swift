import Catalog
import Language

extension DraftFields {
  /// The line that makes the same product without asking: what a form was filled in with, for `save`.
  var spelling: String {
    let values: [(Field, String?)] = [
      (.name, name), (.description, description), (.price, price?.description), (.discount, discount?.description),
      (.currency, currency?.code), (.stock, stock.map { String($0) }), (.images, images?.joined(separator: ",")),
    ]
    let words = values.compactMap { field, value in value.map { "\(field)=\(Quoting.quote($0))" } }
    return (["new"] + words).joined(separator: " ")
  }
}
