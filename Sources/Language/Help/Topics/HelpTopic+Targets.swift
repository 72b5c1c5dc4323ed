import Catalog
import Text

extension HelpTopic {
  static let targetsPage = HelpPage(
    title: Wording("which products a command means", ko: "어느 상품을 가리키는지"),
    sections: [
      HelpPage.Section(
        Wording("Targets", ko: "대상"),
        [
          .init("42", "product 42", ko: "42번 상품"),
          .init("42,43", "these two", ko: "이 둘"),
          .init("40-45", "all from 40 to 45", ko: "40번부터 45번까지"),
          .init("@3", "row 3 of the last listing", ko: "마지막 목록의 3행"),
          .init("@1-5", "its rows 1 to 5", ko: "마지막 목록의 1행부터 5행까지"),
          .init("@all", "all its rows", ko: "마지막 목록의 모든 줄"),
          .init("_", "the last product shown, made or changed", ko: "마지막으로 보거나 만들거나 고친 상품"),
          .init("mine", "your own products", ko: "내 상품"),
          .init("$name", "what a variable holds", ko: "변수에 든 것"),
          .init("where EXPR", "those a condition holds for", ko: "조건에 맞는 상품"),
        ]),
      HelpPage.Section(
        Wording("Examples", ko: "예"),
        [
          .init("show @3", "row 3 whole", ko: "3행 전체"),
          .init("patch 40-45 stock=0", "six products at once, after asking", ko: "여섯 상품을 한 번에, 물어본 뒤"),
          .init("rm @1,@4", "two rows, after asking", ko: "두 행을, 물어본 뒤"),
        ]),
    ],
    closing: Wording(
      "What a target means is said, with id and name, before anything is written.",
      ko: "쓰기 전에 대상이 무엇인지 번호와 이름으로 보여 줍니다."))
}
