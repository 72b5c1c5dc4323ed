import Catalog
import Platform
import Presentation
import Scanning
import Text

/// Names that mean nothing here: said by several commands, and at the start.
extension Failure {
  package static func unknownProfile(_ name: String, of profiles: some Sequence<String>) -> Failure {
    Failure(
      .misread,
      .failure("There is no profile \(.value(name)).", ko: "\(.value(name)) 프로필이 없습니다.")
        .next(
          "Profiles: \(profiles.sorted().joined(separator: ", "))",
          ko: "프로필: \(profiles.sorted().joined(separator: ", "))"))
  }

  /// A condition or a target asks for `me`, and nobody said who that is.
  package static let unknownVendor = Failure(
    .heldBack,
    .failure("It is not known which vendor you are.", ko: "어느 판매자인지 알 수 없습니다.")
      .next("\(.command("login vendor_id=N")) says it.", ko: "\(.command("login vendor_id=N"))으로 알려 주세요."))

  package init(_ list: EndlessList) {
    let number = HumanNumber.grouped(list.page)
    self.init(
      .refused,
      .failure("The last page was not found.", ko: "마지막 쪽을 찾지 못했습니다.")
        .because("The server still has products on page \(number).", ko: "서버가 \(number)쪽에도 상품이 있다고 합니다.")
        .next("\(.command("ls all")) reads what there is.", ko: "\(.command("ls all"))로 있는 것을 모두 읽습니다."))
  }

  package init(_ list: UnendingList) {
    let page = HumanNumber.grouped(list.limit.page)
    let reason =
      list.limit.told.map {
        Wording(
          "The server told of \(HumanNumber.grouped($0)) \($0 == 1 ? "page" : "pages") at the start, and page \(page) still has products.",
          ko: "서버는 처음에 \(HumanNumber.grouped($0))쪽이라고 했는데 \(page)쪽에도 상품이 있습니다.")
      }
      ?? Wording(
        "The server does not tell how many pages there are, and page \(page) still has products.",
        ko: "서버가 몇 쪽인지 알려 주지 않고, \(page)쪽에도 상품이 있습니다.")
    self.init(
      .refused,
      Message.failure("The list does not end; reading stopped.", ko: "목록이 끝나지 않아 읽기를 멈췄습니다.").because(reason)
        .next(
          "\(.command("pages N")) on the line reads up to page N.",
          ko: "줄에 \(.command("pages N"), .object) 쓰면 N쪽까지 읽습니다."
        ))
  }
}
