import Catalog
import Presentation
import Text

/// A list with rows on every page that was asked for, further than any market goes: its last page cannot be found.
struct EndlessList: Error {
  /// The furthest page that was read.
  let page: Int

  var message: Message {
    let number = HumanNumber.grouped(page)
    return .failure("The last page was not found.", ko: "마지막 쪽을 찾지 못했습니다.")
      .because("The server still has products on page \(number).", ko: "서버가 \(number)쪽에도 상품이 있다고 합니다.")
      .next("\(.command("ls all")) reads what there is.", ko: "\(.command("ls all"))로 있는 것을 모두 읽습니다.")
  }
}
