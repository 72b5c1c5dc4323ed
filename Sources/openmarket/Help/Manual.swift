import ArgumentParser
import Catalog
import Commands
import Engine
import Language
import Shell
import Text

/// The manual pages, generated from the declarations that the parser and `help` read.
///
/// `openmarket --generate-manual > openmarket.1` contains the options, commands and topics; `--generate-manual language
/// > openmarket-language.7` only commands and topics. Source: man(7) of groff.
struct Manual {
  private let tongue: MessageLanguage

  init(_ tongue: MessageLanguage) { self.tongue = tongue }

  var text: String {
    var lines = [".TH OPENMARKET 1 \"\" \"openmarket \(Version.text)\" \"\""]
    lines += section(LocalizedText("NAME", ko: "이름"))
    lines.append(
      "openmarket \\- " + say(LocalizedText("shell for the Open Market product API", ko: "오픈 마켓 상품 API를 위한 셸")))
    lines += section(LocalizedText("SYNOPSIS", ko: "사용법"))
    lines += [".B openmarket", "[\\fIOPTIONS\\fR]", ".br", ".B openmarket serve", "[\\fIOPTIONS\\fR]"]
    lines += section(LocalizedText("OPTIONS", ko: "옵션")) + OptionRow.program.flatMap(option)
    lines += section(LocalizedText("SERVE OPTIONS", ko: "serve의 옵션")) + OptionRow.serve.flatMap(option)
    lines += section(LocalizedText("COMMANDS", ko: "명령")) + AllCommands.list.flatMap { command($0.declaration) }
    for topic in HelpTopic.allCases { lines += self.topic(topic) }
    lines +=
      section(LocalizedText("SEE ALSO", ko: "함께 볼 것")) + [
        ".BR openmarket\\-language (7),", ".BR less (1),", ".BR editrc (5)",
      ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The manual page of the shell's language.
  var language: String {
    var lines = [".TH OPENMARKET\\-LANGUAGE 7 \"\" \"openmarket \(Version.text)\" \"\""]
    lines += section(LocalizedText("NAME", ko: "이름"))
    lines.append(
      "openmarket\\-language \\- " + say(LocalizedText("openmarket commands and syntax", ko: "openmarket의 명령과 값")))
    lines += section(LocalizedText("COMMANDS", ko: "명령")) + AllCommands.list.flatMap { command($0.declaration) }
    for topic in HelpTopic.allCases { lines += self.topic(topic) }
    lines += section(LocalizedText("SEE ALSO", ko: "함께 볼 것")) + [".BR openmarket (1)"]
    return lines.map { $0 + "\n" }.joined()
  }

  private func option(_ row: OptionRow) -> [String] {
    let head = row.names.map { name in
      "\\fB" + Manual.escaped(name.name) + "\\fR" + (name.value.map { " \\fI" + Manual.escaped($0) + "\\fR" } ?? "")
    }
    return [".TP", head.joined(separator: ", "), say(row.summary)]
  }

  private func command(_ declaration: Declaration) -> [String] {
    let page = Help.page(declaration)
    var lines = [".SS \"" + Manual.escaped(page.syntax.joined(separator: " ")) + "\"", say(page.title)]
    for part in page.sections { lines += rows(part) }
    return lines
  }

  private func topic(_ topic: HelpTopic) -> [String] {
    let page = topic.page
    var lines = [".SH " + topic.rawValue.uppercased(), say(page.title)]
    if !page.syntax.isEmpty { lines += [".PP", "\\fB" + Manual.escaped(page.syntax.joined(separator: " ")) + "\\fR"] }
    for part in page.sections { lines += rows(part) }
    if let closing = page.closing { lines += [".PP", say(closing)] }
    return lines
  }

  private func rows(_ section: HelpPage.Section) -> [String] {
    [".PP", "\\fI" + say(section.title) + "\\fR"]
      + section.rows.flatMap { [".TP", "\\fB" + Manual.escaped($0.term) + "\\fR", say($0.meaning)] }
  }

  private func section(_ title: LocalizedText) -> [String] { [".SH " + title[tongue].plain] }

  private func say(_ wording: LocalizedText) -> String {
    let text = Manual.escaped(wording[tongue].plain)
    // A line that begins like this would be a request.
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("\"", with: "\\(dq")
  }
}
