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
      LocalizedText("Shell for the Open Market product API.", ko: "오픈 마켓 상품 API를 위한 셸."), usage, HelpEntry.mainOptions,
      language,
      closing: LocalizedText(
        "Commands: openmarket help. Manual: man openmarket, man openmarket-language.",
        ko: "명령: openmarket help. 매뉴얼: man openmarket, man openmarket-language."))
  }

  static func serve(_ language: MessageLanguage) -> String {
    page(
      LocalizedText(
        "Run the built-in market as a server until Ctrl-C is pressed.", ko: "내장 마켓을 서버로 실행합니다. Ctrl-C로 종료합니다."),
      [
        (
          "openmarket serve [OPTIONS]",
          LocalizedText("prints its URL, vendors and a request to try", ko: "주소, 판매자, 시험해 볼 요청을 출력")
        )
      ],
      HelpEntry.serveOptions, language)
  }

  static func mcp(_ language: MessageLanguage) -> String {
    page(
      LocalizedText(
        "Serve an agent over the Model Context Protocol, on standard input and output.",
        ko: "표준 입출력의 Model Context Protocol로 에이전트에게 도구를 제공합니다."),
      [
        (
          "openmarket mcp [OPTIONS]",
          LocalizedText("its tools read and plan; none changes a market", ko: "도구는 조회하고 계획할 뿐 마켓을 바꾸지 않음")
        )
      ],
      HelpEntry.mcpOptions, language,
      closing: LocalizedText(
        "Configuration for hosts: openmarket help mcp.", ko: "호스트 설정: openmarket help mcp."))
  }

  private static func page(
    _ title: LocalizedText, _ usage: [(String, LocalizedText)], _ rows: [HelpEntry], _ language: MessageLanguage,
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
