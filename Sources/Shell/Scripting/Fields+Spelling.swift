import Catalog
import Language

extension Fields {
  /// The line that makes the same change without asking: what was written in an editor, for `save`.
  func spelling(of id: Product.ID) -> String {
    let values: [(Field, String?)] = [
      (.name, name), (.description, description), (.price, price?.description), (.discount, discount?.description),
      (.currency, currency?.code), (.stock, stock.map { String($0) }),
    ]
    let words = values.compactMap { field, value in value.map { "\(field)=\(Quoting.quote($0))" } }
    return (["patch \(id)"] + words).joined(separator: " ")
  }
}
