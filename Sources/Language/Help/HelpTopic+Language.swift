import Catalog
import Text

extension HelpTopic {
  static let targetsPage = HelpPage(
    title: LocalizedText("which products a command means", ko: "어느 상품을 가리키는지"),
    sections: [
      HelpPage.Section(
        LocalizedText("Targets", ko: "대상"),
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
        LocalizedText("Examples", ko: "예"),
        [
          .init("show @3", "row 3 whole", ko: "3행 전체"),
          .init("patch 40-45 stock=0", "six products at once, after asking", ko: "여섯 상품을 한 번에, 물어본 뒤"),
          .init("rm @1,@4", "two rows, after asking", ko: "두 행을, 물어본 뒤"),
        ]),
    ],
    closing: LocalizedText(
      "What a target means is said, with id and name, before anything is written.",
      ko: "쓰기 전에 대상이 무엇인지 번호와 이름으로 보여 줍니다."))

  static let wherePage = HelpPage(
    title: LocalizedText("conditions that choose products", ko: "상품을 고르는 조건"),
    syntax: ["where", "FIELD", "OP", "VALUE", "[and|or", "FIELD OP VALUE...]"],
    sections: [
      HelpPage.Section(
        LocalizedText("Operators", ko: "연산자"),
        [
          .init("=  !=", "equal, not equal", ko: "같음, 다름"),
          .init("<  <=  >  >=", "less, more; numbers as numbers, dates as dates", ko: "작음, 큼; 수는 수로, 날짜는 날짜로"),
          .init("~  !~", "contains, does not; whatever the case", ko: "들어 있음, 아님; 대소문자 구별 없이"),
          .init("~/regex/  ~/regex/i", "a regular expression; i: whatever the case", ko: "정규식; i는 대소문자 구별 없이"),
          .init("in (a, b)", "one of these", ko: "이 가운데 하나"),
          .init("and  or  not  ( )", "joined, turned round, grouped", ko: "묶고 뒤집고 괄호로"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("stock=0", "sold out", ko: "품절"),
          .init("price>=10000 and price<20000", "from 10,000 to 20,000", ko: "만 원대"),
          .init("name~\"맥북\" or description~laptop", "either word", ko: "둘 중 하나가 든 것"),
          .init("currency in (USD, HKD) and not stock=0", "two currencies, in stock", ko: "두 통화, 재고 있음"),
          .init("created>=2022-01-18", "made on that day or later", ko: "그날부터 만든 것"),
          .init("vendor=me and discount>0", "your own with a discount", ko: "내 것 가운데 할인 중인 것"),
          .init("sale<price*0.5", "less than half the price to pay", ko: "반값보다 싼 것"),
          .init(
            "len(name)>40 or modified>created", "long names, or changed since they were made", ko: "이름이 길거나 만든 뒤 바뀐 것"),
          .init(
            "created>=today-7d and modified<30d", "made in the last week, changed within 30 days; days are UTC's",
            ko: "이레 안에 만들고 30일 안에 바뀐 것; 날짜는 UTC"),
          .init("name~/^맥북.*세트$/", "by a regular expression", ko: "정규식으로"),
        ]),
    ],
    closing: LocalizedText(
      "\(.command("ls where stock=0")) lists them, \(.command("patch where stock=0 stock+=10")) changes them.",
      ko: "\(.command("ls where stock=0"))으로 보고 \(.command("patch where stock=0 stock+=10"))으로 바꿉니다."))

  static let fieldsPage = HelpPage(
    title: LocalizedText("what is known of a product", ko: "상품에 대해 아는 것"),
    sections: [
      HelpPage.Section(
        LocalizedText("Fields", ko: "필드"), Field.allCases.map { HelpPage.Row($0.rawValue, FieldSummary.of($0)) })
    ],
    closing: LocalizedText(
      "The same in every edition; one that an edition lacks shows \(.value("-")). Each edition's own names work too.",
      ko: "어느 판에서나 같습니다. 판에 없는 것은 \(.value("-"))로 보입니다. 판마다 쓰는 이름도 통합니다."))

  static let assignmentsPage = HelpPage(
    title: LocalizedText("new values for fields", ko: "필드에 새 값을 넣는 법"),
    sections: [
      HelpPage.Section(
        LocalizedText("Assignments", ko: "넣기"),
        [
          .init("price=12000", "the value itself", ko: "값 그대로"),
          .init("stock+=5", "also -= and *=", ko: "-=, *=도 됩니다"),
          .init("price-=10%", "by a part of what it is", ko: "지금 값의 몫만큼"),
          .init(
            "price=round(price*1.1, 100)", "computed; also min max len, + - * /", ko: "셈하기; min max len, + - * / 도"),
          .init("discount=10%", "of the price as it will be", ko: "(새) 가격의 10%"),
          .init("sale=price*0.9", "what a buyer pays: sets the discount", ko: "사는 값; 할인이 정해집니다"),
          .init("round 100", "results of arithmetic to that step, half to even", ko: "셈한 값을 그 단위로, 절반은 짝수로"),
          .init("round 100 half up", "the same, half up", ko: "같지만 절반은 올림"),
          .init(
            "name~s/컵/머그/", "a word in a name for another; g: each, i: whatever the case",
            ko: "이름 속 낱말 바꾸기; g는 모두, i는 대소문자 무시"),
          .init("name=\"새 이름\"", "words with spaces stand in quotes", ko: "빈칸이 있으면 따옴표로"),
          .init("description=@note.txt", "the text of a file", ko: "파일의 글"),
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
    title: LocalizedText("words in front of any command", ko: "명령 앞에 붙이는 말"),
    sections: [
      HelpPage.Section(
        LocalizedText("Prefixes", ko: "앞말"),
        [
          .init("dry", "say what would be written, and write nothing", ko: "쓸 것을 말하기만 하고 쓰지 않음"),
          .init("curl", "print the requests as curl commands instead", ko: "보내는 대신 curl 명령으로 보임"),
          .init("time", "where the time went: name, connect, TLS, first byte, body", ko: "어디에 시간이 들었는지"),
          .init("trace", "the exchange itself, secrets masked", ko: "주고받은 그대로, 비밀은 가림"),
          .init("watch SECONDS", "again and again; prints what changed", ko: "되풀이해서 바뀐 것을 보임"),
          .init("until EXPR", "ends a watch once it holds", ko: "맞으면 watch를 끝냄"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("dry patch mine price-=10%", "the plan alone", ko: "계획만"),
          .init("curl patch 42 price=3500", "to paste elsewhere", ko: "다른 곳에 붙여 넣기"),
          .init("time ls page 2", "one page, timed", ko: "한 쪽의 시간"),
          .init("watch 5 show 42 stock until stock=0", "every five seconds", ko: "5초마다"),
        ]),
    ],
    closing: LocalizedText(
      "They may stand together: \(.command("time trace ls")).",
      ko: "함께 쓸 수 있습니다: \(.command("time trace ls"))."))
}
