import Catalog
import Presentation
import Text

/// Names that mean nothing here: said by several commands, and at the start.
extension Failure {
  static func unknownProfile(_ name: String, of profiles: [String: Profile]) -> Failure {
    Failure(
      .misread,
      .failure("There is no profile \(.value(name)).", ko: "\(.value(name)) 프로필이 없습니다.")
        .next(
          "Profiles: \(profiles.keys.sorted().joined(separator: ", "))",
          ko: "프로필: \(profiles.keys.sorted().joined(separator: ", "))"))
  }

  /// A condition or a target asks for `me`, and nobody said who that is.
  static let unknownVendor = Failure(
    .heldBack,
    .failure("It is not known which vendor you are.", ko: "어느 판매자인지 알 수 없습니다.")
      .next("\(.command("login vendor_id=N")) says it.", ko: "\(.command("login vendor_id=N"))으로 알려 주세요."))

  init(_ list: EndlessList) {
    let number = HumanNumber.grouped(list.page)
    self.init(
      .refused,
      .failure("The last page was not found.", ko: "마지막 쪽을 찾지 못했습니다.")
        .because("The server still has products on page \(number).", ko: "서버가 \(number)쪽에도 상품이 있다고 합니다.")
        .next("\(.command("ls all")) reads what there is.", ko: "\(.command("ls all"))로 있는 것을 모두 읽습니다."))
  }
}
