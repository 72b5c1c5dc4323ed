import Catalog
import Engine
import Language

/// What was seen, as assertions that hold when it is seen again: no numbers and times that a market gives itself.
struct Expectations {
  private static let lasting: [Field] = [.name, .description, .price, .discount, .currency, .stock, .images]

  private let sight: Deed.Sight

  init(_ sight: Deed.Sight) { self.sight = sight }

  var lines: [String] {
    switch sight {
    case .product(let product, let fields):
      return condition(product, fields).map { ["assert " + $0] } ?? []
    case .listing(let page, let fields):
      let total = page.total.map { " and $total = \($0)" } ?? ""
      let rows = page.products.enumerated().compactMap { index, product in
        condition(product, fields).map { "assert \($0) of @\(index + 1)" }
      }
      return ["assert $count = \(page.products.count)" + total] + rows
    case .other: return []
    }
  }

  private func condition(_ product: Product, _ fields: [Field]) -> String? {
    let terms = Expectations.lasting.filter { fields.contains($0) }.compactMap { field -> Expression? in
      let text = field == .images ? product.images.map { String($0.count) } : product.text(of: field)
      guard let text, let literal = Literal(text, for: field, .equal) else { return nil }
      return .compare(.field(field), .equal, literal)
    }
    guard let first = terms.first else { return nil }
    return (terms.count == 1 ? first : .all(terms)).description
  }
}
