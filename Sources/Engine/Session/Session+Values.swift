import Catalog
import Language
import OrderedCollections
import Presentation

extension Session {
  /// What a variable's name means now, nil when it has no value.
  ///
  /// Besides the user's own there are `_` and `_.price` of the last product, `@3.name` of the last listing, and, unless
  /// the user gave them another meaning, `count`, `total`, `page` and `pages` of the last listing and `status` of the
  /// last answer.
  package func value(of name: String) -> String? {
    if let variable = variables[name] { return variable.text }
    switch name {
    case "_": return last.map { String($0.id) }
    case "count": return listing.map { String($0.page.products.count) }
    case "total": return listing?.page.total.map { String($0) }
    case "page": return listing.map { String($0.page.number) }
    case "pages": return listing?.page.last.map { String($0) }
    case "status": return status.map { String($0) }
    default: break
    }
    guard let dot = name.firstIndex(of: "."),
      let field = place.fieldNames.field(String(name[name.index(after: dot)...]))
    else { return nil }
    return product(String(name[..<dot]))?.text(of: field)
  }

  /// `_`, `@3` or the name of a variable that holds a product, as it was last seen.
  package func product(_ name: String) -> Product? {
    if name == "_" { return last }
    guard name.hasPrefix("@") else { return variables[name]?.product }
    guard let number = Int(name.dropFirst()), let products = listing?.page.products,
      products.indices.contains(number - 1)
    else { return nil }
    return products[number - 1]
  }
}
