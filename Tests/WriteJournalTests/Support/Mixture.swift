import Catalog
import TestSupport

@testable import WriteJournal

/// A combination of change, effect, response, read lag and foreign write.
struct Mixture: Sendable, CustomStringConvertible {
  enum Wish: CaseIterable, Sendable {
    case price
    /// `stock+=1`, which would be applied twice if it were sent again.
    case oneMore
    case priceAndStock
    /// A text that the market truncates at its NUL.
    case cutName
    /// An amount that the market rounds.
    case fraction
    case delete
    case create
  }

  enum Effect: CaseIterable, Sendable {
    case none
    case whole
    /// Only the first of two fields is set.
    case partial
    /// The server stores a normalized value.
    case reformed
  }

  enum Answer: CaseIterable, Sendable {
    case right
    /// A 200 response with the product as it was before.
    case stale
    /// A 200 response with another product.
    case wrong
    /// A 200 response without a product.
    case empty
    /// A 200 response with a body that isn't a product.
    case unparsable
    case failure
    case cut
    case notFound

    /// A Boolean value that indicates a successful response, whatever its body is.
    var isYes: Bool {
      switch self {
      case .right, .stale, .wrong, .empty: true
      case .unparsable, .failure, .cut, .notFound: false
      }
    }

    func outcome(right: Product?, stale: Product?) -> SendOutcome {
      switch self {
      case .right: .succeeded(right)
      case .stale: .succeeded(stale)
      case .wrong: .succeeded(Product(id: 2, name: "another", price: Amount(1), stock: 1, vendorID: 8))
      case .empty: .succeeded(nil)
      case .unparsable: .unknown(.text("the response (200) did not contain the product"))
      case .failure: .unknown(.text("the server responded with status 500"))
      case .cut: .unknown(.text("the connection was lost"))
      case .notFound: .refused(Rejection(status: 404, kind: .notFound))
      }
    }
  }

  /// A write by another vendor after the write and before the verdict.
  enum Foreign: CaseIterable, Sendable {
    case nobody
    case sale
    case price
    case otherField
    /// Reverts the effect of the write.
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
  /// The time by which reads lag.
  var lag: Duration
  /// The number of failing reads after the send.
  var failingReads: Int
  /// A Boolean value that indicates that products contain their modification time.
  var tellsTime: Bool
  /// The number of writes in the batch, of which this is the first.
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
    // A complete 404 response to a create is a rejection, because it names no product that could be missing.
    if wish == .create, answer == .notFound { return false }
    return switch effect {
    case .partial: wish == .priceAndStock
    case .reformed: [.cutName, .fraction].contains(wish)
    case .none, .whole: wish != .cutName || effect == .none
    }
  }

  /// The fields that the write sets.
  private var sets: Set<ProductField> {
    switch wish {
    case .price, .fraction: [.price]
    case .oneMore: [.stock]
    case .priceAndStock: [.price, .stock]
    case .cutName: [.name]
    case .delete, .create: []
    }
  }

  /// A Boolean value that indicates that another vendor writes a field that this write sets.
  var isOverwritten: Bool {
    switch foreign {
    case .nobody, .otherField, .delete: false
    case .sale: sets.contains(.stock)
    case .price, .undo: sets.contains(.price)
    }
  }

  /// A Boolean value that indicates that the market's state shows whether the write was applied.
  private var isDecidable: Bool {
    let isApplied = effect != .none
    // Success without an effect, and another vendor writes the same field or deletes the product.
    if !isApplied, answer.isYes, isOverwritten || foreign == .delete { return false }
    // Applied, answered with 404, and then deleted.
    if isApplied, answer == .notFound, foreign == .delete { return false }
    // Deleted by this write or by another vendor.
    if wish == .delete, foreign == .delete { return false }
    // Reverted, and nothing shows that it was ever written.
    let isSetBack = foreign == .undo && sets.contains(.price) || foreign == .sale && wish == .oneMore
    if isApplied, isSetBack, !tellsTime { return false }
    return true
  }

  var description: String {
    "\(wish), \(effect), answered \(answer), \(foreign) after \(meddlesAfter), lag \(lag), \(failingReads) reads fail, "
      + "\(tellsTime ? "with" : "without") times, batch of \(count)"
  }
}
