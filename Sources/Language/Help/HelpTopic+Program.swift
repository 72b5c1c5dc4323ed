import Catalog
import Text

extension HelpTopic {
  static let formatsPage = HelpPage(
    title: LocalizedText("how data is written, and where to", ko: "데이터의 형식과 보낼 곳"),
    sections: [
      HelpPage.Section(
        LocalizedText("Formats", ko: "형식"),
        [
          .init("table", "for people; drawn to the width of the window", ko: "사람용; 창 너비에 맞춤"),
          .init("json", "one object, or one with all rows", ko: "객체 하나, 또는 모든 행을 담은 객체 하나"),
          .init("jsonl", "one object a line", ko: "한 줄에 객체 하나"),
          .init("csv", "a header row, RFC 4180; formulas are guarded with '", ko: "헤더 행과 RFC 4180; 수식은 '로 막음"),
          .init("tsv", "cells apart by tabs", ko: "탭으로 나눔"),
          .init("markdown", "a table to paste", ko: "붙여 넣을 표"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("ls as csv", "this command only", ko: "이 명령만"),
          .init("format json", "from here on", ko: "이제부터"),
          .init("show 42 to 42.json", "the format from the ending", ko: "확장자로 형식을 정함"),
          .init(
            "show 42 to 42.json replace", "over a file that this shell did not write", ko: "이 셸이 저장하지 않은 파일도 덮어쓰기"),
          .init("ls to goods.csv bom", "with the mark that spreadsheets look for", ko: "스프레드시트용 BOM을 앞에"),
          .init("ls as jsonl | grep KRW", "to a program of yours", ko: "다른 프로그램으로"),
        ]),
    ],
    closing: LocalizedText(
      "Data goes to standard output, everything said to you to standard error.",
      ko: "데이터는 표준 출력으로, 메시지는 표준 오류로 나갑니다."))

  static let editionsPage = HelpPage(
    title: LocalizedText("the four editions of the API", ko: "API의 네 가지 버전"),
    sections: [
      HelpPage.Section(
        LocalizedText("Editions", ko: "버전"),
        [
          .init("open", "from October 2022: search, vendors, camelCase", ko: "2022년 10월부터: 검색, 판매자, camelCase"),
          .init("training", "2022: vendors, snake_case", ko: "2022년: 판매자, snake_case"),
          .init("camp2", "2021, second server: /items, a password a product", ko: "2021년 둘째 서버: /items, 상품마다 비밀번호"),
          .init("camp1", "2021, first server", ko: "2021년 첫 서버"),
        ]),
      HelpPage.Section(
        LocalizedText("Where they differ", ko: "차이점"),
        [
          .init("search", "open; on the others it is done here and said", ko: "open만; 다른 버전은 여기서 거르고 알림"),
          .init(
            "size", "open and training; the others have pages of their own size",
            ko: "open과 training; 다른 버전은 크기가 정해져 있음"
          ),
          .init("vendor", "open and training; camp1 and camp2 know none", ko: "open과 training; camp1과 camp2에는 없음"),
          .init(
            "discounted_price", "the sale price on camp1 and camp2, else the amount off",
            ko: "camp1, camp2는 판매가, 다른 버전은 할인 금액"),
          .init("images", "can be replaced on camp1 and camp2 only", ko: "사진 바꾸기는 camp1과 camp2만"),
          .init("health", "open and training", ko: "open과 training"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("profile add shop url=https://shop.example api=open", "an edition by name", ko: "버전을 이름으로"),
          .init("openmarket --url https://shop.example", "without --api the answer tells", ko: "--api가 없으면 응답을 보고 판별"),
        ]),
    ])

  static let exitCodesPage = HelpPage(
    title: LocalizedText("how a run ends, for scripts", ko: "종료 코드, 스크립트용"),
    sections: [
      HelpPage.Section(
        LocalizedText("Exit codes", ko: "종료 코드"),
        [
          .init("0", "every command did what it was asked", ko: "모든 명령이 성공함"),
          .init("1", "the server refused, or the thing does not exist", ko: "서버가 거절했거나 해당 상품이 없음"),
          .init("2", "the line could not be understood; nothing was sent", ko: "줄을 이해하지 못함; 아무것도 보내지 않음"),
          .init("3", "the server could not be reached; nothing was applied", ko: "서버에 연결하지 못함; 아무것도 바뀌지 않음"),
          .init(
            "4", "held back by a guard: not confirmed, read-only, not logged in, outlier",
            ko: "보류: 확인받지 못함, 읽기 전용, 로그인 안 됨, 이상값"),
          .init("5", "an outcome is still unknown and kept in the journal", ko: "결과 미확인, 기록에 남아 있음"),
          .init("6", "an assertion failed", ko: "assert가 맞지 않음"),
          .init("7", "a batch ended with some items not done", ko: "일괄 작업 중 일부가 실패함"),
          .init("130", "interrupted", ko: "중단됨"),
          .init("129, 131, 143", "ended by SIGHUP, SIGQUIT or SIGTERM", ko: "SIGHUP, SIGQUIT, SIGTERM으로 끝남"),
        ])
    ],
    closing: LocalizedText(
      "A script stops at its first failing command; with \(.value("--keep-going")) it goes on and still ends non-zero.",
      ko: "스크립트는 처음 실패한 명령에서 멈춥니다. \(.value("--keep-going"))을 주면 계속하지만 0이 아닌 수로 끝납니다."))

  static let scriptsPage = HelpPage(
    title: LocalizedText("scripts, tests and CI", ko: "스크립트, 테스트, CI"),
    sections: [
      HelpPage.Section(
        LocalizedText("From the system's shell", ko: "시스템의 셸에서"),
        [
          .init("openmarket -c 'LINE'", "runs a line; -c may be repeated", ko: "줄을 실행; -c는 여러 번 쓸 수 있음"),
          .init("openmarket -f FILE", "runs a script; - is standard input", ko: "스크립트를 실행; -는 표준 입력"),
          .init("--yes", "does not ask before writing", ko: "변경 전에 확인하지 않음"),
          .init("--keep-going", "goes on after a line that failed", ko: "실패한 줄이 있어도 계속"),
          .init("--check", "reads the whole script and sends nothing", ko: "스크립트를 검사만 하고 보내지 않음"),
          .init("--tap", "the outcome of each line as TAP", ko: "줄마다 결과를 TAP으로"),
          .init("--junit FILE", "the outcome of each line as JUnit XML, for a CI", ko: "줄마다 결과를 CI용 JUnit XML로"),
          .init("--replay FILE", "takes the responses from a recording; no connection", ko: "기록에서 응답; 연결하지 않음"),
        ]),
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"),
        [
          .init("let p = get /api/products/138", "a response by a name", ko: "응답에 이름 붙이기"),
          .init("assert $p.status = 200", "ends the script with exit code 6 otherwise", ko: "아니면 종료 코드 6으로 끝남"),
          .init("expect page.txt", "compares the output before with a file", ko: "앞의 출력을 파일과 비교"),
          .init("save morning.market", "the lines of this session as a script", ko: "이 세션의 줄을 스크립트로"),
          .init("source morning.market", "runs it", ko: "실행"),
        ]),
    ],
    closing: LocalizedText(
      "\(.command("help exit-codes")) has the meaning of each exit code.",
      ko: "종료 코드의 뜻은 \(.command("help exit-codes"))에 있습니다."))

  static let environmentPage = HelpPage(
    title: LocalizedText("variables that are read at the start", ko: "시작할 때 읽는 환경 변수"),
    sections: [
      HelpPage.Section(
        LocalizedText("Environment", ko: "환경 변수"),
        [
          .init("OPENMARKET_PROFILE", "the profile", ko: "프로필"),
          .init("OPENMARKET_URL", "the server's address, without a profile", ko: "서버 주소, 프로필 없이"),
          .init("OPENMARKET_API", "its edition", ko: "서버의 API 버전"),
          .init("OPENMARKET_HOME", "the folder that keeps everything", ko: "모든 파일을 두는 폴더"),
          .init("OPENMARKET_IDENTIFIER", "the vendor's identifier", ko: "판매자 식별자"),
          .init("OPENMARKET_SECRET", "the vendor's secret", ko: "판매자 시크릿"),
          .init("OPENMARKET_VENDOR_ID", "the vendor's number", ko: "판매자 번호"),
          .init("OPENWEATHER_API_KEY", "for weather", ko: "날씨용 키"),
          .init("OPENWEATHER_URL", "another address for weather", ko: "날씨의 다른 주소"),
          .init("NO_COLOR", "no colours when it is set", ko: "값이 있으면 색 없이"),
          .init("PAGER", "shows what does not fit the screen; less -R without it", ko: "긴 출력을 보여 주는 페이저; 없으면 less -R"),
          .init("VISUAL, EDITOR", "the editor of edit", ko: "edit에서 여는 편집기"),
        ]),
      HelpPage.Section(
        LocalizedText("Files of the configuration folder", ko: "설정 폴더의 파일"),
        [
          .init("startup.market", "lines of your own that every start runs first", ko: "시작할 때마다 먼저 실행하는 줄"),
          .init("settings.market", "what set and format chose", ko: "set과 format으로 고른 설정"),
          .init("aliases.market", "what alias named", ko: "alias로 지은 이름"),
          .init("profiles.toml", "what profile added", ko: "profile로 추가한 프로필"),
        ]),
    ],
    closing: LocalizedText(
      "An option beats the environment, the environment the profile; \(.command("session")) says what came from where.",
      ko: "옵션이 환경 변수보다, 환경 변수가 프로필보다 우선합니다. \(.command("session"))에서 출처를 볼 수 있습니다."))

  /// Returns the page about the active key bindings: those of emacs, or with `vi` those of vi.
  package static func keysPage(vi: Bool) -> HelpPage {
    HelpPage(
      title: LocalizedText("keys at the prompt", ko: "프롬프트의 키"), sections: [everywhere] + (vi ? inVi : inEmacs),
      closing: vi
        ? LocalizedText(
          "These are the keys of vi; \(.command("set keys emacs")) has those of emacs. \(.value(".editrc")) is read.",
          ko: "지금은 vi 키입니다. \(.command("set keys emacs"))로 emacs 키를 씁니다. \(.value(".editrc"))도 읽습니다.")
        : LocalizedText(
          "These are the keys of emacs; \(.command("set keys vi")) has those of vi. \(.value(".editrc")) is read.",
          ko: "지금은 emacs 키입니다. \(.command("set keys vi"))로 vi 키를 씁니다. \(.value(".editrc"))도 읽습니다."))
  }

  private static let everywhere = HelpPage.Section(
    LocalizedText("Keys", ko: "키"),
    [
      .init("Tab", "completes and explains; again goes on to the next", ko: "완성과 설명; 다시 누르면 다음 후보"),
      .init(
        "Up, Down", "the row above, below; then earlier lines that begin with or hold what is typed",
        ko: "윗줄과 아랫줄, 그다음은 입력한 글자로 시작하거나 포함하는 이전 줄"),
      .init("Ctrl-R", "a list of earlier lines; a write is not run from it", ko: "입력 기록 목록; 변경 명령은 바로 실행하지 않음"),
      .init("Right, Ctrl-F", "takes the dim suggestion", ko: "흐린 제안을 받음"),
      .init("Space", "behind an alias, what it stands for", ko: "별칭 뒤에서 그 내용으로 바꿈"),
      .init("Ctrl-A, Ctrl-E", "beginning and end of the row", ko: "행의 처음과 끝"),
      .init("Ctrl-W, Ctrl-U, Ctrl-K", "cut a word, to the beginning, to the end", ko: "단어, 처음까지, 끝까지 잘라내기"),
      .init("Ctrl-Y", "puts back what was cut", ko: "잘라낸 것을 붙여넣기"),
      .init("Ctrl-_", "takes back a change", ko: "입력 되돌리기"),
      .init("F1", "what the command at the cursor does", ko: "커서가 있는 명령의 설명"),
      .init("Ctrl-V", "the next key as it is", ko: "다음 키를 그대로 넣기"),
      .init("Ctrl-L", "clears the screen", ko: "화면 지우기"),
      .init("Ctrl-C", "drops the line, cancels a request", ko: "줄을 버림, 요청을 취소"),
      .init("Ctrl-D", "leaves", ko: "종료"),
    ])

  private static let inEmacs = [
    HelpPage.Section(
      LocalizedText("With Alt", ko: "Alt와 함께"),
      [
        .init("Alt-F, Alt-B", "a word on, of a suggestion too; a word back", ko: "단어 하나 앞으로(제안도), 뒤로"),
        .init("Alt-.", "the last word of an earlier line", ko: "이전 줄의 마지막 단어"),
        .init("Alt-/", "makes again what was taken back", ko: "되돌린 입력을 다시"),
        .init("Alt-Y", "behind Ctrl-Y, what was cut before", ko: "Ctrl-Y 뒤에, 그 전에 잘라낸 것"),
        .init("Alt-D", "cuts the word behind", ko: "뒤 단어 잘라내기"),
        .init("Alt-Enter", "a new row", ko: "새 행"),
        .init("Alt-E, Ctrl-X Ctrl-E", "the line in $VISUAL or $EDITOR", ko: "줄을 $VISUAL이나 $EDITOR에서 편집"),
        .init("Alt-H", "what the command at the cursor does", ko: "커서가 있는 명령의 설명"),
        .init("Alt-T, Alt-\\", "exchanges two words; deletes the blanks around", ko: "두 단어 맞바꾸기; 주위 공백 지우기"),
        .init("Alt-<, Alt->", "the oldest line; the one that was typed", ko: "가장 오래된 줄; 입력하던 줄"),
        .init("Alt-#", "keeps the line in the history and runs nothing", ko: "실행하지 않고 줄을 기록에 남김"),
        .init("Alt-S", "puts dry in front, or takes it away", ko: "앞에 dry를 넣거나 뺌"),
      ])
  ]

  private static let inVi = [
    HelpPage.Section(
      LocalizedText("After Esc", ko: "Esc 뒤에"),
      [
        .init("h l w b e 0 $", "move; a number in front repeats", ko: "이동; 앞에 수를 쓰면 반복"),
        .init("f F t T ;", "to a character, and on to the next", ko: "글자까지, 그리고 다음 것"),
        .init("k j", "earlier and later lines", ko: "이전 줄과 다음 줄"),
        .init("/ ? n N", "search earlier lines, and again", ko: "이전 줄 검색, 다시 검색"),
        .init("i a I A", "typing again: here, behind, at the start, at the end", ko: "입력 모드: 여기, 뒤, 처음, 끝"),
        .init("x d c y p", "delete, cut, change, copy, put in", ko: "삭제, 잘라내기, 바꾸기, 복사, 붙여넣기"),
        .init("r ~ .", "one character, its case, the last change again", ko: "한 글자, 대소문자, 마지막 변경 반복"),
        .init(
          "iw aw i\" a( …", "behind d, c, y: a word, what is in quotes or brackets", ko: "d, c, y 뒤에: 단어, 따옴표나 괄호 안"),
        .init("u, U", "takes back a change, all changes", ko: "입력 되돌리기, 모두 되돌리기"),
        .init("v", "the line in $VISUAL or $EDITOR", ko: "줄을 $VISUAL이나 $EDITOR에서 편집"),
        .init("_", "the last word of an earlier line", ko: "이전 줄의 마지막 단어"),
        .init("#", "keeps the line as a remark", ko: "줄을 주석으로 남기기"),
      ])
  ]
}
