import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The target `mine` in editions without vendors: the server is asked for each item whether our password is right.
package struct OwnershipProbe {
  /// The number of concurrent requests.
  private static let maxConcurrentReads = 8

  private let client: Client<MarketService>
  private let context: CommandContext

  package init(_ client: Client<MarketService>, _ context: CommandContext) {
    self.client = client
    self.context = context
  }

  /// Returns those of the products for which the password is right, in their order.
  ///
  /// - Throws: `CommandError` in a read-only session, because the request has the form of a write.
  package func among(_ products: [Product], _ session: Session) async throws -> [Product.ID] {
    guard session.server.access.value == .readWrite else {
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
    let client = client
    // Missing credentials are reported once, before the first of many requests.
    _ = try VerifyPassword(0, boundary: context.freshName()).makeRequest(to: client.service)
    defer { context.console.showStatus(nil) }
    var mine: Set<Product.ID> = []
    var answered = 0
    let questions = products.lazy.map { VerifyPassword($0.id, boundary: context.freshName()) }
    try await SideBySide.forEachConcurrently(of: questions, atOnce: OwnershipProbe.maxConcurrentReads) { question in
      (question.id, try await client.send(question))
    } take: { id, isOurs in
      if isOurs { mine.insert(id) }
      answered += 1
      let count = "\(answered)/\(products.count)"
      let words = LocalizedText("checking owners: \(count)", ko: "소유자 확인 중: \(count)")
      context.console.showTransientStatus(words[session.settings.language].plain)
    }
    return products.map(\.id).filter { mine.contains($0) }
  }
}
