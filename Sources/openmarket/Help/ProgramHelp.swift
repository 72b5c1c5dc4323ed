import Text

/// `--help`: usage, options by subject and examples, within 80 columns.
enum ProgramHelp {
  static func program(_ language: MessageLanguage) -> String {
    let usage = [
      ("openmarket [OPTIONS]", LocalizedText("start an interactive shell", ko: "대화형 셸 시작")),
      ("openmarket [OPTIONS] COMMAND...", LocalizedText("run the words as one command", ko: "단어들을 명령 하나로 실행")),
      ("openmarket serve [OPTIONS]", LocalizedText("run the built-in market as a server", ko: "내장 마켓을 서버로 실행")),
    ]
    var lines = [
      LocalizedText("Shell for the Open Market product API.", ko: "오픈 마켓 상품 API를 위한 셸.")[language].plain, "",
    ]
    lines += [LocalizedText("Usage", ko: "사용법")[language].plain] + table(usage, language, column: 32) + [""]
    for group in HelpEntry.programGroups {
      lines += [group.title[language].plain] + options(group.rows, language)
    }
    lines += ["", LocalizedText("Examples", ko: "예")[language].plain]
    lines += ProgramExamples.all.dropFirst().prefix(2).map { "  " + $0.line }
    lines += [
      "",
      LocalizedText(
        "Commands: openmarket help. Manual: man openmarket, man openmarket-language.",
        ko: "명령: openmarket help. 매뉴얼: man openmarket, man openmarket-language."
      )[language].plain,
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  static func serve(_ language: MessageLanguage) -> String {
    let title = LocalizedText(
      "Run the built-in market as a server until Ctrl-C is pressed.", ko: "내장 마켓을 서버로 실행합니다. Ctrl-C로 종료합니다.")
    var lines = [title[language].plain, ""]
    lines += [LocalizedText("Usage", ko: "사용법")[language].plain, "  openmarket serve [OPTIONS]", ""]
    lines += [LocalizedText("Options", ko: "옵션")[language].plain] + options(HelpEntry.serveOptions, language)
    return lines.map { $0 + "\n" }.joined()
  }

  private static func options(_ rows: [HelpEntry], _ language: MessageLanguage) -> [String] {
    table(rows.map { ($0.names.map(\.text).joined(separator: ", "), $0.summary) }, language, column: 18)
  }

  private static func table(
    _ rows: [(term: String, meaning: LocalizedText)], _ language: MessageLanguage, column: Int
  ) -> [String] {
    let cells = WidthMeasurer()
    return rows.map { row in
      "  " + cells.aligned(row.term, to: max(column, cells.of(row.term))) + "  " + row.meaning[language].plain
    }
  }
}
