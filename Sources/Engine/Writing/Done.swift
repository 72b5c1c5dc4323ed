import Catalog
import Presentation
import Text

/// The words for a write that is done.
enum Done {
  static func message(_ change: Change, _ product: Product?) -> Message {
    switch change {
    case .create:
      guard let id = product?.id else { return .success("The product was made.", ko: "상품을 만들었습니다.") }
      return .success("Product \(id) was made.", ko: "\(id)번 상품을 만들었습니다.")
    case .edit(let product, _, _):
      return .success("Product \(product.id) was changed.", ko: "\(product.id)번 상품을 바꿨습니다.")
    case .delete(let product):
      return .success("Product \(product.id) was deleted.", ko: "\(product.id)번 상품을 지웠습니다.")
    }
  }

  /// The server said yes, and then it was not quite what was asked.
  static func warning(_ fields: [Field]) -> Message {
    let names = fields.map(\.rawValue).joined(separator: ", ")
    return .warning(
      "The server accepted it, but \(.field(names)) is not what was sent.",
      ko: "서버가 받았지만 \(.field(names), .subject) 보낸 것과 다릅니다.")
  }
}
