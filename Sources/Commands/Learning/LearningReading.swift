import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Presentation
import ShellRuntime
import WriteJournal

/// The checks of steps against what the market shows at one time.
struct LearningReading {
  private let client: Client<MarketService>
  private let scope: CommandScope
  /// The products of the market, or `nil` before a check needed them.
  private var products: [Product]?
  /// The identity of the market.
  let market: MarketIdentity
  /// The time of the reading in seconds since 1970.
  let time: Int64

  /// Opens the market, and reads its generation.
  ///
  /// - Throws: The errors of opening the market, and of the request.
  init(_ scope: inout CommandScope) async throws {
    client = try await scope.marketClient()
    try await scope.readGeneration(of: client)
    market = scope.session.market(at: client.service.baseURL)
    time = scope.context.clock.seconds
    self.scope = scope
  }

  /// A Boolean value that indicates that the products of the user are known.
  var isLoggedIn: Bool { scope.session.credentials.vendorID != nil }

  /// The generation of the market, or "" if the server says none.
  var generation: String { market.generation?.description ?? "" }

  /// Returns all products.
  ///
  /// - Throws: The errors of the scan.
  private mutating func all() async throws -> [Product] {
    if let products { return products }
    let all = try await ProductScan(client).collect().products
    products = all
    return all
  }

  /// Returns the products of the user, newest first; none without a login.
  ///
  /// - Throws: The errors of the scan.
  mutating func own() async throws -> [Product] {
    guard let me = scope.session.credentials.vendorID else { return [] }
    return try await all().filter { $0.vendorID == me }
  }

  /// Begins the current step of a course: its time, and what the user's products are now.
  ///
  /// - Throws: The errors of the scan.
  mutating func begin(_ progress: inout LearningProgress, of course: LearningCourse) async throws {
    (progress.began, progress.market) = (time, generation)
    guard course.steps.indices.contains(progress.step - 1) else {
      (progress.base, progress.changed) = ([:], nil)
      return
    }
    let check = course.steps[progress.step - 1].check
    // The change of the step before is the one that is undone.
    if check == .undone, progress.changed != nil { return }
    (progress.changed, progress.newest) = (nil, nil)
    progress.base = [:]
    guard check.hasBase, isLoggedIn else { return }
    progress.newest = try await all().map(\.id).max() ?? 0
    for product in try await own().prefix(LearningStore.maximumBase) { progress.base[product.id] = .init(product) }
  }

  /// Returns whether the market shows that the current step is reached, and the product that it created.
  ///
  /// - Throws: The errors of reading; `ParseError` if a pattern takes too long.
  mutating func isReached(
    _ check: LearningStep.Check, _ progress: inout LearningProgress
  ) async throws -> (Bool, product: Product.ID?) {
    switch check {
    case .seen: return (try await hasSeen(), nil)
    case .listed(let limit): return (try await hasListed(below: limit), nil)
    case .changed:
      guard try await differs(from: progress) else { return (false, nil) }
      progress.changed = time
      return (true, nil)
    case .undone:
      guard try await differs(from: progress) else { return (progress.changed != nil, nil) }
      progress.changed = progress.changed ?? time
      return (false, nil)
    case .created:
      guard let newest = progress.newest, let new = try await own().first(where: { $0.id > newest }) else {
        return (false, nil)
      }
      let product = try await MarketReader(client).productIfExists(new.id)
      return (product?.images?.isEmpty == false, new.id)
    case .restocked(let count):
      let changed = try await own().count { product in
        progress.base[product.id].map { $0.stock != product.stock ?? 0 } ?? false
      }
      return (changed >= count, nil)
    case .refused:
      guard let exchange = scope.session.last.failure?.exchange, let status = exchange.response?.status else {
        return (false, nil)
      }
      return ((400..<600).contains(status) && exchange.started / 1000 >= progress.began, nil)
    case .requestedByProgram: return (try await hasReceived(since: progress.began) { _ in true }, nil)
    case .requestedBySwift: return (try await hasReceived(since: progress.began) { $0.isOfURLSession }, nil)
    case .sawDocument: return (try await hasSeenDocument(), nil)
    case .matches(let condition, let count):
      let found = try await matches(of: condition)
      return (count == 0 ? found == 0 : found >= count, nil)
    }
  }

  /// Returns whether a step that was reached can be read again, and is still so; `nil` for one that left nothing to read.
  ///
  /// - Throws: The errors of reading.
  mutating func isStill(_ step: LearningStep, _ reached: LearningProgress.Reached) async throws -> Bool? {
    switch step.check {
    case .created:
      guard let product = reached.product else { return nil }
      return try await MarketReader(client).productIfExists(product) != nil
    case .matches:
      var unused = LearningProgress(digest: "")
      return try await isReached(step.check, &unused).0
    case .seen, .listed, .changed, .undone, .restocked, .refused, .requestedByProgram, .sawDocument, .requestedBySwift:
      return nil
    }
  }

  // MARK: What was shown

  private mutating func hasSeen() async throws -> Bool {
    let session = scope.session
    guard let listing = session.listing.last, !listing.page.products.isEmpty, isHere(session.listing.market),
      let product = session.last.product, isHere(session.last.market)
    else { return false }
    return try await MarketReader(client).productIfExists(product.id) != nil
  }

  private mutating func hasListed(below limit: Int) async throws -> Bool {
    guard let page = scope.session.listing.last?.page, !page.products.isEmpty,
      page.products.allSatisfy({ ($0.stock ?? .max) < limit }), isHere(scope.session.listing.market)
    else {
      return false
    }
    let few = try await all().filter { ($0.stock ?? .max) < limit }
    let me = scope.session.credentials.vendorID
    let mine = few.filter { $0.vendorID == me && me != nil }
    let told = page.total ?? page.products.count
    return [few, mine].contains { matches in
      told == matches.count && Set(matches.map(\.id)).isSuperset(of: page.products.map(\.id))
    }
  }

  private func hasSeenDocument() async throws -> Bool {
    guard case .drawing(let figure)? = scope.session.last.output?.data,
      let shown = try? JSON(parsing: Data(figure.json.utf8)), let id = shown.object?["id"]?.int,
      scope.session.last.product?.id == id, isHere(scope.session.last.market)
    else { return false }
    do {
      return try await MarketDocument.read(GetProduct(id), of: client).1.json == shown
    } catch MarketError.notFound(_) {
      return false
    }
  }

  private func isHere(_ other: MarketIdentity?) -> Bool { other.map { market.isSame(as: $0) } ?? false }

  // MARK: What changed

  /// Returns whether products of the user have other values than at the beginning of a step.
  private mutating func differs(from progress: LearningProgress) async throws -> Bool {
    try await own().contains { product in progress.base[product.id].map { $0 != .init(product) } ?? false }
  }

  private mutating func matches(of condition: Condition) async throws -> Int {
    let filter = try ProductFilter(
      condition.resolved(at: time), search: nil, order: nil, me: scope.session.credentials.vendorID,
      client.service.dialect)
    return try await filter.filter(try await all(), of: client).count
  }

  /// Returns whether the market received a request for products from another program since a time.
  private func hasReceived(since time: Int64, where isWanted: (ReceivedCall) -> Bool) async throws -> Bool {
    try await scope.receivedCalls(after: 0).contains { call in
      let request = call.exchange.request
      return call.exchange.started / 1000 >= time && request.method == "GET" && !call.isRefused
        && request.path.prefix(2).elementsEqual(["api", "products"]) && isWanted(call)
    }
  }
}
