import Catalog
import Text

extension HelpTopic {
  static let wherePage = HelpPage(
    title: Wording("conditions that choose products", ko: "상품을 고르는 조건"),
    syntax: ["where", "FIELD", "OP", "VALUE", "[and|or", "FIELD OP VALUE...]"],
    sections: [
      HelpPage.Section(
        Wording("Operators", ko: "연산자"),
        [
          .init("=  !=", "equal, not equal", ko: "같음, 다름"),
          .init("<  <=  >  >=", "less, more; numbers as numbers, dates as dates", ko: "작음, 큼; 수는 수로, 날짜는 날짜로"),
          .init("~  !~", "contains, does not; whatever the case", ko: "들어 있음, 아님; 대소문자 구별 없이"),
          .init("in (a, b)", "one of these", ko: "이 가운데 하나"),
          .init("and  or  not  ( )", "joined, turned round, grouped", ko: "묶고 뒤집고 괄호로"),
        ]),
      HelpPage.Section(
        Wording("Examples", ko: "예"),
        [
          .init("stock=0", "sold out", ko: "품절"),
          .init("price>=10000 and price<20000", "from 10,000 to 20,000", ko: "만 원대"),
          .init("name~\"맥북\" or description~laptop", "either word", ko: "둘 중 하나가 든 것"),
          .init("currency in (USD, HKD) and not stock=0", "two currencies, in stock", ko: "두 통화, 재고 있음"),
          .init("created>=2022-01-18", "made on that day or later", ko: "그날부터 만든 것"),
          .init("vendor=me and discount>0", "your own with a discount", ko: "내 것 가운데 할인 중인 것"),
        ]),
    ],
    closing: Wording(
      "\(.command("ls where stock=0")) lists them, \(.command("patch where stock=0 stock+=10")) changes them.",
      ko: "\(.command("ls where stock=0"))으로 보고 \(.command("patch where stock=0 stock+=10"))으로 바꿉니다."))
}
