import Foundation

/// A create, update or delete of a product, decided and not yet sent.
///
/// It is indirect because a plan, its writes in progress and their outcomes share it.
package indirect enum Change: Hashable, Sendable {
  case create(ProductDraft)
  /// An update.
  ///
  /// `from` has the same fields as `to`, with the values that were read before.
  case edit(Product, from: ProductValues, to: ProductValues)
  case delete(Product)

  /// The product to be changed, or `nil` for a new one.
  package var product: Product? {
    switch self {
    case .create: nil
    case .edit(let product, _, _), .delete(let product): product
    }
  }

  /// The product's name when the change was decided, or the name of the product to be created.
  package var name: String? {
    switch self {
    case .create(let draft): draft.name
    case .edit(let product, _, _), .delete(let product): product.name
    }
  }
}

extension Change {
  /// A price before and after a change.
  ///
  /// A value is `nil` if it isn't known or if the product doesn't exist then.
  package struct PriceChange: Hashable, Sendable {
    package var before: Amount?
    package var after: Amount?
  }

  /// The change of the list price, or `nil` if the list price stays the same.
  package var price: PriceChange? {
    switch self {
    case .create(let draft): PriceChange(before: nil, after: draft.price)
    case .edit(let product, let from, let to):
      to.price.map { PriceChange(before: from.price ?? product.price, after: $0) }
    case .delete: nil
    }
  }

  /// The change of the sale price, or `nil` if neither price nor discount is changed.
  package var sale: PriceChange? {
    switch self {
    case .create(let draft): return PriceChange(before: nil, after: draft.price - draft.discount)
    case .edit(let product, let from, let to):
      guard to.price != nil || to.discount != nil else { return nil }
      func sale(_ price: Amount?, _ discount: Amount?) -> Amount? { price.map { $0 - (discount ?? .zero) } }
      let (price, discount) = (from.price ?? product.price, from.discount ?? product.discount)
      return PriceChange(before: sale(price, discount), after: sale(to.price ?? price, to.discount ?? discount))
    case .delete: return nil
    }
  }
}

/// An ordered list of changes decided together.
///
/// The preview shows exactly what is written.
package struct Plan: Hashable, Sendable {
  package var changes: [Change]
  /// The products that already have the wanted values, by their position among all targets.
  ///
  /// No request is sent for them.
  package var unchanged: [Int: Product] = [:]
  /// The earlier writes that explain entries of `unchanged`, by the same positions.
  package var earlier: [Int: EarlierWrite] = [:]
  /// A Boolean value that indicates whether the new prices were computed from the old ones.
  package var computesPrices = false
  /// A Boolean value that indicates whether the new values depend on the values that were read.
  ///
  /// If it is true, a product that changed since then is a conflict, even if it happens to have the new values. A plan
  /// loaded from a file contains absolute values and is not relative: applied twice, it has effect once.
  package var dependsOnObservedState = false

  package init(_ changes: [Change]) { self.changes = changes }

  /// The number of targets.
  package var count: Int { changes.count + unchanged.count }

  /// Appends a target: an update, or an entry in `unchanged` if `to` is empty.
  package mutating func append(_ product: Product, from: ProductValues, to: ProductValues) {
    if to.isEmpty { unchanged[count] = product } else { changes.append(.edit(product, from: from, to: to)) }
  }

  /// Returns the plan without the changes at those indices of `changes`.
  ///
  /// Unchanged targets remain.
  package func removingChanges(_ places: Set<Int>) -> Plan {
    rebuilt { index, change in places.contains(index) ? .leftOut : .change(change) }
  }

  /// The result for one change when a plan is rebuilt.
  package enum Rebuilt: Sendable {
    case change(Change)
    /// An earlier write already made the change, and this is the product now.
    case earlier(EarlierWrite, Product)
    case leftOut
  }

  /// Returns the plan with each change replaced by the result of `body`.
  ///
  /// Unchanged targets keep their order.
  package func rebuilt(_ body: (_ index: Int, _ change: Change) -> Rebuilt) -> Plan {
    var rest = self
    (rest.changes, rest.unchanged, rest.earlier) = ([], [:], [:])
    var left = changes.enumerated().makeIterator()
    for place in 0..<count {
      if let product = unchanged[place] {
        rest.earlier[rest.count] = earlier[place]
        rest.unchanged[rest.count] = product
      } else if let (index, change) = left.next() {
        switch body(index, change) {
        case .change(let change): rest.changes.append(change)
        case .earlier(let write, let product):
          rest.earlier[rest.count] = write
          rest.unchanged[rest.count] = product
        case .leftOut: break
        }
      }
    }
    return rest
  }
}

/// A product to be created: all required fields, and its pictures, beginning with the thumbnail.
package struct ProductDraft: Hashable, Sendable {
  package var name: String
  package var description: String
  package var price: Amount
  package var discount: Amount
  package var currency: Currency
  package var stock: Int
  package var pictures: [PictureFile]
  /// The id of the deleted product that this one restores.
  ///
  /// Later references to that id mean the new product.
  package var replaces: Product.ID?

  package init(
    name: String, description: String, price: Amount, discount: Amount = .zero, currency: Currency, stock: Int = 0,
    pictures: [PictureFile]
  ) {
    self.name = name
    self.description = description
    self.price = price
    self.discount = discount
    self.currency = currency
    self.stock = stock
    self.pictures = pictures
  }
}

/// A picture ready to be sent: data within the API's limit, its media type and a sanitized file name.
package struct PictureFile: Hashable, Sendable {
  package var name: String
  /// `image/jpeg` or `image/png`.
  package var type: String
  package var bytes: Data

  package init(name: String, type: String, bytes: Data) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}

/// The limits documented by the API (see the article Protocol).
///
/// The real servers enforced few of them.
package enum DocumentedLimits {
  package static let name = 3...100
  package static let description = 10...1000
  package static let pictures = 1...5
  /// The size in bytes that a picture must stay below.
  package static let pictureBytes = 300 * 1024
  package static let pageSize = 1...1000
  /// The page numbers that can be requested.
  ///
  /// No market has as many pages, and a page number times a page size still fits in an `Int`.
  package static let page = 1...1_000_000_000_000
}
