import Catalog
import Platform
import Presentation
import Text

extension ProductMismatch {
  /// The sentence that says which product was meant, and which one has its number now.
  package var wording: LocalizedText {
    let namesVendors = meant.vendorID != nil && found.vendorID != nil && meant.vendorID != found.vendorID
    let (was, now) = (
      ProductMismatch.words(for: meant, namesVendors), ProductMismatch.words(for: found, namesVendors)
    )
    return LocalizedText(
      "Product \(meant.id) was \(.foreign(was.english)) and is \(.foreign(now.english)) now.",
      ko: "\(meant.id)번은 다른 상품입니다. 기록: \(.foreign(was.korean)), 현재: \(.foreign(now.korean)).")
  }

  private static func words(
    for reference: ProductReference, _ namesVendor: Bool
  ) -> (english: String, korean: String) {
    let name = reference.names.first.map { "\"\($0)\"" } ?? "-"
    let vendor = namesVendor ? reference.vendorID : nil
    let english = [reference.created?.description, vendor.map { "vendor \($0)" }].compactMap(\.self)
    let korean = [reference.created?.description, vendor.map { "판매자 \($0)" }].compactMap(\.self)
    return (
      english.isEmpty ? name : "\(name) (\(english.joined(separator: ", ")))",
      korean.isEmpty ? name : "\(name)(\(korean.joined(separator: ", ")))"
    )
  }
}

extension CommandError {
  /// The number of products that a message names.
  private static let maximumNamed = 5

  /// Throws if products were read under the ids of others.
  ///
  /// If all of several differ, that is said once, of the market.
  ///
  /// - Parameters:
  ///   - found: The mismatches.
  ///   - count: The number of products that were compared.
  ///   - next: The next step.
  /// - Throws: `CommandError` with exit status 4.
  package static func throwIfOther(
    _ found: [ProductMismatch], of count: Int, next: LocalizedText
  ) throws(CommandError) {
    guard let first = found.first else { return }
    var message: Message
    if found.count == count, count > 1 {
      message = .failure(
        "None of the \(count) products is the one that was meant. The market may have been emptied or replaced since. Nothing was sent.",
        ko: "상품 \(count)개가 모두 뜻했던 상품이 아닙니다. 그 뒤에 마켓을 비웠거나 바꾸었을 수 있습니다. 아무것도 보내지 않았습니다."
      ).because(first.wording)
    } else if count == 1 {
      message = .failure(
        "The product with this number is another one now. Nothing was sent.",
        ko: "이 번호의 상품은 이제 다른 상품입니다. 아무것도 보내지 않았습니다."
      ).because(first.wording)
    } else {
      message = .failure(
        "\(found.count) of \(count) products \(found.count == 1 ? StyledText("is another product") : "are other products") now. Nothing was sent.",
        ko: "상품 \(count)개 중 \(found.count)개는 같은 번호의 다른 상품입니다. 아무것도 보내지 않았습니다."
      ).because(first: maximumNamed, of: found) { $0.wording }
    }
    throw CommandError(.blocked, message.next(next), code: .otherProduct)
  }
}
