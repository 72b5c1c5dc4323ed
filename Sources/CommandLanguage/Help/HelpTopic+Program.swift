import Text

extension HelpTopic {
  static let editionsPage = HelpPage(
    title: LocalizedText("API editions", ko: "API 버전"),
    sections: [
      HelpPage.Section(
        LocalizedText("API editions", ko: "API 버전"),
        [
          .init("open", "since October 2022: search, vendors, camelCase", ko: "2022년 10월부터: 검색, 판매자, camelCase"),
          .init("training", "2022: vendors, snake_case", ko: "2022년: 판매자, snake_case"),
          .init("camp2", "2021, second server: /items, one password per product", ko: "2021년 둘째 서버: /items, 상품마다 비밀번호"),
          .init(
            "camp1", "2021, first server: like camp2, but deletes differently", ko: "2021년 첫째 서버: camp2와 같지만 삭제 방식이 다름"),
        ]),
      HelpPage.Section(
        LocalizedText("Differences", ko: "차이점"),
        [
          .init(
            "search", "on the server in open; in other editions openmarket filters the list",
            ko: "open은 서버가 검색; 다른 API 버전은 openmarket이 걸러내고 알림"),
          .init(
            "size", "page size can be chosen in open and training only",
            ko: "페이지 크기는 open과 training에서만 정할 수 있음"
          ),
          .init("vendor", "in open and training only", ko: "open과 training; camp1과 camp2에는 없음"),
          .init(
            "discounted_price", "camp1 and camp2: the sale price; others: the amount off",
            ko: "camp1, camp2는 판매가, 다른 API 버전은 할인 금액"),
          .init("images", "can be replaced in camp1 and camp2 only", ko: "사진 바꾸기는 camp1과 camp2만"),
          .init("health", "in open and training only", ko: "open과 training"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("profile add shop url=https://shop.example api=open", "sets the edition", ko: "API 버전을 지정해서 추가"),
          .init(
            "openmarket --url https://shop.example", "detects the edition from the server's responses",
            ko: "--api가 없으면 응답을 보고 API 버전을 판별"),
        ]),
    ])

  static let marketsPage = HelpPage(
    title: LocalizedText("markets that a file describes", ko: "파일로 설명하는 마켓"),
    sections: [
      HelpPage.Section(
        LocalizedText("Use", ko: "사용"),
        [
          .init(
            "openmarket --url URL --api FILE", "uses the product API of another server", ko: "다른 서버의 상품 API를 사용"),
          .init("profile add shop url=URL api=FILE", "stores both", ko: "둘 다 저장"),
          .init("api from openapi.json", "derives a file from an OpenAPI document", ko: "OpenAPI 문서로 파일 만들기"),
          .init(
            "api from page.json product.json", "derives a file from saved responses", ko: "저장한 응답으로 파일 만들기"),
          .init("api check FILE", "finds the faults of a file; sends nothing", ko: "파일의 오류를 찾음; 아무것도 보내지 않음"),
          .init("contract writes", "proves a file with a product of its own", ko: "상품을 하나 만들어 파일을 검증"),
          .init("api show", "the requests and fields in use", ko: "쓰고 있는 요청과 필드"),
          .init("login", "asks for the secret, if the API wants one", ko: "API에 필요하면 시크릿을 물음"),
          .init(
            "openmarket serve --api FILE", "serves that API here, and stores what is written",
            ko: "그 API를 여기서 서버로 실행하고, 쓴 것을 저장"),
        ]),
      HelpPage.Section(
        LocalizedText("File", ko: "파일"),
        [
          .init(
            "format, name, base, id", "version 1, a word, the path, the pointer to the id", ko: "버전 1, 이름, 경로, 번호의 위치"),
          .init("[auth]", "type none, http or apiKey", ko: "type은 none, http, apiKey"),
          .init("[list] [list.page]", "the request for the list and its pages", ko: "목록과 페이지의 요청"),
          .init("[read]", "the request for one product, with {id}", ko: "상품 하나의 요청, {id} 포함"),
          .init(
            "[create] [update] [delete]", "the requests of changes; without one, such changes are refused",
            ko: "변경 요청; 없으면 그런 변경은 할 수 없음"),
          .init(
            "[fields]", "the pointer to each field, such as price = \"/price\"", ko: "필드마다 위치, 예: price = \"/price\""),
          .init("[serve]", "what a server adds to each product, such as a sample", ko: "서버가 상품마다 더하는 것, 예: sample"),
        ]),
    ],
    closing: LocalizedText(
      "A file that contract writes has not proven at the server asks before each change. Examples/markets has files for eleven APIs; the article Markets explains the format.",
      ko: "contract writes로 검증하지 않은 파일은 변경할 때마다 묻습니다. Examples/markets에 API 열한 개의 파일이 있고, 형식은 Markets 문서에 있습니다."))

  static let promptPage = HelpPage(
    title: LocalizedText("what the prompt shows", ko: "프롬프트에 표시되는 것"),
    sections: [
      HelpPage.Section(
        LocalizedText("At the left", ko: "왼쪽"),
        [
          .init("demo@15>", "profile demo, logged in as vendor 15", ko: "demo 프로필, 15번 판매자로 로그인"),
          .init("shop@?>", "logged in, vendor ID unknown (see help login)", ko: "로그인했지만 판매자 번호를 모름(help login 참고)"),
          .init("shop>", "not logged in", ko: "로그인하지 않음"),
          .init("shop@15 ro>", "logged in, reading only", ko: "로그인, 읽기 전용"),
          .init(
            "demo@15 r1: 1 left>", "run r1 was interrupted, with 1 change left (see status)",
            ko: "중단된 실행 r1에 변경 1건이 남음(status 참고)"),
        ]),
      HelpPage.Section(
        LocalizedText("At the right", ko: "오른쪽"),
        [
          .init("rw", "reading and writing: changes are possible", ko: "읽기와 쓰기: 변경할 수 있음"),
          .init("ro", "reading only (profile access=ro or --read-only)", ko: "읽기 전용(프로필의 access=ro나 --read-only)"),
          .init("open", "the API edition of the server (see help editions)", ko: "서버의 API 버전(help editions 참고)"),
          .init("2 pending", "changes that are not finished (see status)", ko: "대기 중인 변경 2건(status 참고)"),
          .init("1 sale overdue", "a start or an end of a sale is overdue (see due)", ko: "시작이나 끝이 늦은 할인 1건(due 참고)"),
        ]),
    ])

  static let exitCodesPage = HelpPage(
    title: LocalizedText("exit codes, for scripts", ko: "종료 코드, 스크립트용"),
    sections: [
      HelpPage.Section(
        LocalizedText("Exit codes", ko: "종료 코드"),
        [
          .init("0", "all commands succeeded", ko: "모든 명령이 성공함"),
          .init(
            "1",
            "the server refused, it does not exist, the response cannot be read, or a change had no effect",
            ko: "서버가 거부했거나, 없는 것이거나, 응답을 읽을 수 없거나, 변경이 적용되지 않음"),
          .init("2", "invalid command; it sent nothing", ko: "잘못된 명령; 이 명령은 아무것도 보내지 않음"),
          .init(
            "3", "no response came from the server; the command applied nothing",
            ko: "서버의 응답이 없음; 이 명령이 적용한 것 없음"),
          .init(
            "4", "stopped by a safety check: not confirmed, read-only, not logged in, unusual values, an existing file",
            ko: "안전 검사로 중단: 확인하지 않음, 읽기 전용, 로그인 안 됨, 평소와 다른 값, 이미 있는 파일"),
          .init("5", "an outcome is unknown (see status)", ko: "결과 미확인(status에서 확인)"),
          .init("6", "an assertion failed", ko: "assert가 맞지 않음"),
          .init(
            "7", "a batch was not completed, or a list was not read completely",
            ko: "일괄 작업을 다 끝내지 못했거나 목록을 다 읽지 못함"),
          .init("8", "fail-on found changes; nothing was sent", ko: "fail-on에서 변경이 발견됨; 보낸 것 없음"),
          .init("130", "interrupted", ko: "중단됨"),
          .init("129, 131, 143", "terminated by SIGHUP, SIGQUIT or SIGTERM", ko: "SIGHUP, SIGQUIT, SIGTERM으로 끝남"),
        ])
    ],
    closing: LocalizedText(
      "A script stops at the first failing command. With \(.value("--keep-going")), it continues but still exits with a non-zero code.",
      ko: "스크립트는 처음 실패한 명령에서 멈춥니다. \(.value("--keep-going"))을 쓰면 계속하지만, 종료 코드는 0이 아닙니다."))

  static let scriptsPage = HelpPage(
    title: LocalizedText("scripts, tests and CI", ko: "스크립트, 테스트, CI"),
    sections: [
      HelpPage.Section(
        LocalizedText("From the system shell", ko: "시스템 셸에서"),
        [
          .init("openmarket -c 'LINE'", "runs a command; -c may be repeated", ko: "명령 실행(여러 번 쓸 수 있음)"),
          .init("openmarket -f FILE", "runs a script (- for standard input)", ko: "스크립트 실행(-는 표준 입력)"),
          .init("--yes", "applies changes without asking", ko: "확인 없이 변경 적용"),
          .init("--keep-going", "continues after errors", ko: "실패한 명령이 있어도 계속"),
          .init("--check", "checks the script without sending anything", ko: "스크립트를 검사만 하고 보내지 않음"),
          .init("--tap", "reports each command in TAP format", ko: "명령마다 결과를 TAP 형식으로 출력"),
          .init("--junit FILE", "reports each command as JUnit XML, for CI", ko: "명령마다 결과를 JUnit XML로 저장(CI용)"),
          .init("--replay FILE", "replays a HAR file instead of connecting", ko: "서버에 연결하지 않고 HAR 파일에서 응답"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("let p = get /api/products/138", "stores a response in a variable", ko: "응답을 변수에 저장"),
          .init(
            "assert $p.status = 200", "ends the script with exit code 6 if it is not so", ko: "맞지 않으면 종료 코드 6으로 끝남"),
          .init("expect page.txt", "compares the last output with a file", ko: "마지막 출력을 파일과 비교"),
          .init(
            "finally: rm $cup yes", "runs when the script ends, also after a failure, Ctrl-C or SIGTERM",
            ko: "스크립트가 끝날 때 실행. 실패, Ctrl-C, SIGTERM 뒤에도"),
          .init("save morning.market", "saves the commands of this session as a script", ko: "이 세션의 명령을 스크립트로 저장"),
          .init("source morning.market", "runs the script", ko: "스크립트 실행"),
        ]),
    ],
    closing: LocalizedText(
      "See \(.command("help exit-codes")) for the exit codes.",
      ko: "종료 코드는 \(.command("help exit-codes"))에서 볼 수 있습니다."))

  static let environmentPage = HelpPage(
    title: LocalizedText("environment variables and configuration files", ko: "환경 변수와 설정 파일"),
    sections: [
      HelpPage.Section(
        LocalizedText("Environment variables", ko: "환경 변수"),
        [
          .init("OPENMARKET_PROFILE", "profile to use", ko: "프로필"),
          .init("OPENMARKET_URL", "server URL (without a profile)", ko: "서버 주소, 프로필 없이"),
          .init(
            "OPENMARKET_API", "API edition of the server, or a file (help markets)",
            ko: "서버의 API 버전 또는 파일(help markets)"),
          .init("OPENMARKET_HOME", "directory for all files", ko: "모든 파일을 두는 폴더"),
          .init("OPENMARKET_IDENTIFIER", "vendor identifier", ko: "판매자 식별자"),
          .init("OPENMARKET_SECRET", "vendor secret", ko: "판매자 시크릿"),
          .init("OPENMARKET_VENDOR_ID", "vendor ID", ko: "판매자 번호"),
          .init("OPENWEATHER_API_KEY", "API key for real weather data", ko: "날씨용 키"),
          .init("OPENWEATHER_URL", "another weather service URL", ko: "날씨의 다른 주소"),
          .init("AI_AGENT, CLAUDECODE", "name of the agent for the log", ko: "로그에 남길 에이전트의 이름"),
          .init("NO_COLOR", "turns colors off if set", ko: "값이 있으면 색 없이"),
          .init("PAGER", "pager for long output (default: less -R)", ko: "긴 출력을 보여 주는 페이저; 없으면 less -R"),
          .init("VISUAL, EDITOR", "editor for the edit command", ko: "edit에서 여는 편집기"),
        ]),
      HelpPage.Section(
        LocalizedText("Files in the configuration directory", ko: "설정 폴더의 파일"),
        [
          .init("startup.market", "commands to run at every start", ko: "시작할 때마다 실행하는 명령"),
          .init("settings.market", "settings saved by set and format", ko: "set과 format으로 고른 설정"),
          .init("aliases.market", "aliases saved by alias", ko: "alias로 지은 이름"),
          .init("profiles.toml", "profiles saved by profile", ko: "profile로 추가한 프로필"),
        ]),
    ],
    closing: LocalizedText(
      "Options override environment variables, which override the profile. \(.command("session")) shows where each value comes from.",
      ko: "옵션이 환경 변수보다, 환경 변수가 프로필보다 우선합니다. \(.command("session"))에서 출처를 볼 수 있습니다."))

  /// Returns the page about the active key bindings: those of emacs, or with `vi` those of vi.
  package static func keysPage(vi: Bool) -> HelpPage {
    HelpPage(
      title: LocalizedText("keyboard shortcuts", ko: "프롬프트의 키"), sections: [everywhere] + (vi ? inVi : inEmacs),
      closing: vi
        ? LocalizedText(
          "These are the vi keys. For emacs keys, run \(.command("set keys emacs")). \(.value(".editrc")) is also read.",
          ko: "vi 키입니다. emacs 키를 쓰려면 \(.command("set keys emacs"), .object) 실행하세요. \(.value(".editrc"))도 읽습니다.")
        : LocalizedText(
          "These are the emacs keys. For vi keys, run \(.command("set keys vi")). \(.value(".editrc")) is also read.",
          ko: "emacs 키입니다. vi 키를 쓰려면 \(.command("set keys vi"), .object) 실행하세요. \(.value(".editrc"))도 읽습니다."))
  }

  private static let everywhere = HelpPage.Section(
    LocalizedText("Keys", ko: "키"),
    [
      .init("Tab", "complete, with descriptions; again for the next choice", ko: "완성과 설명; 다시 누르면 다음 후보"),
      .init(
        "Up, Down", "row above or below, or earlier lines matching what you typed",
        ko: "위와 아래 행, 그다음은 입력한 텍스트와 맞는 이전 줄"),
      .init("Ctrl-R", "search history; changes are never run directly from here", ko: "입력 기록 검색; 변경 명령은 바로 실행하지 않음"),
      .init("Right, Ctrl-F", "accept the dimmed suggestion", ko: "흐리게 표시된 제안 적용"),
      .init("Space", "after an alias: expand it", ko: "별칭 뒤에서 누르면 내용으로 펼침"),
      .init("Ctrl-A, Ctrl-E", "start and end of the row", ko: "행의 처음과 끝"),
      .init("Ctrl-W, Ctrl-U, Ctrl-K", "cut the word, to the start, to the end", ko: "단어, 처음까지, 끝까지 잘라내기"),
      .init("Ctrl-Y", "paste what was cut", ko: "잘라낸 것을 붙여넣기"),
      .init("Ctrl-_", "undo", ko: "입력 되돌리기"),
      .init("F1", "describe the command at the cursor", ko: "커서가 있는 명령의 설명"),
      .init("Ctrl-V", "insert the next key literally", ko: "다음 키를 그대로 넣기"),
      .init("Ctrl-L", "clear the screen", ko: "화면 지우기"),
      .init("Ctrl-C", "discard the line, or cancel a request", ko: "입력한 줄 지우기, 요청 취소"),
      .init("Ctrl-D", "exit", ko: "종료"),
    ])

  private static let inEmacs = [
    HelpPage.Section(
      LocalizedText("In emacs mode", ko: "emacs 모드에서"),
      [
        .init("Alt-F, Alt-B", "forward (also accepts one suggested word) and back by a word", ko: "단어 하나 앞으로(제안도), 뒤로"),
        .init("Alt-.", "last word of the previous line", ko: "이전 줄의 마지막 단어"),
        .init("Alt-/", "redo", ko: "되돌린 입력을 다시"),
        .init("Alt-Y", "after Ctrl-Y: paste an earlier cut", ko: "Ctrl-Y 뒤에, 그 전에 잘라낸 것"),
        .init("Alt-D", "cut the word after the cursor", ko: "커서 뒤 단어 잘라내기"),
        .init("Alt-Enter", "insert a line break", ko: "줄바꿈 넣기"),
        .init("Alt-E, Ctrl-X Ctrl-E", "edit the line in $VISUAL or $EDITOR", ko: "줄을 $VISUAL이나 $EDITOR에서 편집"),
        .init("Alt-H", "describe the command at the cursor", ko: "커서가 있는 명령의 설명"),
        .init("Alt-T, Alt-\\", "swap two words; delete the blanks at the cursor", ko: "두 단어 맞바꾸기; 커서 주위 공백 지우기"),
        .init("Alt-<, Alt->", "oldest line of the history; the line being typed", ko: "가장 오래된 줄; 입력하던 줄"),
        .init("Ctrl-O", "run the line, then recall the one after it", ko: "줄을 실행하고 기록에서 그다음 줄 꺼내기"),
        .init("Alt-#", "store the line in the history without running it", ko: "실행하지 않고 줄을 기록에 남기기"),
        .init("Alt-S", "add dry before the command, or remove it", ko: "명령 앞에 dry를 붙이거나 떼기"),
      ])
  ]

  private static let inVi = [
    HelpPage.Section(
      LocalizedText("After Esc", ko: "Esc 뒤에"),
      [
        .init("h l w b e 0 $", "move; type a number first to repeat", ko: "이동; 앞에 수를 쓰면 반복"),
        .init("f F t T ;", "to a character, repeat", ko: "한 문자까지, 반복"),
        .init("k j", "previous and next line", ko: "이전 줄과 다음 줄"),
        .init("/ ? n N", "search backward, repeat", ko: "이전 줄 검색, 다시 검색"),
        .init("i a I A", "insert here, after, at the start, at the end", ko: "입력 모드: 커서 앞, 뒤, 처음, 끝"),
        .init("x d c y p", "delete, cut, change, copy, paste", ko: "삭제, 잘라내기, 바꾸기, 복사, 붙여넣기"),
        .init("r ~ .", "replace a character, switch case, repeat the last change", ko: "한 문자 바꾸기, 대소문자 바꾸기, 마지막 변경 반복"),
        .init(
          "iw aw i\" a( …", "after d, c or y: a word, or the text in quotes or brackets",
          ko: "d, c, y 뒤: 단어, 따옴표나 괄호 안의 텍스트"),
        .init("u, U", "undo one change, or all changes to the line", ko: "입력을 하나 되돌리기, 모두 되돌리기"),
        .init("v", "edit the line in $VISUAL or $EDITOR", ko: "줄을 $VISUAL이나 $EDITOR에서 편집"),
        .init("_", "insert the last word of the previous line", ko: "이전 줄의 마지막 단어 넣기"),
        .init("#", "keep the line as a comment", ko: "줄을 주석으로 저장"),
      ])
  ]
}
