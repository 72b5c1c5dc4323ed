import Catalog
import Presentation
import Text

/// A currency the API's document does not name may be meant; it is asked about.
struct UnknownCurrency {
  private let currency: Currency

  init(_ currency: Currency) { self.currency = currency }

  func admit(_ consent: Consent, _ session: Session, _ context: Context) async throws {
    if consent.yes || context.consent.yes { return }
    let known = Currency.documented.map(\.code).joined(separator: ", ")
    guard let asker = context.asker else {
      throw Failure(
        .heldBack,
        .failure(
          "Currency \(currency) is not one the API names; nothing was sent.",
          ko: "\(currency), API 문서에 없는 통화라 아무것도 보내지 않았습니다."
        )
        .because("It names \(known).", ko: "문서의 통화: \(known).")
        .next("If it is meant, add \(.command("yes")).", ko: "맞다면 \(.command("yes"))를 붙이세요."))
    }
    let question = Wording(
      "Currency \(currency) is not one of \(known). Use it? [y/N] ",
      ko: "통화 \(currency): 아는 통화는 \(known)입니다. 그대로 사용할까요? [y/N] ")
    guard let answer = await asker.answer(to: question[session.settings.tongue].plain), Confirmation.isYes(answer)
    else {
      throw Confirmation.declined
    }
  }
}
