import Catalog
import Networking

/// Reads a listing row by row: one that cannot be read is named, the others are kept; an id that comes again is dropped.
enum Rows {
  static func read(
    _ rows: [JSON], with product: (JSONObject) throws(JSONFault) -> Product
  ) -> (products: [Product], broken: [BrokenRow]) {
    var products: [Product] = []
    var broken: [BrokenRow] = []
    var seen: Set<Product.ID> = []
    for (index, row) in rows.enumerated() {
      guard let object = row.object else {
        broken.append(
          BrokenRow(position: index + 1, id: nil, field: nil, reason: JSONFault(field: "", found: row).found))
        continue
      }
      do throws(JSONFault) {
        let product = try product(object)
        if seen.insert(product.id).inserted { products.append(product) }
      } catch {
        broken.append(
          BrokenRow(position: index + 1, id: try? object.id(), field: error.field, reason: error.found))
      }
    }
    return (products, broken)
  }
}
