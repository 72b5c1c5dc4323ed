import Catalog
import Text

/// The text of `--help`, which fits on a screen of 80 columns and 24 lines.
enum ProgramHelp {
  /// The maximum width of the column of terms.
  ///
  /// Longer terms move their description to the right.
  private static let widestTerm = 26

  static func program(_ tongue: MessageLanguage) -> String {
    let usage = [
      (
        "openmarket [OPTIONS]",
        LocalizedText("start an interactive shell (default: the built-in market)", ko: "대화형 프롬프트(기본: 내장 마켓)")
      ),
      ("openmarket [OPTIONS] LINE", LocalizedText("one command, as at the prompt", ko: "프롬프트에 쓰는 것과 같은 명령 하나")),
      ("openmarket serve [--help]", LocalizedText("run the built-in market as a server", ko: "내장 마켓을 서버로 실행")),
    ]
    return page(
      LocalizedText("Shell for the Open Market product API.", ko: "오픈 마켓 상품 API를 위한 셸."), usage, OptionRow.program,
      tongue,
      closing: LocalizedText("Type help at the prompt to list the commands.", ko: "프롬프트에서 help를 입력하면 명령을 설명합니다."))
  }

  static func serve(_ tongue: MessageLanguage) -> String {
    page(
      LocalizedText(
        "Run the built-in market as a server until Ctrl-C is pressed.", ko: "내장 마켓을 서버로 실행합니다. Ctrl-C로 종료합니다."),
      [
        (
          "openmarket serve [OPTIONS]",
          LocalizedText("prints its URL, vendors and a request to try", ko: "주소, 판매자, 시험해 볼 요청을 출력")
        )
      ],
      OptionRow.serve, tongue)
  }

  private static func page(
    _ title: LocalizedText, _ usage: [(String, LocalizedText)], _ rows: [OptionRow], _ tongue: MessageLanguage,
    closing: LocalizedText? = nil
  ) -> String {
    let options = rows.map { ($0.names.map(\.text).joined(separator: ", "), $0.summary) }
    var lines = [title[tongue].plain, ""] + table(usage, tongue) + [""] + table(options, tongue)
    if let closing { lines += ["", closing[tongue].plain] }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func table(_ rows: [(term: String, meaning: LocalizedText)], _ tongue: MessageLanguage) -> [String] {
    let cells = CellWidth()
    let column = rows.map { cells.of($0.term) }.filter { $0 <= widestTerm }.max() ?? widestTerm
    return rows.map { row in
      "  " + cells.padded(row.term, to: max(column, cells.of(row.term))) + "  " + row.meaning[tongue].plain
    }
  }
}
