import Catalog
import Language

/// A discount is never above the price (protocol.md B.4).
enum DiscountRule {
  static func broken(_ discount: Amount, _ price: Amount) -> Misread {
    Misread(
      Wording(
        "The discount \(discount) is above the price \(price); nothing was sent.",
        ko: "할인 \(discount), 가격 \(price)보다 커서 아무것도 보내지 않았습니다."),
      next: Wording(
        "\(.command("set limits server")) leaves the limits to the server.",
        ko: "\(.command("set limits server"), .subject) 한도를 서버에 맡깁니다."))
  }
}
