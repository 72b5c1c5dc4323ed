import Catalog

/// The value of one writable field, to compare and to show.
package enum FieldValue: Hashable, Sendable, CustomStringConvertible {
  case text(String)
  case amount(Amount)
  case number(Int)

  package var description: String {
    switch self {
    case .text(let text): text
    case .amount(let amount): amount.description
    case .number(let number): String(number)
    }
  }
}
