import ArgumentParser
import CommandLanguage
import Commands
import ShellRuntime
import Text

/// The manual pages, generated from the declarations that the parser and `help` read.
///
/// `openmarket --generate-manual > openmarket.1` is about the program: its options, files and exit status.
/// `--generate-manual language > openmarket-language.7` has the topics, and each command once, with its usage and summary;
/// `help COMMAND` has its arguments and examples. Source: man(7) of groff.
struct Manual {
  private let language: MessageLanguage

  init(_ language: MessageLanguage) { self.language = language }

  var mainPage: String {
    var lines = [".TH OPENMARKET 1 \"\" \"openmarket \(Version.number)\" \"\""]
    lines += section(LocalizedText("NAME", ko: "이름"))
    lines.append(
      "openmarket \\- " + roff(LocalizedText("shell for the Open Market product API", ko: "오픈 마켓 상품 API를 위한 셸")))
    lines += section(LocalizedText("SYNOPSIS", ko: "사용법"))
    lines += [
      ".B openmarket", "[\\fIOPTIONS\\fR] [\\fICOMMAND\\fR...]", ".br", ".B openmarket serve", "[\\fIOPTIONS\\fR]",
      ".br",
      ".B openmarket mcp", "[\\fIOPTIONS\\fR]",
    ]
    lines += section(LocalizedText("DESCRIPTION", ko: "설명")) + description
    lines += section(LocalizedText("OPTIONS", ko: "옵션")) + HelpEntry.mainOptions.flatMap(option)
    lines += section(LocalizedText("SERVE OPTIONS", ko: "serve의 옵션")) + HelpEntry.serveOptions.flatMap(option)
    lines += section(LocalizedText("FILES", ko: "파일")) + files.flatMap(entry)
    lines += section(LocalizedText("ENVIRONMENT", ko: "환경 변수"))
    lines += HelpTopic.environment.page.sections[0].rows.flatMap { entry(($0.term, $0.meaning)) }
    lines += section(LocalizedText("EXIT STATUS", ko: "종료 상태"))
    lines += HelpTopic.exitCodes.page.sections[0].rows.flatMap { entry(($0.term, $0.meaning)) }
    lines += section(LocalizedText("EXAMPLES", ko: "예"))
    lines += ProgramExamples.all.flatMap { entry(($0.line, $0.meaning)) }
    lines +=
      section(LocalizedText("SEE ALSO", ko: "함께 볼 것")) + [
        ".BR openmarket\\-language (7),", ".BR less (1),", ".BR editrc (5)",
      ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The page about the command language, `openmarket-language(7)`.
  var languagePage: String {
    var lines = [".TH OPENMARKET\\-LANGUAGE 7 \"\" \"openmarket \(Version.number)\" \"\""]
    lines += section(LocalizedText("NAME", ko: "이름"))
    lines.append(
      "openmarket\\-language \\- " + roff(LocalizedText("openmarket commands and syntax", ko: "openmarket의 명령과 문법")))
    lines += section(LocalizedText("DESCRIPTION", ko: "설명"))
    lines.append(
      roff(
        LocalizedText(
          "A line is a command with its arguments, such as patch 42 price-=10%. Several commands are separated by semicolons. Prefixes go before a command, and options such as as csv after it.",
          ko: "한 줄은 patch 42 price-=10% 같은 명령과 인자입니다. 여러 명령은 세미콜론으로 구분합니다. 접두어는 명령 앞에, as csv 같은 옵션은 뒤에 씁니다.")))
    // The first page has the exit codes and the environment; the notations of other programs are for those who know them.
    for topic in HelpTopic.allCases where ![.exitCodes, .environment, .habits, .curl, .mcp].contains(topic) {
      lines += self.topic(topic)
    }
    lines += section(LocalizedText("COMMANDS", ko: "명령"))
    lines += [
      roff(
        LocalizedText(
          "help COMMAND explains the arguments of a command and shows examples.", ko: "help 명령은 명령의 인자와 예를 보여 줍니다.")),
      ".PP", ".PD 0",
    ]
    lines += AllCommands.all.map { $0.declaration }.sorted { $0.name < $1.name }.flatMap(command) + [".PD"]
    lines += section(LocalizedText("SEE ALSO", ko: "함께 볼 것")) + [".BR openmarket (1)"]
    return lines.map { $0 + "\n" }.joined()
  }

  private var description: [String] {
    let first = LocalizedText(
      "openmarket lists, changes and watches the products of a server with the Open Market product API, in four editions. Without options it starts its own built-in market, so that everything can be tried without a server.",
      ko:
        "openmarket은 오픈 마켓 상품 API의 네 가지 버전을 쓰는 서버에서 상품을 조회하고 변경하고 살펴봅니다. 옵션이 없으면 내장 마켓으로 시작하므로 서버 없이 모든 기능을 시험할 수 있습니다."
    )
    let second = LocalizedText(
      "Every change is shown before it is sent, logged before and after, and can be undone. A change is never applied twice: if a response is lost, openmarket reads the product to find the outcome, and sends the change again only if it was not applied.",
      ko: "모든 변경은 보내기 전에 보여 주고, 보내기 전과 뒤에 로그에 저장하며, 되돌릴 수 있습니다. 변경을 두 번 보내지 않습니다. 응답을 받지 못하면 상품을 읽어 결과를 확인합니다.")
    let third = LocalizedText(
      "Data is written to standard output, messages to standard error. The commands are described in openmarket-language(7) and by help.",
      ko: "데이터는 표준 출력으로, 메시지는 표준 오류로 나갑니다. 명령은 openmarket-language(7)와 help에 있습니다.")
    return [roff(first), ".PP", roff(second), ".PP", roff(third)]
  }

  /// The files of the program, without `--home`; see the article about files.
  private var files: [(String, LocalizedText)] {
    [
      ("$XDG_CONFIG_HOME/openmarket/profiles.toml", LocalizedText("profiles", ko: "프로필")),
      (
        "$XDG_CONFIG_HOME/openmarket/settings.market",
        LocalizedText("settings saved by set and format", ko: "set과 format의 설정")
      ),
      (
        "$XDG_CONFIG_HOME/openmarket/startup.market",
        LocalizedText("commands run at every start", ko: "시작할 때마다 실행하는 명령")
      ),
      ("$XDG_CONFIG_HOME/openmarket/aliases.market", LocalizedText("aliases", ko: "별칭")),
      ("$XDG_STATE_HOME/openmarket/", LocalizedText("the log of changes and the input history", ko: "변경 로그와 입력 기록")),
      (
        "$XDG_DATA_HOME/openmarket/",
        LocalizedText("the built-in market, snapshots and recorded calls", ko: "내장 마켓, 스냅샷, 저장된 호출")
      ),
      ("$XDG_CACHE_HOME/openmarket/", LocalizedText("files that can be deleted at any time", ko: "언제든 지워도 되는 파일")),
    ]
  }

  private func option(_ row: HelpEntry) -> [String] {
    let head = row.names.map { name in
      "\\fB" + Manual.escaped(name.name) + "\\fR" + (name.value.map { " \\fI" + Manual.escaped($0) + "\\fR" } ?? "")
    }
    return [Manual.tag(head.joined(separator: ", ")), roff(row.summary)]
  }

  /// The usage and the summary of a command.
  private func command(_ declaration: CommandDeclaration) -> [String] {
    Syntax.usage(declaration).map { Manual.tag("\\fB" + Manual.escaped($0) + "\\fR", 8) } + [roff(declaration.summary)]
  }

  private func topic(_ topic: HelpTopic) -> [String] {
    let page = topic.page
    var lines = [".SH " + topic.rawValue.uppercased(), roff(page.title)]
    for form in page.usage { lines += [".PP", "\\fB" + Manual.escaped(form) + "\\fR"] }
    for part in page.sections {
      lines += [".SS " + roff(part.title), ".PD 0"] + part.rows.flatMap { entry(($0.term, $0.meaning)) }
    }
    lines.append(".PD")
    if let closing = page.closing { lines += [".PP", roff(closing)] }
    return lines
  }

  private func entry(_ row: (term: String, meaning: LocalizedText)) -> [String] {
    [Manual.tag("\\fB" + Manual.escaped(row.term) + "\\fR"), roff(row.meaning)]
  }

  /// Returns the request for a paragraph with a tag; its text begins `indent` cells from the left, on the same row if
  /// the tag is shorter.
  private static func tag(_ text: String, _ indent: Int = 24) -> String { ".IP \"\(text)\" \(indent)" }

  private func section(_ title: LocalizedText) -> [String] { [".SH " + title[language].plain] }

  private func roff(_ wording: LocalizedText) -> String {
    let text = Manual.escaped(wording[language].plain)
    // A line that begins like this would be a request.
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
  }
}
