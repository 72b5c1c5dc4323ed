import Catalog
import Text

extension HelpTopic {
  static let targetsPage = HelpPage(
    title: LocalizedText("which products a command means", ko: "대상 상품을 가리키는 법"),
    sections: [
      HelpPage.Section(
        LocalizedText("Targets", ko: "대상"),
        [
          .init("42", "product 42", ko: "42번 상품"),
          .init("42,43", "these two", ko: "이 두 상품"),
          .init("40-45", "all from 40 to 45", ko: "40번부터 45번까지"),
          .init("@3", "row 3 of the last listing", ko: "마지막 목록의 3행"),
          .init("@1-5", "its rows 1 to 5", ko: "마지막 목록의 1행부터 5행까지"),
          .init("@all", "all its rows", ko: "마지막 목록의 모든 행"),
          .init("_", "the last product shown, made or changed", ko: "마지막으로 보거나 등록하거나 변경한 상품"),
          .init("mine", "your own products", ko: "내 상품"),
          .init("$name", "what a variable holds", ko: "변수에 담긴 상품"),
          .init("where EXPR", "those a condition holds for", ko: "조건에 맞는 상품"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("show @3", "row 3 whole", ko: "3행 전체"),
          .init("patch 40-45 stock=0", "six products at once, after asking", ko: "여섯 상품을 한 번에, 확인한 뒤"),
          .init("rm @1,@4", "two rows, after asking", ko: "두 행을, 확인한 뒤"),
        ]),
    ],
    closing: LocalizedText(
      "What a target means is said, with id and name, before anything is written.",
      ko: "변경 전에 대상 상품을 번호와 이름으로 보여 줍니다."))

  static let wherePage = HelpPage(
    title: LocalizedText("conditions that choose products", ko: "상품을 고르는 조건"),
    syntax: ["where", "FIELD", "OP", "VALUE", "[and|or", "FIELD OP VALUE...]"],
    sections: [
      HelpPage.Section(
        LocalizedText("Operators", ko: "연산자"),
        [
          .init("=  !=", "equal, not equal", ko: "같음, 다름"),
          .init("<  <=  >  >=", "less, more; numbers as numbers, dates as dates", ko: "미만, 초과; 수는 수로, 날짜는 날짜로"),
          .init("~  !~", "contains, does not; whatever the case", ko: "포함, 포함하지 않음; 대소문자 구분 없이"),
          .init(
            "~/regex/  ~/regex/i", "a regular expression, as far as the next slash; i: whatever the case",
            ko: "다음 빗금까지가 정규식; i는 대소문자 구분 없이"),
          .init("in (a, b)", "one of these", ko: "이 중 하나"),
          .init("and  or  not  ( )", "joined, turned round, grouped", ko: "연결, 부정, 괄호"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("stock=0", "sold out", ko: "품절"),
          .init("price>=10000 and price<20000", "from 10,000 to 20,000", ko: "만 원대"),
          .init("name~\"맥북\" or description~laptop", "either word", ko: "둘 중 하나를 포함"),
          .init("currency in (USD, HKD) and not stock=0", "two currencies, in stock", ko: "두 통화, 재고 있음"),
          .init("created>=2022-01-18", "made on that day or later", ko: "그날 이후 등록한 상품"),
          .init("vendor=me and discount>0", "your own with a discount", ko: "할인 중인 내 상품"),
          .init("sale<price*0.5", "less than half the price to pay", ko: "반값보다 싼 상품"),
          .init(
            "len(name)>40 or modified>created", "long names, or changed since they were made", ko: "이름이 길거나 등록 후 수정한 상품"
          ),
          .init(
            "created>=today-7d and modified<30d", "made in the last week, changed within 30 days; days are UTC's",
            ko: "7일 안에 등록하고 30일 안에 수정한 상품; 날짜는 UTC"),
          .init(
            "created>=monday or created=2022-06", "since the last Monday, or in June 2022",
            ko: "지난 월요일부터, 또는 2022년 6월에 등록한 상품"
          ),
          .init("name~/^맥북|세트 북$/", "by a regular expression", ko: "정규식으로"),
          .init("재고<5 and 정가>1e4", "headings of tables are names as well", ko: "표의 제목도 필드 이름"),
        ]),
    ],
    closing: LocalizedText(
      "\(.command("ls where stock=0")) lists them, \(.command("patch where stock=0 stock+=10")) changes them.",
      ko: "\(.command("ls where stock=0"))으로 보고 \(.command("patch where stock=0 stock+=10"))으로 바꿉니다."))

  static let fieldsPage = HelpPage(
    title: LocalizedText("what is known of a product", ko: "상품의 필드"),
    sections: [
      HelpPage.Section(
        LocalizedText("Fields", ko: "필드"), Field.allCases.map { HelpPage.Row($0.rawValue, FieldSummary.of($0)) })
    ],
    closing: LocalizedText(
      "The same in every edition; one that an edition lacks shows \(.value("-")). Each edition's own names work too.",
      ko: "어느 버전에서나 같습니다. 버전에 없는 필드는 \(.value("-"))로 표시합니다. 각 버전의 고유 이름도 쓸 수 있습니다."))

  static let assignmentsPage = HelpPage(
    title: LocalizedText("new values for fields", ko: "필드에 새 값을 지정하는 법"),
    sections: [
      HelpPage.Section(
        LocalizedText("Assignments", ko: "지정"),
        [
          .init("price=12000", "the value itself", ko: "값 그대로"),
          .init("stock+=5", "also -= and *=", ko: "-=, *=도 됩니다"),
          .init("price-=10%", "by a part of what it is", ko: "현재 값의 비율만큼"),
          .init(
            "price=round(price*1.1, 100)", "computed; also min max len, + - * /", ko: "계산; min max len, + - * /도 가능"),
          .init("discount=10%", "of the price as it will be", ko: "(새) 정가의 10%"),
          .init("sale=price*0.9", "what a buyer pays: sets the discount", ko: "판매가; 할인이 정해짐"),
          .init("round 100", "results of arithmetic to that step, half to even", ko: "계산 결과를 그 단위로, 딱 절반이면 짝수로"),
          .init("round 100 half up", "the same, half up", ko: "같지만 딱 절반이면 올림"),
          .init(
            "name~s/컵/머그/", "a word in a name for another; g: each, i: whatever the case",
            ko: "이름 속 단어 바꾸기; g는 모두, i는 대소문자 무시"),
          .init("name=\"새 이름\"", "words with spaces stand in quotes", ko: "공백이 있으면 따옴표로"),
          .init("description=@note.txt", "the text of a file", ko: "파일의 내용"),
          .init("thumbnail=2", "the second picture stands for the product", ko: "두 번째 사진을 대표로"),
        ]),
      HelpPage.Section(
        LocalizedText("Limits, checked before anything is sent", ko: "보내기 전에 확인하는 한도"),
        [
          .init("name", "3 to 100 characters", ko: "3~100자"),
          .init("description", "10 to 1000 characters", ko: "10~1000자"),
          .init("images", "1 to 5 pictures, under 300 KB each", ko: "1~5장, 각각 300 KB 아래"),
          .init("price", "0 or more, up to 2 decimals", ko: "0 이상, 소수 둘째 자리까지"),
          .init("discount", "not above the price", ko: "정가보다 크지 않게"),
        ]),
    ],
    closing: LocalizedText(
      "\(.command("set limits server")) leaves the limits to the server.",
      ko: "\(.command("set limits server"))로 서버에 맡깁니다."))

  static let prefixesPage = HelpPage(
    title: LocalizedText("words in front of any command", ko: "명령 앞에 붙이는 접두어"),
    sections: [
      HelpPage.Section(
        LocalizedText("Prefixes", ko: "접두어"),
        [
          .init("dry", "say what would be written, and write nothing", ko: "변경할 내용만 보여 주고 보내지 않음"),
          .init("curl", "print the requests as curl commands instead", ko: "보내는 대신 curl 명령으로 표시"),
          .init(
            "swift", "print the requests as URLSession code, with types of the answer",
            ko: "보내는 대신 URLSession 코드와 응답 타입으로 표시"),
          .init("time", "where the time went: name, connect, TLS, first byte, body", ko: "구간별 소요 시간"),
          .init("trace", "the exchange itself, secrets masked", ko: "요청과 응답 그대로, 시크릿은 가림"),
          .init("watch SECONDS", "again and again; prints what changed", ko: "반복 실행하며 바뀐 것을 표시"),
          .init("until EXPR", "ends a watch once it holds", ko: "조건이 맞으면 watch를 끝냄"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("dry patch mine price-=10%", "the plan alone", ko: "계획만"),
          .init("swift show 42", "to begin a program with", ko: "프로그램의 시작으로"),
          .init("curl patch 42 price=3500", "to paste elsewhere", ko: "다른 곳에 붙여 넣기"),
          .init("time ls page 2", "one page, timed", ko: "한 페이지의 소요 시간"),
          .init("watch 5 show 42 stock until stock=0", "every five seconds", ko: "5초마다"),
        ]),
    ],
    closing: LocalizedText(
      "They may stand together: \(.command("time trace ls")).",
      ko: "함께 쓸 수 있습니다: \(.command("time trace ls"))."))
}

extension HelpTopic {
  /// The page about the supported notations of other programs.
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
