import Catalog
import CommandLanguage
import MarketAPI
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
    let (root, rest) = ValuePath.split(name)
    if let answer = lastResponse(root) {
      return ValuePath(rest).map { answer.value(at: $0, named: Session.written(root)) }
    }
    if !rest.isEmpty, let value = variables[root]?.value, value.array != nil || value.object != nil {
      return ValuePath(rest).map { path in
        if path.hasEvery {
          return value.elements(at: path.steps, named: Session.written(root)).map { .elements($0) } ?? .missing
        }
        return value.value(at: path.steps).map { .value($0) } ?? .missing
      }
    }
    switch name {
    case "_": return lastProduct.map { .value(.int($0.id)) }
    case "count": return lastListing.map { .value(.int($0.page.products.count)) }
    case "total": return lastListing?.page.total.map { .value(.int($0)) }
    case "page": return lastListing.map { .value(.int($0.page.number)) }
    case "pages": return lastListing?.page.last.map { .value(.int($0)) }
    case "status": return lastHTTPStatus.map { .value(.int($0)) }
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
    if name == "_" { return lastProduct }
    guard name.hasPrefix("@") else { return variables[name]?.product }
    guard let number = Int(name.dropFirst()), let products = lastListing?.page.products,
      products.indices.contains(number - 1)
    else { return nil }
    return products[number - 1]
  }
}

extension Product {
  /// Returns the typed value of a field, or `nil` if the edition doesn't provide it.
  package func value(of field: ProductField) -> JSON? {
    text(of: field).map { field.isNumber ? JSON(word: $0) : .string($0) }
  }
}

extension Session {
  private static let maximumVendors = 1000

  /// Makes `product` the last one, and updates it in the stored listing.
  package mutating func remember(_ product: Product) {
    lastProduct = product
    lastResponse = nil
    addToCompletion(product)
    if let row = scanCache?.listing.page.products.firstIndex(where: { $0.id == product.id }),
      let old = scanCache?.listing.page.products[row]
    {
      scanCache?.listing.page.products[row] = product.listRow(like: old)
    }
    guard let row = lastListing?.page.products.firstIndex(where: { $0.id == product.id }),
      let old = lastListing?.page.products[row]
    else { return }
    lastListing?.page.products[row] = product.listRow(like: old)
  }

  /// Makes a listing the one that `@3` refers to.
  package mutating func remember(_ listing: Listing) {
    self.lastListing = listing
    // The first row counts as seen last, so that completion offers it first.
    for product in listing.page.products.reversed() where recentProducts != nil { addToCompletion(product) }
  }

  /// Removes a deleted product from the listing and from `_`.
  package mutating func recordDeleted(_ id: Product.ID) {
    if lastProduct?.id == id { lastProduct = nil }
    recentProducts?.remove(id)
    if scanCache?.listing.page.products.contains(where: { $0.id == id }) == true { scanCache?.deletedIDs.insert(id) }
    guard let row = lastListing?.page.products.firstIndex(where: { $0.id == id }) else { return }
    lastListing?.page.products.remove(at: row)
    if let total = lastListing?.page.total { lastListing?.page.total = max(0, total - 1) }
  }

  /// Adds a new product at the top of a first page that shows everything, newest first.
  package mutating func recordCreated(_ product: Product) {
    lastProduct = product
    lastResponse = nil
    createdProductIDs.append(product.id)
    addToCompletion(product)
    guard var page = lastListing?.page, page.number == 1, listQuery.search == nil else { return }
    page.products.insert(product.listRow(like: page.products.first ?? product), at: 0)
    if let size = page.size, page.products.count > size { page.products.removeLast() }
    if let total = page.total { page.total = total + 1 }
    lastListing?.page = page
  }

  private mutating func addToCompletion(_ product: Product) {
    recentProducts?.insert(product.id, product.name ?? "")
    if let vendor = product.vendorID {
      if vendor == credentials.vendorID {
        recentOwnProductIDs.insert(product.id)
      } else {
        recentOwnProductIDs.remove(product.id)
      }
    }
    remember(vendor: product.vendor)
  }

  /// Remembers the name of a vendor that was shown.
  package mutating func remember(vendor name: String?) {
    guard let name, !name.isEmpty, recentVendors.count < Session.maximumVendors else { return }
    recentVendors.append(name)
  }
}

extension Product {
  /// Returns the product with the fields that a row of a list contains.
  ///
  /// Rows have no pictures, and in some editions no description.
  fileprivate func listRow(like row: Product) -> Product {
    var copy = self
    copy.images = nil
    if row.description == nil { copy.description = nil }
    copy.vendor = vendor ?? row.vendor
    return copy
  }
}
