import Catalog
import Networking

/// Decodes the rows of a list.
///
/// A row that can't be decoded is reported, the others are returned; repeated ids are dropped.
enum RowDecoder {
  static func read(
    _ rows: [JSON], with product: (JSONObject) throws(JSONTypeError) -> Product
  ) -> (products: [Product], broken: [UndecodableRow]) {
    var products: [Product] = []
    var broken: [UndecodableRow] = []
    var seen: Set<Product.ID> = []
    for (index, row) in rows.enumerated() {
      guard let object = row.object else {
        broken.append(
          UndecodableRow(position: index + 1, id: nil, field: nil, reason: JSONTypeError(field: "", found: row).found))
        continue
      }
      do throws(JSONTypeError) {
        let product = try product(object)
        if seen.insert(product.id).inserted { products.append(product) }
      } catch {
        broken.append(
          UndecodableRow(position: index + 1, id: try? object.id(), field: error.field, reason: error.found))
      }
    }
    return (products, broken)
  }
}
