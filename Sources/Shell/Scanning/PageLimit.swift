import Catalog
import Language
import Presentation
import Text

/// How far a scan reads before it takes a list for one without an end.
///
/// A list grows while it is read, and the number of pages that a server tells first is seldom the last word: a tenth more,
/// and at least ten pages more, are read. Where the server tells nothing, there is a fixed number.
package struct PageLimit: Hashable, Sendable {
  /// Pages where the server does not tell how many there are.
  static let untold = 10_000
  /// No server is believed that tells more pages than this.
  static let mostBelieved = 100_000
  static let leastSlack = 10

  /// The last page that may be read.
  let page: Int
  /// What the server told when the scan began.
  let told: Int?

  /// - Parameters:
  ///   - first: the first page of the list.
  ///   - step: rows a page where the page itself does not tell.
  ///   - asked: what the person allows at least; nil leaves it to the list.
  init(_ first: Page, step: Int, asked: Int?) {
    told = PageLimit.told(first, step)
    let usual = told.map { $0 + max(PageLimit.leastSlack, $0 / 10) } ?? PageLimit.untold
    page = max(usual, asked ?? 0)
  }

  /// The pages by the server's word: its last page, or its total in pages; nil for a number that cannot be meant.
  private static func told(_ first: Page, _ step: Int) -> Int? {
    let size = max(1, first.size ?? step)
    guard let pages = first.last ?? first.total.map({ ($0 / size) + ($0 % size > 0 ? 1 : 0) }) else { return nil }
    return (1...mostBelieved).contains(pages) ? pages : nil
  }
}

extension Parameter {
  /// Of commands that read every page of the list.
  static let pages = Parameter(
    "pages", .option, .number(1...1_000_000_000),
    Wording("read up to so many pages of a list without an end", ko: "끝이 없는 목록은 이 쪽까지 읽기"))
}

/// A scan that was given up: the list went on past every page that there could be.
struct UnendingList: Error {
  let limit: PageLimit

  var message: Message {
    let page = HumanNumber.grouped(limit.page)
    let reason =
      limit.told.map {
        Wording(
          "The server told of \(HumanNumber.grouped($0)) \($0 == 1 ? "page" : "pages") at the start, and page \(page) still has products.",
          ko: "서버는 처음에 \(HumanNumber.grouped($0))쪽이라고 했는데 \(page)쪽에도 상품이 있습니다.")
      }
      ?? Wording(
        "The server does not tell how many pages there are, and page \(page) still has products.",
        ko: "서버가 몇 쪽인지 알려 주지 않고, \(page)쪽에도 상품이 있습니다.")
    return Message.failure("The list does not end; reading stopped.", ko: "목록이 끝나지 않아 읽기를 멈췄습니다.").because(reason)
      .next(
        "\(.command("pages N")) on the line reads up to page N.", ko: "줄에 \(.command("pages N"), .object) 쓰면 N쪽까지 읽습니다."
      )
  }
}
