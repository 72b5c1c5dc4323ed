import Catalog
import CommandLanguage
import Platform
import Presentation
import ShellRuntime
import Text

/// A collection of changes for a batch.
///
/// If a change is invalid for one product, the batch fails, and all such products are listed.
package struct BatchPlanBuilder {
  package var plan = Plan([])
  private let count: Int
  private var refusals: [(Product, ParseError)] = []

  package init(_ count: Int) { self.count = count }

  package mutating func reject(_ product: Product, _ reason: ParseError) { refusals.append((product, reason)) }

  /// Returns the plan.
  ///
  /// - Throws: The error of a single product, or a list of the errors of several.
  package func validatedPlan() throws -> Plan {
    guard let (_, reason) = refusals.first else { return plan }
    if count == 1 { throw reason }
    var message = Message.failure(
      "\(refusals.count) of \(count) products cannot be changed this way. Nothing was sent.",
      ko: "상품 \(count)개 중 \(refusals.count)개는 이 변경을 적용할 수 없습니다. 아무것도 보내지 않았습니다.")
    for (product, reason) in refusals.prefix(5) {
      message = message.because(
        LocalizedText(
          "product \(product.id): \(reason.message[.english])", ko: "\(product.id)번 상품: \(reason.message[.korean])"))
    }
    if refusals.count > 5 {
      message = message.because("and \(refusals.count - 5) more", ko: "그 밖에 \(refusals.count - 5)개")
    }
    if let next = reason.suggestion { message = message.next(next) }
    throw CommandError(.usageError, message)
  }
}
