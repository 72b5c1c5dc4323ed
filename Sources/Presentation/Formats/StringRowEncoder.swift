import Catalog

/// Products as JSON objects whose values are all strings, one per line.
///
/// Unknown values are omitted.
package enum StringRowEncoder {
  /// Returns the lines in UTF-8.
  package static func lines(of products: [Product], _ fields: [ProductField]) -> [UInt8] {
    let keys = fields.map { ",\"\($0.rawValue)\":" }
    var lines = RowBuffer(capacity: products.count * 300)
    for product in products {
      lines.add("{\"id\":")
      lines.add(product.id)
      for (field, key) in zip(fields, keys) { lines.addText(key, product, field) }
      lines.add("}\n")
    }
    return lines.bytes
  }
}
