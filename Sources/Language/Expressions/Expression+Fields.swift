import Catalog

extension Expression {
  /// The fields of a product that it asks about.
  package var fields: Set<Field> {
    switch self {
    case .compare(let operand, _, _), .among(let operand, _): operand.field.map { [$0] } ?? []
    case .not(let term): term.fields
    case .all(let terms), .any(let terms): terms.reduce(into: []) { $0.formUnion($1.fields) }
    }
  }
}

extension Operand {
  fileprivate var field: Field? {
    switch self {
    case .field(let field): field
    case .column, .text: nil
    }
  }
}
