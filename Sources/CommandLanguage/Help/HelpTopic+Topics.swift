import Text

extension HelpTopic {
  /// The page about formats and destinations of data.
  static let outputPage = HelpPage(
    title: LocalizedText("formats and destinations of output", ko: "출력 형식과 출력할 곳"),
    sections: [
      HelpPage.Section(
        LocalizedText("Formats", ko: "형식"),
        OutputFormat.allCases.map { HelpPage.Row($0.rawValue, $0.facts.summary) } + [
          .init("to FILE.xlsx", "an Excel workbook", ko: "엑셀 통합 문서"),
          .init("to FILE.html", "a web page", ko: "웹 페이지"),
        ]),
      HelpPage.Section(
        LocalizedText("Options of commands that print data", ko: "데이터를 출력하는 명령의 옵션"),
        Parameter.outputOptions.map { Help.row($0) } + [Help.pipe]),
      HelpPage.Section(
        LocalizedText("For all commands", ko: "모든 명령에 적용"),
        [
          .init("format FORMAT", "sets the format until you change it", ko: "다시 바꿀 때까지 쓸 형식"),
          .init("--format FORMAT", "the same, when starting the program", ko: "프로그램을 시작할 때 같은 설정"),
          .init("set pager off", "prints long output without a pager", ko: "긴 출력을 페이저 없이 출력"),
          .init("set after-write full", "shows the whole product after a change", ko: "변경한 뒤 상품 전체를 표시"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("ls as csv", "for this command only", ko: "이 명령만"),
          .init("format json", "for all following commands", ko: "이후의 모든 명령"),
          .init("show 42 to 42.json", "format from the file extension", ko: "확장자로 형식을 정함"),
          .init(
            "show 42 to 42.json replace", "overwrites a file not written by openmarket",
            ko: "openmarket이 저장하지 않은 파일도 덮어씀"),
          .init("ls to goods.xlsx", "an Excel workbook", ko: "엑셀 통합 문서"),
          .init("ls to goods.csv bom", "starts with a byte order mark, for Excel", ko: "맨 앞에 BOM 추가(엑셀용)"),
          .init("ls as jsonl | grep KRW", "pipes to another program", ko: "다른 프로그램에 넘김"),
        ]),
    ],
    closing: LocalizedText(
      "Data is written to standard output, messages to standard error.",
      ko: "데이터는 표준 출력으로, 메시지는 표준 오류로 나갑니다."))

  /// The page about what happens before, while and after products are changed.
  static let writingPage = HelpPage(
    title: LocalizedText("changing products safely", ko: "상품을 안전하게 변경하기"),
    sections: [
      HelpPage.Section(
        LocalizedText("Options of commands that change products", ko: "변경 명령의 옵션"),
        Parameter.writeOptions.map { Help.row($0) }),
      HelpPage.Section(
        LocalizedText("Before sending", ko: "보내기 전"),
        [
          .init("dry COMMAND", "shows the changes and sends nothing", ko: "변경할 내용만 보여 주고 보내지 않음"),
          .init(
            "set confirm always", "asks before every change; also bulk and never", ko: "변경할 때마다 물음; bulk와 never도 가능"),
          .init(
            "outliers",
            "needed if a price changes by more than -50% or +100%, becomes 0 or gets decimals in KRW or JPY, if the currency changes, or if stock becomes 0 on more than 10 products",
            ko: "가격이 -50%나 +100%보다 크게 바뀌거나, 0이 되거나, 원화나 엔화에 소수점이 생기거나, 통화가 바뀌거나, 재고가 10개가 넘는 상품에서 0이 될 때 필요"),
        ]),
      HelpPage.Section(
        LocalizedText("At the question", ko: "확인 질문에서"),
        [
          .init("y", "applies the changes", ko: "적용"),
          .init("n, q, Enter", "cancels; nothing is sent", ko: "취소(아무것도 보내지 않음)"),
          .init("a", "shows all rows", ko: "모든 행 보기"),
          .init("e 3,7", "excludes rows 3 and 7", ko: "3행과 7행 제외"),
        ]),
      HelpPage.Section(
        LocalizedText("Afterwards", ko: "적용한 뒤"),
        [
          .init("undo", "restores the previous values", ko: "이전 값 복원"),
          .init("log", "lists all changes", ko: "모든 변경 표시"),
          .init("status", "lists changes that are pending or have an unknown outcome", ko: "대기 중이거나 결과 미확인인 변경 표시"),
          .init("resume", "finishes them", ko: "마저 처리"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("dry patch mine price-=10%", "shows what would change", ko: "바뀔 내용만 표시"),
          .init("patch mine price-=10% round 100 note sale", "adds a note to the log", ko: "로그에 메모를 남김"),
          .init("patch mine stock=10 jobs 8 rate 20/s", "sends faster", ko: "더 빠르게 보냄"),
          .init("undo", "restores the prices", ko: "가격을 복원"),
        ]),
    ],
    closing: LocalizedText(
      "Without a terminal, nothing is asked: add \(.command("yes")) to the command or start with \(.command("--yes")).",
      ko: "터미널이 아니면 묻지 않으므로, 명령에 \(.command("yes"), .object) 붙이거나 \(.command("--yes"), .toward) 시작하세요."))

  /// The page about numbers, text, variables and calculations.
  static let valuesPage = HelpPage(
    title: LocalizedText("values, variables and calculations", ko: "값, 변수, 계산"),
    sections: [
      HelpPage.Section(
        LocalizedText("Values", ko: "값"),
        [
          .init("12  19.99  -3", "numbers", ko: "숫자"),
          .init("10%", "a percentage", ko: "비율"),
          .init("red  \"two words\"", "text; quote it if it contains spaces or signs", ko: "텍스트. 공백이나 기호가 있으면 따옴표로 묶음"),
          .init("\"a\\nb\"  'a\\nb'", "in single quotes, nothing is escaped", ko: "작은따옴표 안에서는 모두 입력한 그대로"),
          .init("2022-12-01  today-7d", "dates (UTC)", ko: "날짜(UTC)"),
          .init("@note.txt", "the contents of a file, in assignments", ko: "값 지정에서 파일의 내용"),
        ]),
      HelpPage.Section(
        LocalizedText("Variables", ko: "변수"),
        [
          .init("let cup = show 42", "stores a product: $cup.price", ko: "상품을 저장: $cup.price"),
          .init(
            "let p = get /api/products", "stores a response: $p.status, $p.ms, $p.headers.Date and its JSON",
            ko: "응답을 저장: $p.status, $p.ms, $p.headers.Date와 JSON"),
          .init("$p.items[0].id", "a path; [-1] counts from the end", ko: "경로. [-1]은 끝에서부터"),
          .init("$p[\"a key\"]  $p.items.length", "keys with spaces; the number of elements", ko: "공백이 있는 키; 원소의 수"),
          .init("${p.name}.txt", "braces end the path before other text", ko: "중괄호로 경로의 끝을 표시"),
          .init("_", "the last product or response", ko: "마지막 상품이나 응답"),
          .init("$1  $2  $@", "arguments of a script or alias", ko: "스크립트나 별칭의 인자"),
        ]),
      HelpPage.Section(
        LocalizedText("Calculations", ko: "계산"),
        [
          .init("+ - * / ( )", "with numbers and fields", ko: "숫자와 필드의 사칙 연산"),
          .init("round(x, 100)", "rounds to a step", ko: "단위로 반올림"),
          .init("min(a, b)  max(a, b)", "the smaller, the larger", ko: "작은 값, 큰 값"),
          .init("len(name)", "the number of characters", ko: "글자 수"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("let page = 2", "stores a number", ko: "숫자를 저장"),
          .init("let next = $page + 1", "calculates with a variable", ko: "변수로 계산"),
          .init("patch mine price=round(price*1.1, 100)", "calculates with a field", ko: "필드로 계산"),
          .init("echo _.name costs _.price", "prints values of the last product", ko: "마지막 상품의 값을 출력"),
        ]),
    ],
    closing: LocalizedText(
      "Numbers are compared with numbers and text with text: 12 and \"12\" are different.",
      ko: "숫자는 숫자와, 텍스트는 텍스트와 비교합니다. 12와 \"12\"는 다릅니다."))

  /// The page about regular expressions.
  static let regexPage = HelpPage(
    title: LocalizedText("regular expressions", ko: "정규식"),
    sections: [
      HelpPage.Section(
        LocalizedText("Where", ko: "쓰는 곳"),
        [
          .init("name~/REGEX/", "matches a part of the text", ko: "텍스트의 일부와 일치"),
          .init("name~/REGEX/i", "the same, case-insensitive", ko: "대소문자 구분 없이"),
          .init("name!~/REGEX/", "does not match", ko: "일치하지 않음"),
          .init("name~s/REGEX/TEXT/", "replaces the first match", ko: "처음 일치하는 부분을 바꿈"),
          .init("name~s/REGEX/TEXT/gi", "replaces all matches, case-insensitive", ko: "모두 바꿈, 대소문자 구분 없이"),
        ]),
      HelpPage.Section(
        LocalizedText("Syntax", ko: "문법"),
        [
          .init("^  $", "start and end of the text", ko: "텍스트의 처음과 끝"),
          .init(".  [abc]  [^abc]", "any character, one of these, none of these", ko: "아무 문자, 이 중 하나, 이 외의 하나"),
          .init("\\d  \\w  \\s", "digit, letter or digit, space", ko: "숫자, 문자나 숫자, 공백"),
          .init(
            "*  +  ?  {2,3}", "any number, at least one, at most one, two or three", ko: "0번 이상, 1번 이상, 0~1번, 2~3번"),
          .init("a|b  (ab)", "one of two, a group", ko: "둘 중 하나, 묶기"),
          .init("\\/", "a slash", ko: "빗금"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init(
            "ls where name~/^Cup|Sand$/", inKorean: "ls where name~/^맥북|세트$/", "names that start or end so",
            ko: "이렇게 시작하거나 끝나는 이름"),
          .init("ls where name~/\\d{4}/", "names with four digits", ko: "숫자 네 자리가 있는 이름"),
          .init(
            "dry patch mine name~s/cup/mug/", inKorean: "dry patch mine name~s/컵/머그/",
            "replaces a word in your products",
            ko: "내 상품의 단어를 바꿈"),
        ]),
    ],
    closing: LocalizedText(
      "A regular expression goes from \(.value("~/")) to the next slash. Put text that starts with a slash in quotes: \(.command("name~'/usr'")).",
      ko: "정규식은 \(.value("~/"))부터 다음 빗금까지입니다. 빗금으로 시작하는 텍스트는 따옴표로 묶으세요: \(.command("name~'/usr'"))."))

  /// The page about curl commands, printed and pasted.
  static let curlPage = HelpPage(
    title: LocalizedText("curl commands, printed and pasted", ko: "curl 명령 출력과 붙여넣기"),
    sections: [
      HelpPage.Section(
        LocalizedText("Print", ko: "출력"),
        [
          .init(
            "curl COMMAND",
            "prints the requests of a command; only reads that the next request depends on are sent",
            ko: "명령의 요청을 curl 명령으로 출력; 다음 요청에 필요한 조회만 보냄"),
          .init("calls curl 12", "prints a recorded call", ko: "저장된 호출을 출력"),
          .init("log curl 12", "prints the requests of a log entry", ko: "로그의 요청을 출력"),
        ]),
      HelpPage.Section(
        LocalizedText("Paste", ko: "붙여넣기"),
        [
          .init(
            "curl -X POST https://…", "a curl command at the prompt is sent as a request",
            ko: "프롬프트에 붙여 넣은 curl 명령을 요청으로 보냄"),
          .init(
            "raw curl …", "the same, always sent as it is", ko: "항상 그대로 보냄"),
          .init(
            "curl -X PATCH … yes", "yes after it answers the question", ko: "뒤의 yes는 확인을 대신함"),
          .init(
            "-g", "does not expand [ ] and { } in the URL, which are sent percent-encoded",
            ko: "주소의 [ ]와 { }를 펼치지 않고 퍼센트 인코딩해 보냄"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("curl ls page 2", "prints a GET request", ko: "GET 요청을 출력"),
          .init("curl patch 42 price=3500", "prints the requests of a change", ko: "변경의 요청을 출력"),
          .init("curl patch 42 price=3500 to price.sh", "saves them as a shell script", ko: "셸 스크립트로 저장"),
        ]),
    ],
    closing: LocalizedText(
      "Printed commands read the credentials from \(.value("$OPENMARKET_IDENTIFIER")) and \(.value("$OPENMARKET_SECRET")). Pasted commands that change data are shown and confirmed first.",
      ko:
        "출력한 명령은 로그인 정보를 \(.value("$OPENMARKET_IDENTIFIER"), .with) \(.value("$OPENMARKET_SECRET"))에서 읽습니다. 데이터를 바꾸는 붙여 넣은 명령은 먼저 보여 주고 확인합니다."
    ))
}
