import Catalog
import Presentation
import Scanning
import Text

extension ProductFilter {
  /// Says what the condition costs here, and what the edition has no word for.
  package func say(in context: Context, _ session: Session) {
    if searchesHere {
      context.say(
        .note("This edition's server does not search; filtered here.", ko: "이 판의 서버는 찾아 주지 않아 여기서 골랐습니다."), session)
    }
    if !askedOfDetails.isEmpty {
      let fields = askedOfDetails.map(\.rawValue).joined(separator: ", ")
      context.say(
        .note(
          "This edition's lists have no \(.field(fields)); each product is read.",
          ko: "이 판의 목록에는 \(.field(fields), .subject) 없어 상품을 하나씩 읽습니다."), session)
    }
    for code in unknownCurrencies {
      let known = Currency.documented.map(\.code).joined(separator: ", ")
      context.say(
        .warning(
          "\(.value(code)) is no currency that the market documents; perhaps no product has it.",
          ko: "\(.value(code), .topic) 시장 문서에 없는 통화라 맞는 상품이 없을 수 있습니다."
        ).next("There are \(known).", ko: "있는 것은 \(known)입니다."), session)
    }
    guard !untold.isEmpty else { return }
    let fields = untold.map(\.rawValue).joined(separator: ", ")
    context.say(
      .note(
        "This edition tells no \(.field(fields)); it is empty in every product.",
        ko: "이 판은 \(.field(fields), .object) 알려 주지 않아 모든 상품에서 비어 있습니다."), session)
  }
}
