import Catalog
import Presentation

/// A plan is made where it was decided, by whom it was decided, or not at all.
struct PlanBinding {
  private let planned: PlanFile.Place

  init(_ planned: PlanFile.Place) { self.planned = planned }

  func check(_ here: PlanFile.Place, named path: String) throws(Failure) {
    guard planned != here else { return }
    var message = Message.failure(
      "\(.value(path)) was planned for another place; nothing was sent.",
      ko: "\(.value(path)), 다른 곳을 위한 계획이라 아무것도 보내지 않았습니다.")
    if planned.profile != here.profile {
      message = message.because(
        "It is for profile \(.foreign(planned.profile)); this is \(here.profile).",
        ko: "프로필 \(.foreign(planned.profile))의 계획인데 여기는 \(here.profile)입니다.")
    }
    if planned.baseURL != here.baseURL {
      message = message.because(
        "It is for \(.foreign(planned.baseURL)); this is \(here.baseURL).",
        ko: "\(.foreign(planned.baseURL))의 계획인데 여기는 \(here.baseURL)입니다.")
    }
    if planned.vendor != here.vendor {
      message = message.because(
        "It is for vendor \(number(planned.vendor)); you are \(number(here.vendor)).",
        ko: "\(number(planned.vendor))번 판매자의 계획인데 당신은 \(number(here.vendor))번입니다.")
    } else if planned.login != here.login {
      message = message.because("It is for another login.", ko: "다른 로그인의 계획입니다.")
    }
    throw Failure(.heldBack, message)
  }

  private func number(_ vendor: Int?) -> String { vendor.map { String($0) } ?? "-" }
}
