import Catalog
import Text

extension Help {
  /// One command: how it is written, what it takes, examples.
  package static func page(_ declaration: Declaration) -> HelpPage {
    var sections = [HelpPage.Section(Wording("What it takes", ko: "받는 것"), declaration.parameters.map { row($0) })]
    if declaration.writes {
      sections.append(
        HelpPage.Section(
          Wording("Every command that writes takes", ko: "쓰는 명령이면 모두 받는 것"), Parameter.ofWriting.map { row($0) }))
    }
    if declaration.prints {
      let pipe = HelpPage.Row("| PROGRAM", "hands the data to a program", ko: "데이터를 다른 프로그램에 넘김")
      sections.append(
        HelpPage.Section(
          Wording("Where the data goes", ko: "데이터를 보낼 곳"), Parameter.ofPrinting.map { row($0) } + [pipe]))
    }
    sections.append(
      HelpPage.Section(
        Wording("Also called", ko: "다른 이름"), declaration.aliases.map { HelpPage.Row($0, declaration.summary) }))
    sections.append(
      HelpPage.Section(Wording("Examples", ko: "예"), declaration.examples.map { HelpPage.Row($0.line, $0.meaning) }))
    return HelpPage(title: declaration.summary, syntax: syntaxPieces(declaration), sections: sections)
  }

  private static func row(_ parameter: Parameter) -> HelpPage.Row {
    let term =
      switch parameter.place {
      case .option: parameter.name + " " + placeholder(parameter.kind)
      case .positional, .flag: parameter.name
      case .rest: parameter.name + "..."
      case .assignments: "NAME=VALUE"
      }
    guard case .choice(let choices) = parameter.kind, choices.count > 4 else {
      return HelpPage.Row(term, parameter.summary)
    }
    let list = choices.joined(separator: ", ")
    return HelpPage.Row(
      term, Wording(parameter.summary.english + ": \(list)", ko: parameter.summary.korean + ": \(list)"))
  }
}
