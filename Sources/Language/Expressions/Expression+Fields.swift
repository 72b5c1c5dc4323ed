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

extension Expression {
  /// True where `me` stands for the vendor who is logged in.
  package var asksForMe: Bool {
    switch self {
    case .compare(_, _, let literal): literal == .me
    case .among(_, let literals): literals.contains(.me)
    case .not(let term): term.asksForMe
    case .all(let terms), .any(let terms): terms.contains(where: \.asksForMe)
    }
  }
}

extension Expression {
  /// The codes that the currency is compared with as a whole, as typed.
  package var currencies: [String] {
    switch self {
    case .compare(.field(.currency), .equal, let code), .compare(.field(.currency), .different, let code): [code.text]
    case .among(.field(.currency), let codes): codes.map(\.text)
    case .compare, .among: []
    case .not(let term): term.currencies
    case .all(let terms), .any(let terms): terms.flatMap(\.currencies)
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
