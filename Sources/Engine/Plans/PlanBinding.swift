import Catalog
import Platform
import Presentation
import Text

/// A plan is made where it was decided, by whom it was decided, or not at all.
package struct PlanBinding {
  private let planned: PlanFile.Place

  package init(_ planned: PlanFile.Place) { self.planned = planned }

  package func check(_ here: PlanFile.Place, named path: String) throws(Failure) {
    guard planned != here else { return }
    var message = Message.failure(
      "\(.value(path)) was planned for another place; nothing was sent.",
      ko: "\(.value(path)), 다른 곳을 위한 계획이라 아무것도 보내지 않았습니다.")
    for (what, theirs, ours) in sides(here) where theirs != ours {
      message = message.because(
        "Its \(what.english) is \(.foreign(theirs)); here it is \(.foreign(ours)).",
        ko: "\(what.korean): 계획에는 \(.foreign(theirs)), 여기는 \(.foreign(ours)).")
    }
    if planned.vendor == here.vendor, planned.login != here.login {
      message = message.because("It is for another login.", ko: "다른 로그인의 계획입니다.")
    }
    throw Failure(.heldBack, message)
  }

  /// What a place is known by, as the plan has it and as it is here.
  private func sides(_ here: PlanFile.Place) -> [((english: String, korean: String), String, String)] {
    [
      (("profile", "프로필"), planned.profile, here.profile), (("address", "주소"), planned.baseURL, here.baseURL),
      (("vendor", "판매자"), number(planned.vendor), number(here.vendor)),
    ]
  }

  private func number(_ vendor: Int?) -> String { vendor.map { String($0) } ?? "-" }
}
