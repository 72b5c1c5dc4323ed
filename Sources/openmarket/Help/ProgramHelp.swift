import Catalog
import Presentation
import Text

/// `--help`: the program on one screen of 80 columns and 24 lines.
enum ProgramHelp {
  /// Longer terms push their meaning to the right.
  private static let widestTerm = 26

  static func program(_ tongue: Tongue) -> String {
    let usage = [
      ("openmarket [OPTIONS]", Wording("a prompt, by default on a market of its own", ko: "프롬프트; 따로 정하지 않으면 내장 시장")),
      ("openmarket -c LINE | -f FILE | < FILE", Wording("lines that nobody types", ko: "미리 적어 둔 줄 돌리기")),
      ("openmarket serve [--help]", Wording("the embedded market alone", ko: "내장 시장만")),
    ]
    return page(
      Wording("A shell for the Open Market product API.", ko: "오픈 마켓 상품 API를 위한 셸."), usage, OptionRow.program, tongue,
      closing: Wording("At the prompt, help explains the commands.", ko: "프롬프트에서 help를 치면 명령을 설명합니다."))
  }

  static func serve(_ tongue: Tongue) -> String {
    page(
      Wording("The embedded market alone, until Ctrl-C.", ko: "내장 시장만 돌립니다. Ctrl-C로 끝냅니다."),
      [
        (
          "openmarket serve [OPTIONS]",
          Wording("prints one line with its address when it listens", ko: "들을 준비가 되면 주소를 한 줄로 알림")
        )
      ],
      OptionRow.serve, tongue)
  }

  /// What of a row the parser knows, so that help never names an option that is refused.
  static func names(_ row: OptionRow, among known: Set<String>) -> [OptionRow.Name] {
    row.names.filter { known.contains($0.name) }
  }

  private static func page(
    _ title: Wording, _ usage: [(String, Wording)], _ rows: [OptionRow], _ tongue: Tongue, closing: Wording? = nil
  ) -> String {
    let known = ParserFacts.names
    let options = rows.compactMap { row -> (String, Wording)? in
      let names = names(row, among: known)
      return names.isEmpty ? nil : (names.map(\.text).joined(separator: ", "), row.summary)
    }
    var lines = [title[tongue].plain, ""] + table(usage, tongue) + [""] + table(options, tongue)
    if let closing { lines += ["", closing[tongue].plain] }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func table(_ rows: [(term: String, meaning: Wording)], _ tongue: Tongue) -> [String] {
    let cells = CellWidth()
    let column = rows.map { cells.of($0.term) }.filter { $0 <= widestTerm }.max() ?? widestTerm
    return rows.map { row in
      "  " + cells.padded(row.term, to: max(column, cells.of(row.term))) + "  " + row.meaning[tongue].plain
    }
  }
}
