import Foundation
import Platform
import Presentation
import ShellRuntime
import Text

/// The check that a plan is applied to the market and by the vendor for which it was decided.
package struct DestinationCheck {
  private let planned: PlanFile.Destination

  package init(_ planned: PlanFile.Destination) { self.planned = planned }

  /// Checks a plan file against the current destination.
  ///
  /// - Throws: `CommandError` that names every difference; nothing was sent.
  package func check(_ here: PlanFile.Destination, named path: String) throws(CommandError) {
    guard planned != here else { return }
    var message = Message.failure(
      "The plan \(.value(path)) was made for another server or profile. Nothing was sent.",
      ko: "\(.value(path), .topic) 다른 서버나 프로필용 계획입니다. 아무것도 보내지 않았습니다.")
    for (what, theirs, ours) in sides(here) where theirs != ours {
      message = message.because(
        "Its \(what.english) is \(.foreign(theirs)), but yours is \(.foreign(ours)).",
        ko: "\(what.korean): 계획 파일은 \(.foreign(theirs)), 현재는 \(.foreign(ours)).")
    }
    if planned.vendor == here.vendor, planned.login != here.login {
      message = message.because("It was made as another vendor.", ko: "다른 로그인의 계획입니다.")
    }
    throw CommandError(.blocked, message, code: .otherDestination)
  }

  /// Returns the parts of a destination, as the plan contains them and as they are here.
  private func sides(_ here: PlanFile.Destination) -> [((english: String, korean: String), String, String)] {
    [
      (("profile", "프로필"), planned.profile, here.profile), (("URL", "주소"), planned.baseURL, here.baseURL),
      (("vendor", "판매자"), number(planned.vendor), number(here.vendor)),
    ]
  }

  private func number(_ vendor: Int?) -> String { vendor.map { String($0) } ?? "-" }
}
