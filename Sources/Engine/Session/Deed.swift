import Catalog
import Platform
import Presentation

/// One command of this session and what came of it.
package struct Deed: Hashable, Sendable {
  /// What the command showed, as far as a script could look for it again.
  package enum Sight: Hashable, Sendable {
    /// The last product, with the fields that were shown.
    case product(Product, [Field])
    /// Rows, and the fields that were shown of each.
    case listing(Page, [Field])
    case other
  }

  /// From 1, as `history session` counts.
  package var number: Int
  /// As typed, aliases spelled out; nil when it may hold a secret.
  package var line: String?
  /// The command's own name.
  package var command: String
  package var code: ExitStatus
  /// What the market answered last; nil when it was not asked.
  package var status: Int?
  package var sight: Sight
  /// The products it made.
  package var made: [Product.ID]
  /// What it wrote was out of the ordinary, and allowed.
  package var isExtreme = false

  package init(
    number: Int, line: String? = nil, command: String, code: ExitStatus, status: Int? = nil, sight: Sight,
    made: [Product.ID], isExtreme: Bool = false
  ) {
    self.number = number
    self.line = line
    self.command = command
    self.code = code
    self.status = status
    self.sight = sight
    self.made = made
    self.isExtreme = isExtreme
  }
}
