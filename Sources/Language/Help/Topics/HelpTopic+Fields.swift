import Catalog
import Text

extension HelpTopic {
  static let fieldsPage = HelpPage(
    title: Wording("what is known of a product", ko: "상품에 대해 아는 것"),
    sections: [
      HelpPage.Section(
        Wording("Fields", ko: "필드"), Field.allCases.map { HelpPage.Row($0.rawValue, FieldSummary.of($0)) })
    ],
    closing: Wording(
      "The same in every edition; one that an edition lacks shows \(.value("-")). Each edition's own names work too.",
      ko: "어느 판에서나 같습니다. 판에 없는 것은 \(.value("-"))로 보입니다. 판마다 쓰는 이름도 통합니다."))

  static let assignmentsPage = HelpPage(
    title: Wording("new values for fields", ko: "필드에 새 값을 넣는 법"),
    sections: [
      HelpPage.Section(
        Wording("Assignments", ko: "넣기"),
        [
          .init("price=12000", "the value itself", ko: "값 그대로"),
          .init("stock+=5", "also -= and *=", ko: "-=, *=도 됩니다"),
          .init("price-=10%", "by a part of what it is", ko: "지금 값의 몫만큼"),
          .init("round 100", "results of arithmetic to that step, half to even", ko: "셈한 값을 그 단위로, 절반은 짝수로"),
          .init("name=\"새 이름\"", "words with spaces stand in quotes", ko: "빈칸이 있으면 따옴표로"),
          .init("description=@note.txt", "the text of a file", ko: "파일의 글"),
          .init("thumbnail=2", "the second picture stands for the product", ko: "두 번째 사진을 대표로"),
        ]),
      HelpPage.Section(
        Wording("Limits, checked before anything is sent", ko: "보내기 전에 확인하는 한도"),
        [
          .init("name", "3 to 100 characters", ko: "3~100자"),
          .init("description", "10 to 1000 characters", ko: "10~1000자"),
          .init("images", "1 to 5 pictures, under 300 KB each", ko: "1~5장, 각각 300 KB 아래"),
          .init("price", "0 or more, up to 2 decimals", ko: "0 이상, 소수 둘째 자리까지"),
          .init("discount", "not above the price", ko: "정가보다 크지 않게"),
        ]),
    ],
    closing: Wording(
      "\(.command("set limits server")) leaves the limits to the server.",
      ko: "\(.command("set limits server"))로 서버에 맡깁니다."))
}
