import Foundation

/// One write, decided and not yet made. Indirect, because a plan, its writes under way and their outcomes share it.
package indirect enum Change: Hashable, Sendable {
  case create(Draft)
  /// `from` holds the same fields as `to`, with the values that were seen.
  case edit(Product, from: Fields, to: Fields)
  case delete(Product)

  /// The product it touches; nil for a new one.
  package var product: Product? {
    switch self {
    case .create: nil
    case .edit(let product, _, _), .delete(let product): product
    }
  }

  /// What the product was called when the change was decided; of a new one, what it is to be called.
  package var name: String? {
    switch self {
    case .create(let draft): draft.name
    case .edit(let product, _, _), .delete(let product): product.name
    }
  }
}

extension Change {
  /// A value before and after a change; nil where it is not known, or where there is no product yet.
  package struct Step: Hashable, Sendable {
    package var before: Amount?
    package var after: Amount?
  }

  /// The list price; nil where the change does not touch it.
  package var price: Step? {
    switch self {
    case .create(let draft): Step(before: nil, after: draft.price)
    case .edit(let product, let from, let to):
      to.price.map { Step(before: from.price ?? product.price, after: $0) }
    case .delete: nil
    }
  }

  /// What a buyer pays; nil where the change touches neither price nor discount.
  package var sale: Step? {
    switch self {
    case .create(let draft): return Step(before: nil, after: draft.price - draft.discount)
    case .edit(let product, let from, let to):
      guard to.price != nil || to.discount != nil else { return nil }
      func sale(_ price: Amount?, _ discount: Amount?) -> Amount? { price.map { $0 - (discount ?? .zero) } }
      let (price, discount) = (from.price ?? product.price, from.discount ?? product.discount)
      return Step(before: sale(price, discount), after: sale(to.price ?? price, to.discount ?? discount))
    case .delete: return nil
    }
  }
}

/// Changes decided together: what is shown before the question is exactly what is written after it.
package struct Plan: Hashable, Sendable {
  package var changes: [Change]
  /// Targets that are as wanted already, by their places among all: nothing is sent for them.
  package var unchanged: [Int: Product] = [:]
  /// By the same positions, those of `unchanged` that an earlier write of this home made so.
  package var earlier: [Int: EarlierWrite] = [:]
  /// The new prices were computed from the old ones.
  package var isArithmetic = false
  /// What is to be written was computed from what was seen: where somebody else has changed it since, it is not as wanted
  /// even when it happens to be the same. A plan in a file is not: what it holds are values, and applied twice it is made
  /// once.
  package var isRelative = false

  package init(_ changes: [Change]) { self.changes = changes }

  /// How many targets there are.
  package var count: Int { changes.count + unchanged.count }

  /// Adds the next target: a change, or nothing to change.
  package mutating func edit(_ product: Product, from: Fields, to: Fields) {
    if to.isEmpty { unchanged[count] = product } else { changes.append(.edit(product, from: from, to: to)) }
  }

  /// The plan without the changes at those places of `changes`; the targets that would not change stay.
  package func without(_ places: Set<Int>) -> Plan {
    rebuilt { index, change in places.contains(index) ? .leftOut : .change(change) }
  }

  /// The fate of one change when a plan is rebuilt.
  package enum Rebuilt: Sendable {
    case change(Change)
    /// An earlier write made it, and the product is this now.
    case earlier(EarlierWrite, Product)
    case leftOut
  }

  /// Returns the plan with each change replaced by what `body` says of it; targets that would not change stay in place.
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

/// A product that is to be: every field the market asks for, and its pictures, first one the thumbnail.
package struct Draft: Hashable, Sendable {
  package var name: String
  package var description: String
  package var price: Amount
  package var discount: Amount
  package var currency: Currency
  package var stock: Int
  package var pictures: [PictureFile]
  /// The id of a deleted product that this one brings back; later references to that id mean the new product.
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

/// A picture ready to be sent: bytes within the market's limit, their type and a harmless name.
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

/// The limits the API's document gives (see Protocol); real servers enforced few of them.
package enum Limits {
  package static let name = 3...100
  package static let description = 10...1000
  package static let pictures = 1...5
  /// A picture must be smaller than this many bytes.
  package static let pictureBytes = 300 * 1024
  package static let pageSize = 1...1000
  /// Pages that can be asked for: more than any market has, and still far from where a product with a size would
  /// leave an `Int`.
  package static let page = 1...1_000_000_000_000
}
