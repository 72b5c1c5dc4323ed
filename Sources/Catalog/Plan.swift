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
  /// The assignments that compute the new values of a product from the values that were read, by product: `stock+=2`.
  package var formulas: [Product.ID: [String]] = [:]
  /// The fields that the line sets to stated values, also of products that have these values already.
  package var statedFields: [ProductField] = []
  /// The number of products of the folder that is pushed, if the files of all of them are gone.
  package var deletedFolderProducts: Int?

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
  package func removingChanges(_ positions: Set<Int>) -> Plan {
    rebuilt { index, change in positions.contains(index) ? .leftOut : .change(change) }
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
    for position in 0..<count {
      if let product = unchanged[position] {
        rest.earlier[rest.count] = earlier[position]
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

/// An earlier write from this home folder that already made a change, so that no request is sent for it.
package struct EarlierWrite: Hashable, Sendable {
  /// The reason why the change counts as done.
  package enum Reason: Hashable, Sendable {
    /// An earlier run applied the same change of the same plan file.
    case plan
    /// An earlier run imported the same row of the file, or pushed the same file of the folder.
    case file
    /// This home deleted the product before.
    case delete
  }

  /// The number of the write in the log.
  package var entry: Int
  /// The current id of the product, which differs from the id it was created with if a deletion was undone.
  package var product: Product.ID
  package var reason: Reason
  /// The product as it was when it was created, or `nil` if that wasn't recorded.
  package var reference: ProductReference?

  package init(entry: Int, product: Product.ID, reason: Reason, reference: ProductReference? = nil) {
    self.entry = entry
    self.product = product
    self.reason = reason
    self.reference = reference
  }
}

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
