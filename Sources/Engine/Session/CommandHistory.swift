import Catalog
import Platform
import Presentation

/// One command of this session with its result.
package struct CommandRecord: Hashable, Sendable {

  /// The number, counted from 1 as in `history session`.
  package var number: Int
  /// The line as typed, with aliases expanded, or `nil` if it may contain a secret.
  package var line: String?
  /// The command's own name.
  package var command: String
  package var code: ExitStatus
  /// The last HTTP status, or `nil` if no request was sent.
  package var status: Int?
  package var output: RecordedOutput
  /// The products that the command created.
  package var made: [Product.ID]
  /// A Boolean value that indicates that outliers were written after an explicit approval.
  package var isExtreme = false

  package init(
    number: Int, line: String? = nil, command: String, code: ExitStatus, status: Int? = nil, output: RecordedOutput,
    made: [Product.ID], isExtreme: Bool = false
  ) {
    self.number = number
    self.line = line
    self.command = command
    self.code = code
    self.status = status
    self.output = output
    self.made = made
    self.isExtreme = isExtreme
  }
}

/// The output of the command, as far as a script could check it again.
package enum RecordedOutput: Hashable, Sendable {
  /// The last product, with the displayed fields.
  case product(Product, [ProductField])
  /// Rows, with the displayed fields of each.
  case listing(Page, [ProductField])
  case other
}

extension RecordedOutput {
  /// The maximum number of stored rows, beyond which nobody compares them by eye.
  private static let mostRows = 200

  private static let usual: [ProductField] = [.name, .price, .discount, .currency, .stock]

  package init(_ data: Report?, _ session: Session) {
    switch data {
    case .product(let product, let fields):
      self = session.lastProduct?.id == product.id ? .product(product, fields ?? ProductField.allCases) : .other
    case .listing(let listing):
      let isLong = listing.page.products.count > RecordedOutput.mostRows
      self = isLong ? .other : .listing(listing.page, listing.columns ?? RecordedOutput.usual)
    case .rows, .drawing, .message, .text, .receipt, .group, .empty, nil: self = .other
    }
  }
}

/// The commands of a session, oldest first.
///
/// The newest 2,000 are stored.
package struct CommandHistory: Hashable, Sendable {
  private static let most = 2_000

  package private(set) var all: [CommandRecord] = []
  private var count = 0

  package init() {}

  /// The number of the next command.
  package var next: Int { count + 1 }

  package mutating func add(_ deed: CommandRecord) {
    count += 1
    all.append(deed)
    if all.count > CommandHistory.most { all.removeFirst(all.count - CommandHistory.most) }
  }
}
