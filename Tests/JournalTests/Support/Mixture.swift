import Catalog
import Pacing

@testable import Journal

/// One way in which a write can go: applied or not, answered how, read how late, changed by whom in between.
struct Mixture: Sendable, CustomStringConvertible {
  enum Wish: CaseIterable, Sendable {
    case price
    /// `stock+=1`: typed again, it would be applied twice.
    case oneMore
    case priceAndStock
    /// A text that the market cuts at its NUL.
    case cutName
    /// An amount that the market rounds.
    case fraction
    case delete
    case create
  }

  enum Effect: CaseIterable, Sendable {
    case none
    case whole
    /// Only the first of two fields.
    case partial
    /// In a form of the server's own.
    case reformed
  }

  enum Answer: CaseIterable, Sendable {
    case right
    /// 200 with the product as it was before.
    case stale
    /// 200 with another product.
    case wrong
    /// 200 without a product.
    case empty
    /// 200 with a body that is no product.
    case unparsable
    case failure
    case cut
    case notFound

    /// The server said yes, and the body does not matter.
    var isYes: Bool {
      switch self {
      case .right, .stale, .wrong, .empty: true
      case .unparsable, .failure, .cut, .notFound: false
      }
    }

    func outcome(right: Product?, stale: Product?) -> SendOutcome {
      switch self {
      case .right: .answered(right)
      case .stale: .answered(stale)
      case .wrong: .answered(Product(id: 2, name: "another", price: Amount(1), stock: 1, vendorID: 8))
      case .empty: .answered(nil)
      case .unparsable: .unknown("the server answered 200, but not with the product")
      case .failure: .unknown("the server answered 500")
      case .cut: .unknown("the connection was cut")
      case .notFound: .refused(Refusal(status: 404, kind: .notFound))
      }
    }
  }

  /// Somebody else, after the write and before the verdict.
  enum Foreign: CaseIterable, Sendable {
    case nobody
    case sale
    case price
    case otherField
    /// Sets back what the write has made.
    case undo
    case delete

    var write: (@Sendable (inout [Product.ID: Product]) -> Void)? {
      switch self {
      case .nobody: nil
      case .sale: { $0[1]?.stock? -= 1 }
      case .price: { $0[1]?.price = Amount(77) }
      case .otherField: { $0[1]?.description = "somebody else's words" }
      case .undo: { $0[1]?.price = Amount(10) }
      case .delete: { $0[1] = nil }
      }
    }
  }

  var wish: Wish
  var effect: Effect
  var answer: Answer
  var foreign: Foreign
  var meddlesAfter: Duration
  /// Reads show the market as it was so long ago.
  var lag: Duration
  /// So many reads after the send fail.
  var failingReads: Int
  /// Products tell when they were modified.
  var tellsTime: Bool
  /// In a batch of so many writes, this one first.
  var count: Int

  init(_ random: inout SplitMix64) {
    repeat {
      wish = Wish.allCases.randomElement(using: &random) ?? .price
      effect = Effect.allCases.randomElement(using: &random) ?? .whole
      answer = Answer.allCases.randomElement(using: &random) ?? .right
      foreign = Bool.random(using: &random) ? .nobody : Foreign.allCases.randomElement(using: &random) ?? .nobody
      meddlesAfter = .milliseconds(Int.random(in: 1...4_000, using: &random))
      lag = Bool.random(using: &random) ? .zero : .milliseconds(Int.random(in: 1...4_500, using: &random))
      failingReads = Int.random(in: 0...9, using: &random) == 0 ? Int.random(in: 1...2, using: &random) : 0
      tellsTime = Bool.random(using: &random)
      count = [1, 1, 1, 1, 1, 1, 2, 2, 3, 21].randomElement(using: &random) ?? 1
    } while !isPossible || !isDecidable
  }

  private var isPossible: Bool {
    // A complete 404 to a create is a refusal: no product was named that could be missing.
    if wish == .create, answer == .notFound { return false }
    return switch effect {
    case .partial: wish == .priceAndStock
    case .reformed: [.cutName, .fraction].contains(wish)
    case .none, .whole: wish != .cutName || effect == .none
    }
  }

  /// Fields that the write sets.
  private var sets: Set<Field> {
    switch wish {
    case .price, .fraction: [.price]
    case .oneMore: [.stock]
    case .priceAndStock: [.price, .stock]
    case .cutName: [.name]
    case .delete, .create: []
    }
  }

  /// Somebody else writes a field that this write sets.
  var isOverwritten: Bool {
    switch foreign {
    case .nobody, .otherField, .delete: false
    case .sale: sets.contains(.stock)
    case .price, .undo: sets.contains(.price)
    }
  }

  /// What nobody can tell from outside is left out: the market shows the same whether or not the write was applied.
  private var isDecidable: Bool {
    let isApplied = effect != .none
    // Answered with yes and not applied, and somebody else writes the same field or deletes the product.
    if !isApplied, answer.isYes, isOverwritten || foreign == .delete { return false }
    // Applied, answered as if there were no such product, and then there is none.
    if isApplied, answer == .notFound, foreign == .delete { return false }
    // Deleted by this write, or by somebody else.
    if wish == .delete, foreign == .delete { return false }
    // Set back to what was there before, and nothing tells that it was ever written.
    let isSetBack = foreign == .undo && sets.contains(.price) || foreign == .sale && wish == .oneMore
    if isApplied, isSetBack, !tellsTime { return false }
    return true
  }

  var description: String {
    "\(wish), \(effect), answered \(answer), \(foreign) after \(meddlesAfter), lag \(lag), \(failingReads) reads fail, "
      + "\(tellsTime ? "with" : "without") times, batch of \(count)"
  }
}
