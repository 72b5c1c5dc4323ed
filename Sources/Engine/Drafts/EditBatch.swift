import Catalog
import Language
import Platform
import Presentation
import Text

/// Gathers the changes of a batch; one product that cannot take its change stops all of them, and every one is named.
package struct EditBatch {
  package var plan = Plan([])
  private let count: Int
  private var refusals: [(Product, ParseError)] = []

  package init(_ count: Int) { self.count = count }

  package mutating func refuse(_ product: Product, _ reason: ParseError) { refusals.append((product, reason)) }

  /// - Throws: what is wrong with one product in its own words, with several as a list.
  package func checked() throws -> Plan {
    guard let (_, reason) = refusals.first else { return plan }
    if count == 1 { throw reason }
    var message = Message.failure(
      "\(refusals.count) of \(count) products cannot take this change; nothing was sent.",
      ko: "상품 \(count)개 가운데 \(refusals.count)개는 이렇게 바꿀 수 없어 아무것도 보내지 않았습니다.")
    for (product, reason) in refusals.prefix(5) {
      message = message.because(
        Wording(
          "product \(product.id): \(reason.what[.english])", ko: "\(product.id)번 상품: \(reason.what[.korean])"))
    }
    if refusals.count > 5 {
      message = message.because("and \(refusals.count - 5) more", ko: "그 밖에 \(refusals.count - 5)개")
    }
    if let next = reason.next { message = message.next(next) }
    throw Failure(.misread, message)
  }
}
