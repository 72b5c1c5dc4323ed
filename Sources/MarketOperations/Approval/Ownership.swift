import Catalog
import CommandLanguage
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The check that only the vendor's own products are written.
///
/// Once the current vendor is known, changes of other vendors' products are rejected before anything is sent.
package enum Ownership {
  /// Checks the products of a plan, as far as their vendors are known.
  ///
  /// - Throws: `CommandError` that names the first product of another vendor.
  package static func check(_ plan: Plan, _ session: Session) throws {
    try check(plan.changes.compactMap(\.product), session)
  }

  /// Checks products that are about to be written, before their new values are computed, because ownership matters more
  /// than an invalid price.
  ///
  /// - Parameters:
  ///   - products: The products.
  ///   - target: The target of the line, for suggesting one that selects only the vendor's own.
  ///   - command: The command.
  ///   - session: The session.
  /// - Throws: `CommandError` that names the first product of another vendor.
  package static func check(
    _ products: [Product], meantBy target: ProductSelector? = nil, of command: String = "", _ session: Session
  ) throws {
    guard let me = session.credentials.vendorID else { return }
    let foreign = products.filter { $0.vendorID.map { $0 != me } ?? false }
    guard let first = foreign.first, let owner = first.vendorID else { return }
    let vendor = first.vendor ?? ""
    var message =
      products.count == 1
      ? Message.failure(
        "Product \(first.id) is not yours. Nothing was sent.", ko: "\(first.id)번은 다른 판매자의 상품입니다. 아무것도 보내지 않았습니다.")
      : Message.failure(
        "\(foreign.count) of \(products.count) products \(foreign.count == 1 ? StyledText("is") : "are") not yours. Nothing was sent.",
        ko: "상품 \(products.count)개 중 \(foreign.count)개는 다른 판매자의 상품입니다. 아무것도 보내지 않았습니다.")
    let it =
      products.count == 1 ? LocalizedText("It", ko: "") : LocalizedText("Product \(first.id)", ko: "\(first.id)번: ")
    message = message.because(
      "\(it.english) belongs to vendor \(.foreign(vendor)) (\(owner)). You are logged in as vendor \(me).",
      ko: "\(it.korean)판매자 \(.foreign(vendor))(\(owner))의 상품이고, 현재 \(me)번 판매자로 로그인되어 있습니다.")
    if case .matching(let condition)? = target, products.count > foreign.count {
      let own = Condition.all([Condition.ofMe, condition])
      let line = "\(command) where \(own.description)"
      message = message.next(
        "To use only your own \(products.count - foreign.count), run \(.command(line)).",
        ko: "내 상품 \(products.count - foreign.count)개만 고르려면 \(.command(line), .object) 쓰세요.")
    }
    throw CommandError(.blocked, message, code: .notOwner)
  }
}

extension Condition {
  /// The condition `vendor=me`.
  fileprivate static let ofMe = Condition.compare(.field(.vendor), .equal, .me)
}

/// The target `mine` in editions without vendors: the server is asked for each item whether our password is right.
package struct OwnershipProbe {
  /// The number of concurrent requests.
  private static let maxConcurrentReads = 8

  private let client: Client<MarketService>
  private let scope: CommandScope

  package init(_ client: Client<MarketService>, _ scope: CommandScope) {
    self.client = client
    self.scope = scope
  }

  /// Returns those of the products for which the password is right, in their order.
  ///
  /// - Throws: `CommandError` in a read-only session, because the request has the form of a write.
  package func among(_ products: [Product]) async throws -> [Product.ID] {
    guard scope.session.server.access.value == .readWrite else {
      throw CommandError(
        .blocked,
        .failure(
          "Cannot tell which products are yours. Nothing was sent.", ko: "어느 상품이 내 상품인지 알 수 없습니다. 아무것도 보내지 않았습니다."
        )
        .because(
          "In this edition, finding out requires sending an empty change, and this session is read-only.",
          ko: "이 API 버전에서는 내용 없는 수정 요청을 보내야 알 수 있는데, 읽기 전용 세션입니다."),
        code: .readOnly)
    }
    let (client, context) = (client, scope.context)
    // Missing credentials are reported once, before the first of many requests.
    _ = try VerifyPassword(0, boundary: context.freshName()).makeRequest(to: client.service)
    let progress = ProgressLine(LocalizedText("Checking owners", ko: "소유자 확인 중"), scope)
    defer { progress.clear() }
    var mine: Set<Product.ID> = []
    var done = 0
    let questions = products.lazy.map { VerifyPassword($0.id, boundary: context.freshName()) }
    try await BoundedTaskGroup.forEachConcurrently(of: questions, atOnce: OwnershipProbe.maxConcurrentReads) {
      question in
      (question.id, try await client.send(question))
    } take: { id, isOurs in
      if isOurs { mine.insert(id) }
      done += 1
      progress.show(done, of: products.count)
    }
    return products.map(\.id).filter { mine.contains($0) }
  }
}
