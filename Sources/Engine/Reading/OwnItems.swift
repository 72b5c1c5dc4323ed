import Catalog
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// `mine` where nobody is a vendor: the server is asked item by item whether our password fits, several at once.
package struct OwnItems {
  /// Questions in flight.
  private static let width = 8

  private let context: Context

  package init(_ context: Context) { self.context = context }

  /// Those of `products` that the password fits, in their order.
  ///
  /// - Throws: `Failure` in a session that only reads: the question has the form of a write.
  package func among(_ products: [Product], _ session: inout Session) async throws -> [Product.ID] {
    guard session.place.access.value == .readWrite else {
      throw Failure(
        .heldBack,
        .failure(
          "It is not known which products are yours; nothing was sent.", ko: "어느 것이 당신의 상품인지 알 수 없어 아무것도 보내지 않았습니다."
        )
        .because(
          "This edition tells it only to a change of nothing, and this session only reads.",
          ko: "이 판은 빈 변경을 보내야 알려 주는데, 읽기 전용입니다."))
    }
    let client = try await context.market(&session)
    // Said once, before the first of many questions.
    _ = try AskOwnership(0, boundary: context.freshName()).request(to: client.service)
    defer { context.console.status(nil) }
    var mine: Set<Product.ID> = []
    try await withThrowingTaskGroup(of: (Product.ID, Bool).self) { group in
      var asked = 0
      var answered = 0
      while answered < products.count {
        while asked < products.count, asked - answered < OwnItems.width {
          let question = AskOwnership(products[asked].id, boundary: context.freshName())
          group.addTask { (question.id, try await client.send(question)) }
          asked += 1
        }
        guard let (id, isOurs) = try await group.next() else { break }
        if isOurs { mine.insert(id) }
        answered += 1
        let count = "\(answered)/\(products.count)"
        let words = Wording("asking whose they are: \(count)", ko: "누구의 것인지 묻는 중: \(count)")
        context.console.transient(words[session.settings.tongue].plain)
      }
    }
    return products.map(\.id).filter { mine.contains($0) }
  }
}
