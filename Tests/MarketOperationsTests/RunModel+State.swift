import Catalog
import MarketOperations
import WriteJournal

/// What the model knows of lines, runs, products and intents, and what may happen to them.
extension RunModel {
  enum Change: Hashable {
    case add(Product.ID)
    case set(Product.ID)

    var product: Product.ID {
      switch self {
      case .add(let product), .set(let product): product
      }
    }
    var item: String? { if case .add(let product) = self { Change.items[product] } else { nil } }
    private static let items = (0..<4).map { HeldItem.edit($0, "stock+=2") }
  }

  struct Unit: Hashable {
    var name: String
    var lines: [[Change]]
    /// A Boolean value that indicates that the values of the lines after a stop can be restored.
    var isRestorable = true
    var isScript: Bool { lines.count > 1 }
  }

  struct Row: Hashable {
    /// `skipped` was reported as not made, for a reason that a read has shown.
    enum State: Hashable { case left, done, unknown, skipped }
    var change: Change
    var line: Int
    var state = State.left
    var isUndone = false
    /// What the oracle knows: the request was applied.
    var hasEffect = false
    /// The product when it was planned.
    var seen = Shelf()
  }

  /// A product of a market: its stock, and what only the oracle counts.
  struct Shelf: Hashable {
    var stock = 0
    /// The number of the product that has this id: another client emptied the market and filled it again.
    var generation = 0
    var isRenamed = false
    var isGone = false
    /// The number of changes by others.
    var touches = 0

    func product(_ id: Product.ID) -> Product {
      Product(
        id: id, name: (isRenamed ? "Renamed " : "Product ") + "\(generation)", vendorID: 15,
        created: Timestamp(seconds: Int64(generation) * 1_000_000 + 1, isUTC: true))
    }
  }

  struct Place: Hashable {
    var market: Int
    var product: Product.ID
  }

  /// What other clients do to a product.
  enum Other: Hashable { case deleted, bought, renamed, replaced }

  struct ModelRun: Hashable {
    var unit: Unit
    var market: Int
    var key: Int?
    var life = RunLife()
    var rows: [Row] = []
    var line = 0
    var job: Int
    var heldBack = 0
    /// Items that another line makes, by the answer of the user.
    var released: Set<String> = []
    /// A Boolean value that indicates that its program lives and is stopped (Ctrl-Z).
    var isPaused = false
    /// The day of its clock on which it began.
    var begun = 0
  }

  /// What somebody wants: each change once.
  struct Job: Hashable {
    var unit: Unit
    var market: Int
    var made: [Change: Int] = [:]
    /// A Boolean value that indicates a decision of the user: some of it is wanted twice, or not any more.
    var isDecided = false
    var isOver = false
  }

  struct State: Hashable {
    var runs: [ModelRun] = []
    var jobs: [Job] = []
    var shelves: [Place: Shelf] = [:]
    /// The day that the clock of the home shows.
    var day = 0
    /// The home as it was copied.
    var backup: [ModelRun]?

    subscript(_ market: Int, _ product: Product.ID) -> Shelf {
      get { shelves[Place(market: market, product: product)] ?? Shelf() }
      set { shelves[Place(market: market, product: product)] = newValue }
    }
  }

  /// The instant at which an execution ends early.
  enum Fault: Hashable {
    case none
    /// Killed after the question and before the first record.
    case beforeRecord
    /// Killed while the row of a line is sent; `lands` says whether it was applied.
    case killed(line: Int, row: Int, lands: Bool)
    /// Ctrl-C after the row: the shell lives.
    case stopped(line: Int, row: Int)
    /// Killed after the last row, before the end is recorded.
    case beforeEnd
    /// Stopped (Ctrl-Z) after the first row.
    case paused
    /// A line that only reads fails after the first line.
    case failingRead
    /// Another shell runs the same between the meeting and the record.
    case overtaken
    /// The journal can't be read when the line meets the runs, and can a moment later.
    case unreadable
  }

  enum Asking: Hashable {
    case unattended, again
    /// The answer of a person, by its position.
    case answer(Int)
    case key(Int)
  }

  enum Event: Hashable {
    case run(Unit, market: Int, job: Int?, Asking, Fault)
    /// `resume yes`, or with the number of the run.
    case resume(Fault, isNumbered: Bool = true)
    case other(Other, Product.ID)
    /// The same line in another home, which knows nothing of this one.
    case elsewhere(Unit, job: Int?)
    /// The clock of the home jumps by days.
    case clock(Int)
    case copyHome, restoreHome
    /// Two shells resume the same run.
    case resumeTwice
    case forget, undo, goOn
    /// One change of a run is undone.
    case undoOne
  }
}
