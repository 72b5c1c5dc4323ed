import Catalog
import Text

extension HelpTopic {
  static let targetsPage = HelpPage(
    title: LocalizedText("choosing products", ko: "대상 상품 지정 방법"),
    sections: [
      HelpPage.Section(
        LocalizedText("Targets", ko: "대상"),
        [
          .init("42", "product 42", ko: "42번 상품"),
          .init("42,43", "products 42 and 43", ko: "이 두 상품"),
          .init("40-45", "products 40 to 45", ko: "40번부터 45번까지"),
          .init("@3", "row 3 of the last list", ko: "마지막 목록의 3행"),
          .init("@1-5", "rows 1 to 5 of the last list", ko: "마지막 목록의 1행부터 5행까지"),
          .init("@all", "all rows of the last list", ko: "마지막 목록의 모든 행"),
          .init("_", "the last product shown, created or updated", ko: "마지막으로 보거나 등록하거나 변경한 상품"),
          .init("mine", "all your products", ko: "내 상품"),
          .init("$name", "the product in a variable", ko: "변수에 담긴 상품"),
          .init("where EXPR", "all products that match", ko: "조건에 맞는 상품"),
          .init("mine stock<5", "your products that match", ko: "내 상품 중 조건에 맞는 것"),
          .init(
            "mine search cup", inKorean: "mine search 컵", "your products with cup in the name", ko: "이름에 컵이 들어간 내 상품"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("show @3", "shows the product in row 3", ko: "3행 전체"),
          .init("patch 40-45 stock=0", "changes six products after asking", ko: "여섯 상품을 한 번에, 확인한 뒤"),
          .init("rm @1,@4", "deletes two products after asking", ko: "두 행을, 확인한 뒤"),
        ]),
    ],
    closing: LocalizedText(
      "Every change is shown with product numbers and names before it is applied.",
      ko: "변경 전에 대상 상품을 번호와 이름으로 보여 줍니다."))

  static let wherePage = HelpPage(
    title: LocalizedText("choosing products with conditions", ko: "상품을 고르는 조건"),
    usage: ["where FIELD OP VALUE [and|or FIELD OP VALUE...]"],
    sections: [
      HelpPage.Section(
        LocalizedText("Operators", ko: "연산자"),
        [
          .init("=  !=", "equal, not equal", ko: "같음, 다름"),
          .init("<  <=  >  >=", "less than, greater than (numbers and dates)", ko: "미만, 초과; 수는 수로, 날짜는 날짜로"),
          .init("~  !~", "contains, does not contain (case-insensitive)", ko: "포함, 포함하지 않음; 대소문자 구분 없이"),
          .init(
            "~/regex/  ~/regex/i", "matches a regular expression up to the next slash (with i: case-insensitive)",
            ko: "다음 빗금(/)까지의 정규식과 일치(i는 대소문자 구분 없음)"),
          .init("in (a, b)", "one of several values", ko: "이 중 하나"),
          .init("and  or  not  ( )", "combine, negate, group", ko: "연결, 부정, 괄호"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("stock=0", "sold out", ko: "품절"),
          .init("price>=10000 and price<20000", "price from 10,000 to 19,999", ko: "만 원대"),
          .init(
            "name~\"tea cup\" or description~mug", inKorean: "name~\"맥북\" or description~laptop", "one of two words",
            ko: "둘 중 하나를 포함"),
          .init("currency in (USD, HKD) and not stock=0", "in stock, in two currencies", ko: "두 통화, 재고 있음"),
          .init("created>=2022-01-18", "created on or after a day", ko: "그날 이후 등록한 상품"),
          .init("vendor=me and discount>0", "your discounted products", ko: "할인 중인 내 상품"),
          .init("sale<price*0.5", "more than half off", ko: "반값보다 싼 상품"),
          .init(
            "len(name)>40 or modified>created", "long names, or changed after creation", ko: "이름이 길거나 등록 후 수정한 상품"
          ),
          .init(
            "created>=today-7d and modified<30d", "created within 7 days and changed within 30 days (UTC)",
            ko: "7일 안에 등록하고 30일 안에 수정한 상품; 날짜는 UTC"),
          .init(
            "created>=monday or created=2022-06", "since last Monday, or in June 2022",
            ko: "지난 월요일부터, 또는 2022년 6월에 등록한 상품"),
          .init("name~/^Cup|Sand$/", inKorean: "name~/^맥북|세트 북$/", "matches a regular expression", ko: "정규식으로"),
          // Headings of tables are in Korean.
          .init("재고<5 and 정가>1e4", "table headings also work as field names", ko: "표의 제목도 필드 이름으로 사용 가능"),
        ]),
    ],
    closing: LocalizedText(
      "Try a condition with \(.command("ls where stock=0")), then change the products with \(.command("patch where stock=0 stock+=10")).",
      ko: "\(.command("ls where stock=0"))으로 확인한 다음 \(.command("patch where stock=0 stock+=10"))으로 수정하세요."))

  static let fieldsPage = HelpPage(
    title: LocalizedText("fields of a product", ko: "상품의 필드"),
    sections: [
      HelpPage.Section(
        LocalizedText("Fields", ko: "필드"), ProductField.allCases.map { HelpPage.Row($0.rawValue, FieldSummary.of($0)) }),
      HelpPage.Section(
        LocalizedText("Names in the JSON of a server", ko: "서버 JSON의 이름"),
        ProductField.allCases.compactMap { field in
          let names = FieldNameTable.editionIndependent.aliases.filter { $0.value == field }.keys.sorted()
          return names.isEmpty
            ? nil : HelpPage.Row(field.rawValue, LocalizedText(same: "\(names.joined(separator: ", "))"))
        } + [
          HelpPage.Row(
            "discounted_price", "the discount in training and open, the sale price in camp1 and camp2",
            ko: "training과 open에서는 할인, camp1과 camp2에서는 판매가")
        ]),
    ],
    closing: LocalizedText(
      "The names are the same in every edition. Fields an edition does not have are shown as \(.value("-")). Each edition's own names also work. \(.command("show 42 as server")) shows a product as the server sends it, \(.command("api read")) the names beside each other.",
      ko:
        "이름은 모든 API 버전에서 같습니다. 없는 필드는 \(.value("-"))로 표시합니다. API 버전마다의 고유 이름도 쓸 수 있습니다. 서버가 보낸 그대로는 \(.command("show 42 as server"), .toward), 두 이름은 \(.command("api read"), .toward) 볼 수 있습니다."
    ))

  static let assignmentsPage = HelpPage(
    title: LocalizedText("setting field values", ko: "값 지정 방법"),
    sections: [
      HelpPage.Section(
        LocalizedText("Values", ko: "값 지정"),
        [
          .init("price=12000", "sets a value", ko: "값 그대로"),
          .init("stock+=5", "adds; also -= and *=", ko: "-=, *=도 됩니다"),
          .init("price-=10%", "changes by a percentage", ko: "현재 값의 비율만큼"),
          .init(
            "price=round(price*1.1, 100)", "calculates; also min, max, len and + - * /",
            ko: "계산; min max len, + - * /도 가능"),
          .init("discount=10%", "10% of the (new) price", ko: "(새) 정가의 10%"),
          .init("sale=price*0.9", "sets what buyers pay by setting the discount", ko: "판매가; 할인이 정해짐"),
          .init(
            "round 100", "rounds calculated values to a step (middle values to even)", ko: "계산 결과를 그 단위로, 딱 절반이면 짝수로"),
          .init("round 100 half up", "the same, but middle values up", ko: "같지만 딱 절반이면 올림"),
          .init(
            "name~s/cup/mug/", inKorean: "name~s/컵/머그/",
            "replaces text in the name (g: all matches, i: case-insensitive)",
            ko: "이름 속 단어 바꾸기; g는 모두, i는 대소문자 무시"),
          .init("name=\"Tea cup\"", inKorean: "name=\"새 이름\"", "quote text that contains spaces", ko: "공백이 있으면 따옴표로"),
          .init("description=@note.txt", "reads the value from a file", ko: "파일의 내용"),
          .init("thumbnail=2", "uses the second image as thumbnail", ko: "두 번째 사진을 대표로"),
        ]),
      HelpPage.Section(
        LocalizedText("Limits (checked before sending)", ko: "보내기 전에 확인하는 한도"),
        [
          .init("name", "3 to 100 characters", ko: "3~100자"),
          .init("description", "10 to 1000 characters", ko: "10~1000자"),
          .init("images", "1 to 5 images, under 300 KB each", ko: "1~5장, 각각 300 KB 아래"),
          .init("price", "0 or more, up to 2 decimals", ko: "0 이상, 소수 둘째 자리까지"),
          .init("discount", "not higher than the price", ko: "정가보다 크지 않게"),
        ]),
    ],
    closing: LocalizedText(
      "To leave the limits to the server, run \(.command("set limits server")).",
      ko: "한도를 서버에 맡기려면 \(.command("set limits server"), .object) 실행하세요."))

  static let prefixesPage = HelpPage(
    title: LocalizedText("words before a command that change how it runs", ko: "명령 앞에 붙이는 접두어"),
    sections: [
      HelpPage.Section(
        LocalizedText("Prefixes", ko: "접두어"),
        [
          .init("dry", "show what would be sent, without sending it", ko: "변경할 내용만 보여 주고 보내지 않음"),
          .init("curl", "print the requests as curl commands instead of sending them", ko: "보내는 대신 curl 명령으로 표시"),
          .init(
            "swift", "print the requests as Swift code (URLSession) with types for the response",
            ko: "보내는 대신 URLSession 코드와 응답 타입으로 표시"),
          .init("time", "show how long DNS, connect, TLS, first byte and body took", ko: "구간별 소요 시간"),
          .init("trace", "show requests and responses, with secrets masked", ko: "요청과 응답 그대로, 시크릿은 가림"),
          .init(
            "watch SECONDS", "repeat the command every SECONDS seconds and print what changed", ko: "반복 실행하며 바뀐 것을 표시"),
          .init("until EXPR", "stop watching when the condition is met", ko: "조건이 맞으면 watch를 끝냄"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("dry patch mine price-=10%", "shows the plan only", ko: "계획만"),
          .init("swift show 42", "as a start for a Swift program", ko: "프로그램의 시작으로"),
          .init("swift model", "all types of the API, a client and preview data", ko: "API의 모든 타입, 클라이언트, 미리보기 데이터"),
          .init("curl patch 42 price=3500", "to paste into a terminal", ko: "다른 곳에 붙여 넣기"),
          .init("time ls page 2", "times one request", ko: "한 페이지의 소요 시간"),
          .init("watch 5 show 42 stock until stock=0", "repeats every five seconds", ko: "5초마다"),
        ]),
    ],
    closing: LocalizedText(
      "Prefixes can be combined: \(.command("time trace ls")).",
      ko: "접두어는 함께 쓸 수 있습니다: \(.command("time trace ls"))."))
}

extension HelpTopic {
  /// The page about the supported notations of other programs.
  static let habitsPage = HelpPage(
    title: LocalizedText("syntax from other programs that also works", ko: "다른 프로그램의 문법 중 쓸 수 있는 것"),
    sections: [
      HelpPage.Section(
        LocalizedText("Lists", ko: "목록"),
        [
          .init("ls 2, ls mine", "ls page 2; your own products", ko: "ls page 2; 내 상품만"),
          .init("show 42 json, json 42", "becomes show 42 as json", ko: "실행되는 명령: show 42 as json"),
          .init("sort -price, order by price desc", "becomes sort price desc", ko: "실행되는 명령: sort price desc"),
          .init("columns name price", "becomes columns name,price", ko: "실행되는 명령: columns name,price"),
          .init("show Ukulele", "one match shows the product, several show a list", ko: "하나면 상품을, 여럿이면 목록을 표시"),
        ]),
      HelpPage.Section(
        LocalizedText("Conditions", ko: "조건"),
        [
          .init("== && || <> AND OR", "=, and, or, !=", ko: "= and or !=로 읽음"),
          .init(
            "name like '%cup%'", inKorean: "name like '%컵%'", "name~'cup'; 'a%' and '_' also work",
            ko: "name~'컵'; 'a%'와 '_'도 가능"),
        ]),
      HelpPage.Section(
        LocalizedText("Changes (confirmed as usual)", ko: "변경(확인 질문은 같음)"),
        [
          .init("patch 138 132 …, @1 @2, @1-@3", "138,132; @1,@2; @1-3", ko: "138,132; @1,@2; @1-3"),
          .init(
            "patch mine where stock=0 …", "becomes where vendor=me and stock=0",
            ko: "실행되는 명령: where vendor=me and stock=0"),
          .init(
            "sale mine 10% next week", "becomes from next-week to next-week", ko: "실행되는 명령: from next-week to next-week"
          ),
          .init("price 18500, price -= 10%", "price=18500, price-=10%", ko: "price=18500, price-=10%"),
          // The signs of won are Korean.
          .init("price=₩18,500, 18,500원", "price=18500, if the currency is KRW", ko: "원화 상품이면 price=18500"),
          .init(
            "profile add slow http://…", "becomes profile add slow url=http://…",
            ko: "실행되는 명령: profile add slow url=http://…"),
        ]),
      HelpPage.Section(
        LocalizedText("Commands", ko: "명령"),
        [
          .init(
            "\\q :q  \\?  \\d  \\x  \\e", "quit, help, help fields or show, show, edit",
            ko: "quit, help, help fields 또는 show, show, edit"),
          .init(
            "\\timing LINE, \\watch 5 LINE", "time, watch; \\watch alone repeats the previous line",
            ko: "time, watch; \\watch만 쓰면 앞 명령을 반복"),
          .init("!!, dry !!", "the previous line, unless it changes products", ko: "앞의 명령(변경 명령 제외)"),
          .init(
            "view man find grep cls …", "show, help, search, search, clear (in this order)",
            ko: "순서대로 show, help, search, search, clear"),
          .init(
            "update remove add vim select …", "shows the openmarket command to use instead",
            ko: "대신 쓸 openmarket 명령을 표시"),
          .init("GET /path, https://…", "raw GET /path", ko: "raw GET /path"),
        ]),
    ],
    closing: LocalizedText(
      "Applies only if the line has no other meaning. From your system shell, run a single line with \(.command("openmarket ls where stock=0")).",
      ko: "줄에 다른 뜻이 없을 때만 적용됩니다. 시스템 셸에서는 \(.command("openmarket ls where stock=0"))처럼 실행할 수 있습니다."))
}
