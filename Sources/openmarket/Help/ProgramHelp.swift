import ArgumentParser
import Catalog
import Engine
import Foundation
import Platform
import Presentation
import Shell
import Text

/// `--help`: the program on one screen of 80 columns and 24 lines.
enum ProgramHelp {
  /// Longer terms push their meaning to the right.
  private static let widestTerm = 26

  static func program(_ tongue: MessageLanguage) -> String {
    let usage = [
      (
        "openmarket [OPTIONS]",
        LocalizedText("a prompt, by default on a market of its own", ko: "프롬프트; 따로 정하지 않으면 내장 마켓")
      ),
      ("openmarket -c LINE | -f FILE | < FILE", LocalizedText("lines that nobody types", ko: "미리 적어 둔 줄 실행")),
      ("openmarket serve [--help]", LocalizedText("the embedded market alone", ko: "내장 마켓만")),
    ]
    return page(
      LocalizedText("A shell for the Open Market product API.", ko: "오픈 마켓 상품 API를 위한 셸."), usage, OptionRow.program,
      tongue,
      closing: LocalizedText("At the prompt, help explains the commands.", ko: "프롬프트에서 help를 입력하면 명령을 설명합니다."))
  }

  static func serve(_ tongue: MessageLanguage) -> String {
    page(
      LocalizedText("The embedded market alone, until Ctrl-C.", ko: "내장 마켓만 실행합니다. Ctrl-C로 종료합니다."),
      [
        (
          "openmarket serve [OPTIONS]",
          LocalizedText("prints its address, vendors and a request to try", ko: "주소, 판매자, 시험해 볼 요청을 출력")
        )
      ],
      OptionRow.serve, tongue)
  }

  /// What of a row the parser knows, so that help never names an option that is refused.
  static func names(_ row: OptionRow, among known: Set<String>) -> [OptionRow.Name] {
    row.names.filter { known.contains($0.name) }
  }

  private static func page(
    _ title: LocalizedText, _ usage: [(String, LocalizedText)], _ rows: [OptionRow], _ tongue: MessageLanguage,
    closing: LocalizedText? = nil
  ) -> String {
    let known = ParserFacts.names
    let options = rows.compactMap { row -> (String, LocalizedText)? in
      let names = names(row, among: known)
      return names.isEmpty ? nil : (names.map(\.text).joined(separator: ", "), row.summary)
    }
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

/// What the parser itself tells about its options: their names, and the English words it has for them.
enum ParserFacts {
  private struct Tool: Decodable { var command: Command }
  private struct Command: Decodable {
    var arguments: [Argument]?
    var subcommands: [Command]?
    var abstract: String?

    var all: [Argument] { (arguments ?? []) + (subcommands ?? []).flatMap(\.all) }
  }
  private struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
      var dashed: String { (kind == "short" ? "-" : "--") + name }
    }
    var names: [Name]?
    var abstract: String?
  }

  private static let arguments: [Argument] =
    (try? JSONDecoder().decode(Tool.self, from: Data(OpenMarket._dumpHelp().utf8)))?.command.all ?? []

  /// With their dashes; what is answered before the parser is asked stands among them.
  static let names: Set<String> = {
    let unparsed: Set = ["-h", "--help", "--version", "--generate-completion-script", "--generate-manual"]
    return unparsed.union(arguments.flatMap { $0.names ?? [] }.map(\.dashed))
  }()

  /// The parser's words by option, for where a script holds them.
  static let words: [(name: String, text: String)] = arguments.flatMap { argument in
    guard let text = argument.abstract else { return [(name: String, text: String)]() }
    return (argument.names ?? []).map { (name: $0.dashed, text: text) }
  }
}

/// What the program says about itself instead of starting: help, a completion script, a manual page.
struct ProgramPaper {
  private enum Kind { case help(serve: Bool), script(String), manual, language }

  private let kind: Kind
  private let tongue: MessageLanguage

  /// Nil when none of them is asked for, which is known without looking at the options.
  init?(_ arguments: [String], environment: Environment) {
    let words: Set = ["-h", "--help", "help", "--generate-completion-script", "--generate-manual"]
    let isAsked = arguments.contains { word in
      words.contains(word) || word.hasPrefix("--generate-completion-script=")
    }
    guard isAsked, let kind = ProgramPaper.kind(arguments) else { return nil }
    self.kind = kind
    tongue = ProgramPaper.tongue(arguments, environment)
  }

  /// Nil for a shell that has no script; the parser says so.
  var text: String? {
    switch kind {
    case .help(serve: false): return ProgramHelp.program(tongue)
    case .help(serve: true): return ProgramHelp.serve(tongue)
    case .manual: return Manual(tongue).text
    case .language: return Manual(tongue).language
    case .script(let name): return CompletionShell(rawValue: name).map { CompletionScript.text(for: $0, tongue) }
    }
  }

  /// The first word that asks, values of options left out: `-c --help` is a line and no question.
  private static func kind(_ arguments: [String]) -> Kind? {
    let valued = Set((OptionRow.program + OptionRow.serve).flatMap(\.names).filter { $0.value != nil }.map(\.name))
    var serves = false
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      switch word {
      case "--": return nil
      case "-h", "--help": return .help(serve: serves)
      case "help": return .help(serve: arguments[index...].first == "serve")
      case "serve": serves = true
      case "--generate-manual": return arguments[index...].first == "language" ? .language : .manual
      case "--generate-completion-script": return arguments[index...].first.map { .script($0) }
      case _ where word.hasPrefix("--generate-completion-script="):
        return .script(String(word.drop { $0 != "=" }.dropFirst()))
      case _ where valued.contains(word): index += 1
      case _ where !word.hasPrefix("-"): return nil
      default: continue
      }
    }
    return nil
  }

  static func tongue(_ arguments: [String], _ environment: Environment) -> MessageLanguage {
    var option: String?
    for (index, word) in arguments.enumerated() {
      if word == "--lang" { option = arguments[(index + 1)...].first }
      if word.hasPrefix("--lang=") { option = String(word.dropFirst("--lang=".count)) }
    }
    return (try? MessageLanguage(option: option, environment: environment)) ?? .english
  }
}
