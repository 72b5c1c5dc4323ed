import Assistance
import Catalog
import Language
import Marketplace
import Networking
import OrderedCollections
import Presentation

extension Session {
  /// Returns the typed value of a variable, or `nil` if it isn't defined.
  ///
  /// A response, an array or an object can be followed by a path: `p.pages[0].id`. In addition to the user's variables
  /// there are `_` and `_.price` of the last product, `@3.name` of the last listing, and, unless the user assigned
  /// them, `count`, `total`, `page` and `pages` of the last listing and `status` of the last response.
  package func value(of name: String) -> NamedValue? {
    if let variable = variables[name] { return .value(variable.value) }
    let (root, rest) = AnswerPath.split(name)
    if let answer = answer(root) { return AnswerPath(rest).map { answer.value(at: $0, named: Session.written(root)) } }
    if !rest.isEmpty, let value = variables[root]?.value, value.array != nil || value.object != nil {
      return AnswerPath(rest).map { path in
        if path.hasEvery {
          return value.elements(at: path.steps, named: Session.written(root)).map { .elements($0) } ?? .missing
        }
        return value.value(at: path.steps).map { .value($0) } ?? .missing
      }
    }
    switch name {
    case "_": return last.map { .value(.int($0.id)) }
    case "count": return listing.map { .value(.int($0.page.products.count)) }
    case "total": return listing?.page.total.map { .value(.int($0)) }
    case "page": return listing.map { .value(.int($0.page.number)) }
    case "pages": return listing?.page.last.map { .value(.int($0)) }
    case "status": return status.map { .value(.int($0)) }
    default: break
    }
    guard let dot = name.firstIndex(of: "."),
      let field = server.fieldNames.field(String(name[name.index(after: dot)...])),
      let product = product(String(name[..<dot]))
    else { return nil }
    return product.value(of: field).map { .value($0) } ?? .missing
  }

  private static func written(_ root: String) -> String { root == "_" ? root : "$" + root }

  /// Returns the product of `_`, of `@3` or of a variable, as it was last read.
  package func product(_ name: String) -> Product? {
    if name == "_" { return last }
    guard name.hasPrefix("@") else { return variables[name]?.product }
    guard let number = Int(name.dropFirst()), let products = listing?.page.products,
      products.indices.contains(number - 1)
    else { return nil }
    return products[number - 1]
  }
}

extension Product {
  /// Returns the typed value of a field, or `nil` if the edition doesn't provide it.
  package func value(of field: Field) -> JSON? {
    text(of: field).map { field.isNumber ? JSON(word: $0) : .string($0) }
  }
}

extension Session {
  private static let mostVendors = 1000

  /// Makes `product` the last one, and updates it in the stored listing.
  package mutating func remember(_ product: Product) {
    last = product
    answer = nil
    see(product)
    if let row = matches?.listing.page.products.firstIndex(where: { $0.id == product.id }),
      let old = matches?.listing.page.products[row]
    {
      matches?.listing.page.products[row] = product.asRow(like: old)
    }
    guard let row = listing?.page.products.firstIndex(where: { $0.id == product.id }),
      let old = listing?.page.products[row]
    else { return }
    listing?.page.products[row] = product.asRow(like: old)
  }

  /// Makes a listing the one that `@3` refers to.
  package mutating func remember(_ listing: Listing) {
    self.listing = listing
    // The first row counts as seen last, so that completion offers it first.
    for product in listing.page.products.reversed() where seen != nil { see(product) }
  }

  /// Removes a deleted product from the listing and from `_`.
  package mutating func forget(_ id: Product.ID) {
    if last?.id == id { last = nil }
    seen?.forget(id)
    if matches?.listing.page.products.contains(where: { $0.id == id }) == true { matches?.gone.insert(id) }
    guard let row = listing?.page.products.firstIndex(where: { $0.id == id }) else { return }
    listing?.page.products.remove(at: row)
    if let total = listing?.page.total { listing?.page.total = max(0, total - 1) }
  }

  /// Adds a new product at the top of a first page that shows everything, newest first.
  package mutating func welcome(_ product: Product) {
    last = product
    answer = nil
    made.append(product.id)
    see(product)
    guard var page = listing?.page, page.number == 1, query.search == nil else { return }
    page.products.insert(product.asRow(like: page.products.first ?? product), at: 0)
    if let size = page.size, page.products.count > size { page.products.removeLast() }
    if let total = page.total { page.total = total + 1 }
    listing?.page = page
  }

  private mutating func see(_ product: Product) {
    seen?.see(product.id, product.name ?? "")
    if let vendor = product.vendorID {
      if vendor == credentials.vendorID { ownSeen.insert(product.id) } else { ownSeen.remove(product.id) }
    }
    remember(vendor: product.vendor)
  }

  /// Remembers the name of a vendor that was shown.
  package mutating func remember(vendor name: String?) {
    guard let name, !name.isEmpty, seenVendors.count < Session.mostVendors else { return }
    seenVendors.append(name)
  }
}

extension Product {
  /// Returns the product with the fields that a row of a list contains.
  ///
  /// Rows have no pictures, and in some editions no description.
  fileprivate func asRow(like row: Product) -> Product {
    var copy = self
    copy.images = nil
    if row.description == nil { copy.description = nil }
    copy.vendor = vendor ?? row.vendor
    return copy
  }
}
