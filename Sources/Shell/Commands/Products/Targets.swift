import Catalog
import Language
import Marketplace
import Networking
import Presentation

/// Finds the ids that a typed target means in this session.
struct Targets {
  /// More than this many by hand is a batch, and has its own ways.
  static let most = 10_000

  private let target: Target

  init(_ target: Target) { self.target = target }

  func ids(_ session: inout Session, in context: Context) async throws -> [Product.ID] {
    switch target {
    case .ids(let ranges): return unique(ranges.flatMap { Array($0) })
    case .rows(let ranges): return unique(try ranges.flatMap { try $0.map { try row($0, of: session) } })
    case .allRows: return try listing(of: session).page.products.map(\.id)
    case .last:
      guard let last = session.last else {
        throw Failure(
          .misread,
          .failure("No product has been shown yet.", ko: "아직 본 상품이 없습니다.")
            .next("Name one: \(.command("show 42"))", ko: "하나를 고르세요: \(.command("show 42"))"))
      }
      return [last.id]
    case .mine: return try await mine(&session, in: context)
    case .matching(let expression):
      let me = session.credentials.vendorID.map { Vendor(id: $0) }
      return try await everywhere(&session, in: context) { expression.holds(for: $0, me: me) }
    }
  }

  private func row(_ number: Int, of session: Session) throws -> Product.ID {
    let products = try listing(of: session).page.products
    guard (1...max(1, products.count)).contains(number), !products.isEmpty else {
      throw Failure(
        .misread,
        .failure("The last listing has no row \(number).", ko: "마지막 목록에 \(number)행이 없습니다.")
          .because("It has \(products.count) rows.", ko: "모두 \(products.count)행입니다."))
    }
    return products[number - 1].id
  }

  private func listing(of session: Session) throws -> Listing {
    guard let listing = session.listing else {
      throw Failure(
        .misread,
        .failure("There is no listing yet.", ko: "아직 목록이 없습니다.")
          .next("\(.command("ls")) makes one.", ko: "\(.command("ls"))로 목록을 보세요."))
    }
    return listing
  }

  /// Every page, those of the vendor who is logged in.
  private func mine(_ session: inout Session, in context: Context) async throws -> [Product.ID] {
    // The edition may have to be found out first.
    let market = try await context.market(&session)
    if market.service.edition.supports(.askOwnership) {
      return try await OwnItems(context).among(try await Scan(market).all().products, &session)
    }
    guard let vendor = session.credentials.vendorID else {
      throw Failure(
        .heldBack,
        .failure("It is not known which vendor you are.", ko: "어느 판매자인지 알 수 없습니다.")
          .next("\(.command("login vendor_id=N")) says it.", ko: "\(.command("login vendor_id=N"))으로 알려 주세요."))
    }
    return try await everywhere(&session, in: context) { $0.vendorID == vendor }
  }

  /// Those of every page that the condition holds for; a page that brings nothing new ends the walk.
  private func everywhere(
    _ session: inout Session, in context: Context, where holds: (Product) -> Bool
  ) async throws -> [Product.ID] {
    let market = try await context.market(&session)
    return try await Scan(market).all().products.filter(holds).map(\.id)
  }

  private func unique(_ ids: [Product.ID]) -> [Product.ID] {
    var seen = Set<Product.ID>()
    return ids.filter { seen.insert($0).inserted }
  }
}
