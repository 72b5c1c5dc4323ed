import CommandLanguage
import MarketAPI
import Text

/// The text of `--help`, which fits on a screen of 80 columns and 24 lines.
enum ProgramHelp {
  /// The maximum width of the column of terms.
  ///
  /// Longer terms move their description to the right.
  private static let maximumTermWidth = 28

  static func program(_ language: MessageLanguage) -> String {
    let usage = [
      (
        "openmarket [OPTIONS]",
        LocalizedText("start an interactive shell", ko: "대화형 프롬프트(기본: 내장 마켓)")
      ),
      ("openmarket [OPTIONS] COMMAND", LocalizedText("one command, as at the prompt", ko: "프롬프트에 쓰는 것과 같은 명령 하나")),
      ("openmarket serve [--help]", LocalizedText("run the built-in market as a server", ko: "내장 마켓을 서버로 실행")),
      ("openmarket mcp [--help]", LocalizedText("serve an agent, which reads and plans", ko: "조회하고 계획하는 에이전트를 위한 서버")),
    ]
    return page(
      LocalizedText("Shell for the Open Market product API.", ko: "오픈 마켓 상품 API를 위한 셸."), usage: usage,
      rows: HelpEntry.mainOptions,
      in: language,
      closing: LocalizedText(
        "Commands: openmarket help. Manual: man openmarket, man openmarket-language.",
        ko: "명령: openmarket help. 매뉴얼: man openmarket, man openmarket-language."))
  }

  static func serve(_ language: MessageLanguage) -> String {
    page(
      LocalizedText(
        "Run the built-in market as a server until Ctrl-C is pressed.", ko: "내장 마켓을 서버로 실행합니다. Ctrl-C로 종료합니다."),
      usage: [
        (
          "openmarket serve [OPTIONS]",
          LocalizedText("prints its URL, vendors and a request to try", ko: "주소, 판매자, 시험해 볼 요청을 출력")
        )
      ],
      rows: HelpEntry.serveOptions, in: language)
  }

  static func mcp(_ language: MessageLanguage) -> String {
    page(
      LocalizedText(
        "Serve an agent over the Model Context Protocol, on standard input and output.",
        ko: "표준 입출력의 Model Context Protocol로 에이전트에게 도구를 제공합니다."),
      usage: [
        (
          "openmarket mcp [OPTIONS]",
          LocalizedText("its tools read and plan; none changes a market", ko: "도구는 조회하고 계획할 뿐 마켓을 바꾸지 않음")
        )
      ],
      rows: HelpEntry.mcpOptions, in: language,
      closing: LocalizedText(
        "Configuration for hosts: openmarket help mcp.", ko: "호스트 설정: openmarket help mcp."))
  }

  private static func page(
    _ title: LocalizedText, usage: [(String, LocalizedText)], rows: [HelpEntry], in language: MessageLanguage,
    closing: LocalizedText? = nil
  ) -> String {
    let options = rows.map { ($0.names.map(\.text).joined(separator: ", "), $0.summary) }
    var lines = [title[language].plain, ""] + table(usage, language) + [""] + table(options, language)
    if let closing { lines += ["", closing[language].plain] }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func table(_ rows: [(term: String, meaning: LocalizedText)], _ language: MessageLanguage) -> [String] {
    let cells = WidthMeasurer()
    let column = rows.map { cells.of($0.term) }.filter { $0 <= maximumTermWidth }.max() ?? maximumTermWidth
    return rows.map { row in
      "  " + cells.aligned(row.term, to: max(column, cells.of(row.term))) + "  " + row.meaning[language].plain
    }
  }
}

/// Command lines to show as examples, with their meaning.
enum ProgramExamples {
  static let all: [(line: String, meaning: LocalizedText)] = [
    ("openmarket", LocalizedText("opens the built-in market", ko: "내장 마켓을 엽니다")),
    (
      "openmarket -c 'ls where stock=0 as csv' > sold-out.csv",
      LocalizedText("saves the sold-out products", ko: "품절 상품을 저장합니다")
    ),
    (
      "openmarket --url https://shop.example --read-only",
      LocalizedText("looks around on a server, without changes", ko: "서버를 변경 없이 살펴봅니다")
    ),
    (
      "openmarket --yes -f evening.market",
      LocalizedText("runs a script that changes products", ko: "상품을 변경하는 스크립트를 실행합니다")
    ),
    (
      "openmarket --junit report.xml -f tests.market",
      LocalizedText("runs a script as tests", ko: "스크립트를 테스트로 실행합니다")
    ),
  ]
}

/// One line of `--help`: related options and their description.
struct HelpEntry: Sendable {
  struct Name: Sendable {
    /// The name with its dashes.
    var name: String
    /// The placeholder of the value, or `nil` for a flag.
    var value: String?

    var text: String { value.map { name + " " + $0 } ?? name }
  }

  var names: [Name]
  var summary: LocalizedText

  /// Creates a row from texts, such as `HelpEntry(["--url URL", "--api EDITION"], …)`.
  init(_ texts: [String], _ english: StyledText, ko korean: StyledText) {
    names = texts.map { text in
      let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
      return Name(name: parts[0], value: parts.count > 1 ? parts[1] : nil)
    }
    summary = LocalizedText(english, ko: korean)
  }
}

/// Every option of the program and of `serve`, for `--help` and the manual page; a test compares them with the parser.
extension HelpEntry {
  /// The options of the program; related ones share a row, so that `--help` fits on a screen of 24 lines.
  static let mainOptions: [HelpEntry] = [
    HelpEntry(["--profile NAME"], "profile to use (see the profile command)", ko: "사용할 프로필(profile 명령 참고)"),
    HelpEntry(
      ["--url URL", "--api EDITION|FILE"], "URL; \(Edition.names), or a file",
      ko: "주소; \(Edition.names) 또는 파일"),
    HelpEntry(["--home DIR"], "keep all files in this directory", ko: "모든 파일을 이 폴더 아래에 둠"),
    HelpEntry(
      ["-c LINE", "-f FILE"], "run a command or a script (- is standard input)",
      ko: "명령이나 스크립트(-는 표준 입력)를 실행하고 종료"),
    HelpEntry(
      ["--keep-going", "--check", "--once KEY"], "continue on error; check only; once per KEY",
      ko: "오류에도 계속; 검사만; KEY마다 한 번"),
    HelpEntry(["--replay FILE"], "replay a HAR file instead of connecting", ko: "HAR 파일에서 응답하고 서버에 연결하지 않음"),
    HelpEntry(
      ["--tap", "--junit FILE"], "report results in TAP format, or to a JUnit file", ko: "결과를 TAP으로, JUnit 파일로"),
    HelpEntry(
      ["--format FORMAT"],
      "\(OutputFormat.names.dropLast().joined(separator: ", ")) or \(OutputFormat.names.last ?? "")",
      ko: "\(OutputFormat.names.joined(separator: ", "))"),
    HelpEntry(["--lang en|ko", "--errors text|json"], "language and form of messages", ko: "메시지의 언어와 형식"),
    HelpEntry(
      ["--yes", "--read-only"], "apply changes without asking; allow no changes", ko: "확인 없이 변경 적용; 변경을 허용하지 않음"),
    HelpEntry(
      ["--no-retry", "--insecure-http"], "do not retry reads; allow secrets over http",
      ko: "읽기를 재시도하지 않음; http로 시크릿 보내기 허용"),
    HelpEntry(["--no-color", "--ascii"], "turn off colors, use ASCII only", ko: "색 없이, 선 그림 없이"),
    HelpEntry(["--version", "-h", "--help"], "print the version, or this help", ko: "버전, 이 도움말"),
    HelpEntry(
      ["--generate-completion-script SHELL"], "print completions for bash, zsh or fish",
      ko: "bash, zsh, fish의 자동 완성 출력"),
    HelpEntry(
      ["--generate-manual", "--generate-skill"], "print the manual page, or SKILL.md",
      ko: "매뉴얼 페이지, SKILL.md 출력"),
  ]

  static let mcpOptions: [HelpEntry] = [
    HelpEntry(["--profile NAME"], "profile to use", ko: "사용할 프로필"),
    HelpEntry(
      ["--url URL", "--api EDITION|FILE"], "URL; \(Edition.names), or a file",
      ko: "주소; \(Edition.names) 또는 파일"),
    HelpEntry(["--home DIR"], "keep all files in this directory", ko: "모든 파일을 이 폴더에 저장"),
    HelpEntry(
      ["--plans DIR"], "directory for plans", ko: "계획을 저장할 폴더"),
    HelpEntry(["--max-bytes N"], "maximum size of a response (default: 65536)", ko: "응답의 최대 크기(기본: 65536)"),
    HelpEntry(["--rate N/s"], "maximum calls per second (default: 5/s)", ko: "초당 최대 호출 수(기본: 5/s)"),
    HelpEntry(["--lang en|ko"], "language of messages", ko: "메시지 언어"),
    HelpEntry(["-h", "--help"], "print this help", ko: "이 도움말 출력"),
  ]

  static let serveOptions: [HelpEntry] = [
    HelpEntry(
      ["--port N"], "port (default: 8080 or the next free; 0: any free port)",
      ko: "수신 포트(기본: 8080 또는 다음 빈 포트, 0: 아무 빈 포트)"),
    HelpEntry(
      ["--host ADDRESS"], "address (default: this computer only; 0.0.0.0: all)", ko: "수신 주소(기본: 이 컴퓨터만, 0.0.0.0: 모두)"),
    HelpEntry(
      ["--name NAME"], "another name of this computer, such as teacher.local", ko: "이 컴퓨터의 다른 이름, 예: teacher.local"),
    HelpEntry(
      ["--tls CERT KEY|self"], "https with PEM files, or with a certificate that is made",
      ko: "PEM 파일로, 또는 직접 만든 인증서로 https 제공"),
    HelpEntry(["--public-url URL"], "URL of a proxy in front of the server", ko: "서버 앞에 둔 프록시의 URL"),
    HelpEntry(
      ["--origin URL"], "web pages that may use the API from a browser", ko: "브라우저에서 API를 써도 되는 웹 페이지의 출처"),
    HelpEntry(
      ["--api EDITION|FILE"], "API: \(Edition.names), or a file", ko: "API: \(Edition.names) 또는 파일"),
    HelpEntry(
      ["--vendors N|FILE"], "vendors for a class: how many, or a file of names", ko: "수업에 쓸 판매자의 수, 또는 이름 파일"),
    HelpEntry(
      ["--lesson FILE"], "products, clock and faults of a lesson; with keys", ko: "수업의 상품, 시계, 장애를 적은 파일(키로 조작)"),
    HelpEntry(["--data DIR"], "directory for the market's data", ko: "마켓의 데이터를 두는 폴더"),
    HelpEntry(["--quota MB"], "room for the products of each vendor (200)", ko: "판매자마다 상품에 쓸 수 있는 용량(200)"),
    HelpEntry(["--home DIR"], "keep all files in this directory", ko: "모든 파일을 이 폴더에 저장"),
    HelpEntry(["--strict"], "refuse values outside the documented limits (400)", ko: "문서의 한도를 넘는 값은 400으로 거부"),
    HelpEntry(
      ["--fresh", "--empty"], "begin with the sample products, or without; asks first",
      ko: "예시 상품으로, 또는 상품 없이 다시 시작(먼저 물음)"),
    HelpEntry(["--yes", "--ascii"], "do not ask; use ASCII only", ko: "묻지 않음; ASCII만 사용"),
    HelpEntry(
      ["--quirks", "--log"], "imitate the bugs of the real servers; log every request",
      ko: "실제 서버의 오류까지 재현; 요청마다 한 줄 출력"),
    HelpEntry(["--slow MS"], "delay each response by this many milliseconds", ko: "응답마다 이만큼(밀리초) 늦춤"),
    HelpEntry(["--fail RATE"], "fail this part of the requests with 503, such as 20%", ko: "503으로 실패시킬 요청의 비율, 예: 20%"),
    HelpEntry(["--lang en|ko"], "language of messages", ko: "메시지 언어"),
    HelpEntry(["-h", "--help"], "print this help", ko: "이 도움말 출력"),
  ]
}
