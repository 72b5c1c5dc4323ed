import Catalog
import Foundation

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

  /// Equal but for blanks around a text, which are the server's to trim.
  func isSame(as other: FieldValue) -> Bool {
    guard case .text(let left) = self, case .text(let right) = other else { return self == other }
    return left.trimmingCharacters(in: .whitespacesAndNewlines) == right.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
