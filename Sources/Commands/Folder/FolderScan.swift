import Catalog
import CommandLanguage
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// Reads the products of a market for a folder, with the descriptions and pictures that lists don't contain.
struct FolderScan {
  /// The products of a folder.
  enum Selection: Hashable, Sendable {
    case all
    case mine
    case matching(Condition)
    /// The products that the folder has.
    case listed
    case ids([Product.ID])

    /// The selection as the folder stores it.
    var text: String {
      switch self {
      case .all: "all"
      case .listed, .ids: "listed"
      case .mine: "mine"
      case .matching(let condition): "where " + condition.description
      }
    }

    /// Creates the selection that a folder stores, or `nil` for other text.
    init?(stored text: String) {
      switch text {
      case "all": self = .all
      case "mine": self = .mine
      case "listed": self = .listed
      default:
        guard text.hasPrefix("where "), let condition = try? Condition.read(String(text.dropFirst(6))) else {
          return nil
        }
        self = .matching(condition)
      }
    }
  }

  /// The number of products above which those are read one by one only on request.
  static let maximumDetailed = 10_000

  let market: Client<MarketService>
  let selection: Selection
  private let isFull: Bool
  private let pages: Int?
  let scope: CommandScope

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - selection: The products.
  ///   - isFull: Whether also more than `maximumDetailed` products are read one by one.
  ///   - pages: A minimum for the page limit.
  init(
    _ market: Client<MarketService>, selection: Selection, isFull: Bool, pages: Int?, in scope: CommandScope
  ) {
    self.market = market
    self.selection = selection
    self.isFull = isFull
    self.pages = pages
    self.scope = scope
  }

  /// The result of a scan.
  struct Summary {
    var count = 0
    /// A Boolean value that indicates that every selected product was read.
    var isComplete = true
    /// A Boolean value that indicates that descriptions or pictures weren't read.
    var lacksDetails = false
  }

  /// Delivers the products, in groups.
  ///
  /// - Parameter take: Receives the products. Without details, they have no pictures.
  /// - Returns: The result.
  /// - Throws: The errors of reading, also if the list ended early.
  func forEach(_ take: ([Product]) async throws -> Void) async throws -> Summary {
    var result = Summary()
    if selection == .listed { return result }
    if case .ids(let ids) = selection {
      let products = try await ProductReader(market, scope).find(ids, optional: Set(ids))
      result.count = products.count
      try await take(ids.compactMap { products[$0] })
      return result
    }
    let filter = try ProductFilter(
      condition(), me: scope.session.credentials.vendorID, market.service.dialect)
    filter.say(in: scope)
    var rows: [Product] = []
    var isBuffering = true
    let scanned = try await MarketScan(market, wanted: filter.rows, pages: pages, scope).forEachBatchToEnd {
      var chosen = try await filter.filter($0, of: market)
      if selection == .mine, !scope.session.server.hasVendorAccounts {
        let mine = Set(try await OwnershipProbe(market, scope).among(chosen))
        chosen = chosen.filter { mine.contains($0.id) }
      }
      result.count += chosen.count
      guard isBuffering else { return try await take(isFull ? try await detailed(chosen) : chosen) }
      rows += chosen
      guard rows.count > FolderScan.maximumDetailed else { return }
      isBuffering = false
      try await take(isFull ? try await detailed(rows) : rows)
      rows = []
    }
    if isBuffering { try await take(try await detailed(rows)) }
    result.lacksDetails = !isBuffering && !isFull
    result.isComplete = scanned.isComplete
    return result
  }

  private func condition() throws -> Condition? {
    switch selection {
    case .all, .listed, .ids: return nil
    case .matching(let condition): return condition.resolved(at: scope.context.clock.seconds)
    case .mine:
      if scope.session.server.hasNoOwners { throw CommandError.withoutOwners }
      guard scope.session.server.hasVendorAccounts else { return nil }
      guard scope.session.credentials.vendorID != nil else { throw CommandError.withoutVendor(scope.session) }
      return Condition.compare(.field(.vendorID), .equal, .me)
    }
  }

  /// Returns the products as they are read one by one, without those that were deleted in the meantime.
  private func detailed(_ rows: [Product]) async throws -> [Product] {
    let products = try await ProductReader(market, scope).find(rows.map(\.id), optional: Set(rows.map(\.id)))
    return rows.compactMap { products[$0.id] }
  }
}
