import Catalog
import CommandLanguage
import ShellRuntime

/// Assertions for the printed output that hold in another run, without ids and times that the market assigns.
struct AssertionGenerator {
  private static let lasting: [ProductField] = [.name, .description, .price, .discount, .currency, .stock, .images]

  private let output: RecordedOutput

  init(_ output: RecordedOutput) { self.output = output }

  var lines: [String] {
    switch output {
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

  private func condition(_ product: Product, _ fields: [ProductField]) -> String? {
    let terms = AssertionGenerator.lasting.filter { fields.contains($0) }.compactMap {
      field -> CommandLanguage.Condition? in
      let text = field == .images ? product.images.map { String($0.count) } : product.text(of: field)
      guard let text, let literal = LiteralValue(text, for: field, .equal) else { return nil }
      return .compare(.field(field), .equal, literal)
    }
    guard let first = terms.first else { return nil }
    return (terms.count == 1 ? first : .all(terms)).description
  }
}
