import Catalog
import Platform
import Presentation

/// One command of this session and what came of it.
package struct CommandRecord: Hashable, Sendable {

  /// From 1, as `history session` counts.
  package var number: Int
  /// As typed, aliases spelled out; nil when it may hold a secret.
  package var line: String?
  /// The command's own name.
  package var command: String
  package var code: ExitStatus
  /// What the market answered last; nil when it was not asked.
  package var status: Int?
  package var sight: RecordedOutput
  /// The products it made.
  package var made: [Product.ID]
  /// What it wrote was out of the ordinary, and allowed.
  package var isExtreme = false

  package init(
    number: Int, line: String? = nil, command: String, code: ExitStatus, status: Int? = nil, sight: RecordedOutput,
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

/// What the command showed, as far as a script could look for it again.
package enum RecordedOutput: Hashable, Sendable {
  /// The last product, with the fields that were shown.
  case product(Product, [Field])
  /// Rows, and the fields that were shown of each.
  case listing(Page, [Field])
  case other
}

extension RecordedOutput {
  /// More rows than anyone compares by eye are not kept.
  private static let mostRows = 200

  private static let usual: [Field] = [.name, .price, .discount, .currency, .stock]

  package init(_ data: Report?, _ session: Session) {
    switch data {
    case .product(let product, let fields):
      self = session.last?.id == product.id ? .product(product, fields ?? Field.allCases) : .other
    case .listing(let listing):
      let isLong = listing.page.products.count > RecordedOutput.mostRows
      self = isLong ? .other : .listing(listing.page, listing.columns ?? RecordedOutput.usual)
    case .rows, .drawing, .message, .text, .written, .several, .nothing, nil: self = .other
    }
  }
}

/// The commands of a session, oldest first; the newest 2,000 are kept.
package struct SessionLog: Hashable, Sendable {
  private static let most = 2_000

  package private(set) var all: [CommandRecord] = []
  private var count = 0

  package init() {}

  /// The number the next one gets.
  package var next: Int { count + 1 }

  package mutating func add(_ deed: CommandRecord) {
    count += 1
    all.append(deed)
    if all.count > SessionLog.most { all.removeFirst(all.count - SessionLog.most) }
  }
}
