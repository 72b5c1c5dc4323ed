import Catalog
import Text

extension HelpTopic {
  /// What is understood of other programs' spellings.
  static let habitsPage = HelpPage(
    title: LocalizedText("spellings of other programs that are understood", ko: "다른 프로그램의 표기로 입력해도 되는 것"),
    sections: [
      HelpPage.Section(
        LocalizedText("Lists", ko: "목록"),
        [
          .init("ls 2, ls mine", "ls page 2; your own products", ko: "ls page 2; 내 상품만"),
          .init("sort -price, order by price desc", "sort price desc", ko: "sort price desc와 같음"),
          .init("columns name price", "columns name,price", ko: "columns name,price와 같음"),
          .init("show Ukulele", "one match: shown; more: listed", ko: "하나면 상품을, 여럿이면 목록을 표시"),
        ]),
      HelpPage.Section(
        LocalizedText("Conditions", ko: "조건"),
        [
          .init("== && || <> AND OR", "= and or !=", ko: "= and or !=로 읽음"),
          .init("name like '%컵%'", "name~'컵'; also 'a%' and '_'", ko: "name~'컵'; 'a%'와 '_'도 가능"),
        ]),
      HelpPage.Section(
        LocalizedText("Changes, asked about as ever", ko: "변경(확인 질문은 같음)"),
        [
          .init("patch 138 132 …, @1 @2, @1-@3", "138,132; @1,@2; @1-3", ko: "138,132; @1,@2; @1-3"),
          .init("price 18500, price -= 10%", "price=18500, price-=10%", ko: "price=18500, price-=10%"),
          .init("price=₩18,500, 18,500원", "price=18500 where the product is in KRW", ko: "원화 상품이면 price=18500"),
          .init("profile add slow http://…", "profile add slow url=http://…", ko: "profile add slow url=http://… 와 같음"),
        ]),
      HelpPage.Section(
        LocalizedText("Commands", ko: "명령"),
        [
          .init(
            "\\q :q  \\?  \\d  \\x  \\e", "quit, help, help fields or show, show, edit",
            ko: "quit, help, help fields나 show, show, edit"),
          .init(
            "\\timing LINE, \\watch 5 LINE", "time, watch; \\watch alone repeats the line before",
            ko: "time, watch; \\watch만 쓰면 앞 줄을 되풀이"),
          .init("!!, dry !!", "the line before, unless it may write", ko: "앞의 줄(변경하는 줄은 제외)"),
          .init(
            "cat man find grep more dir env ping …", "show help search search next ls session health",
            ko: "순서대로 show help search search next ls session health"),
          .init("update remove add vim select …", "answered with the line as it is written here", ko: "여기서 쓰는 줄을 알려 줌"),
          .init("GET /path, https://…", "raw GET /path", ko: "raw GET /path"),
        ]),
    ],
    closing: LocalizedText(
      "Only where a line has no other meaning. \(.command("openmarket ls where stock=0")) runs a line from the system's shell.",
      ko: "줄에 다른 뜻이 없을 때만 적용됩니다. 시스템 셸에서는 \(.command("openmarket ls where stock=0"))처럼 바로 실행합니다."))
}
