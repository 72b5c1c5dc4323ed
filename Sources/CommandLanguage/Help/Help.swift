import Text

/// The help texts, derived from the declarations.
package enum Help {
  /// Returns the page of one command: usage, description, parameters, examples, and the short forms among `declarations`.
  ///
  /// Options that many commands share are only named; the topics `writing` and `output` explain them.
  package static func page(
    _ declaration: CommandDeclaration, among declarations: [CommandDeclaration] = []
  ) -> HelpPage {
    let own = Set(declaration.parameters.map(\.name))
    var sections = [HelpPage.Section(LocalizedText("Arguments", ko: "인자"), ownRows(declaration))]
    if declaration.writesToMarket {
      let rows = Parameter.writeOptions.filter { !own.contains($0.name) }.map { row($0) }
      sections.append(HelpPage.Section(LocalizedText("For changes", ko: "변경 옵션"), rows, shape: .terms))
    }
    if declaration.producesData {
      let rows = Parameter.outputOptions.filter { !own.contains($0.name) }.map { row($0) } + [pipe]
      sections.append(HelpPage.Section(LocalizedText("Output", ko: "출력 옵션"), rows, shape: .terms))
    }
    sections.append(
      HelpPage.Section(
        LocalizedText("Also called", ko: "다른 이름"), declaration.aliases.map { HelpPage.Row($0, declaration.summary) },
        shape: .terms))
    sections.append(
      HelpPage.Section(
        LocalizedText("Short forms", ko: "짧은 명령"),
        declarations.filter { $0.variantOf == declaration.name }.map { HelpPage.Row($0.name, $0.summary) }))
    sections.append(
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"), declaration.examples.map { HelpPage.Row($0) }))
    return HelpPage(
      title: declaration.summary, usage: Syntax.usage(declaration), details: declaration.details, sections: sections,
      closing: closing(declaration))
  }

  private static func closing(_ declaration: CommandDeclaration) -> LocalizedText? {
    let topics =
      (declaration.writesToMarket ? ["help writing"] : []) + (declaration.producesData ? ["help output"] : [])
    guard let first = topics.first else { return nil }
    guard let second = topics.dropFirst().first else {
      return LocalizedText(
        "See \(.command(first)) for the shared options.", ko: "공통 옵션은 \(.command(first))에서 볼 수 있습니다.")
    }
    return LocalizedText(
      "See \(.command(first)) and \(.command(second)) for the shared options.",
      ko: "공통 옵션은 \(.command(first), .with) \(.command(second))에서 볼 수 있습니다.")
  }

  /// The row about passing output to another program.
  static let pipe = HelpPage.Row("| PROGRAM", "pipe the output to a program", ko: "다른 프로그램에 넘김")

  /// Returns a row for each parameter of the command itself, without the shared options.
  static func ownRows(_ declaration: CommandDeclaration) -> [HelpPage.Row] { declaration.parameters.map { row($0) } }

  /// Returns the row of a parameter: its name with a placeholder, and its meaning.
  package static func row(_ parameter: Parameter) -> HelpPage.Row {
    let term =
      switch parameter.style {
      case .option: parameter.name + " " + Syntax.placeholder(of: parameter)
      case .positional, .flag: parameter.name
      case .rest: parameter.name + "..."
      case .assignments: "NAME=VALUE"
      }
    guard case .choice(let choices) = parameter.kind, choices.count > 4 else {
      return HelpPage.Row(term, parameter.summary)
    }
    // A choice in lowercase, accepted besides the one in uppercase, is not listed.
    let list = choices.filter { !choices.contains($0.uppercased()) || $0 == $0.uppercased() }.joined(separator: ", ")
    return HelpPage.Row(
      term, LocalizedText(parameter.summary.english + ": \(list)", ko: parameter.summary.korean + ": \(list)"))
  }
}

extension Help {
  /// Returns the commands of an ordinary day, with a line about each.
  package static func overview(_ declarations: [CommandDeclaration]) -> HelpPage {
    HelpPage(
      title: LocalizedText("Getting started", ko: "시작하기"),
      sections: [
        HelpPage.Section(
          LocalizedText("", ko: ""),
          declarations.filter { $0.traits.contains(.daily) }.map { HelpPage.Row($0.name, $0.summary) })
      ],
      closing: LocalizedText(
        "\(.command("help COMMAND")) shows details and examples, \(.command("help all")) every command and topic. \(.command("dry COMMAND")) shows what a command would send.",
        ko:
          "\(.command("help 명령"), .topic) 사용법과 예를, \(.command("help all"), .topic) 모든 명령과 주제를 보여 줍니다. \(.command("dry 명령"), .topic) 보낼 내용만 보여 줍니다."
      ))
  }

  /// Returns every command with a line about it, by group, and the prefixes and topics.
  ///
  /// A short form of another command is listed in the help of that command.
  package static func all(_ declarations: [CommandDeclaration]) -> HelpPage {
    HelpPage(
      title: LocalizedText("all commands", ko: "모든 명령"),
      sections: CommandDeclaration.Group.allCases.map { group in
        HelpPage.Section(
          title(group),
          declarations.filter { $0.group == group && $0.variantOf == nil }.map { HelpPage.Row($0.name, $0.summary) })
      } + [prefixes, topics],
      closing: LocalizedText(
        "Run \(.command("help COMMAND")) or \(.command("help TOPIC")) for details and examples.",
        ko: "\(.command("help 명령"))이나 \(.command("help 주제"), .toward) 사용법과 예를 볼 수 있습니다."))
  }

  private static let prefixes = HelpPage.Section(
    LocalizedText("Prefixes", ko: "접두어"), HelpTopic.prefixes.page.sections[0].rows)

  private static let topics = HelpPage.Section(
    LocalizedText("Topics", ko: "주제"), HelpTopic.allCases.map { HelpPage.Row($0.rawValue, $0.page.title) })

  private static func title(_ group: CommandDeclaration.Group) -> LocalizedText {
    switch group {
    case .view: LocalizedText("View", ko: "조회")
    case .change: LocalizedText("Change", ko: "변경")
    case .schedule: LocalizedText("Schedule", ko: "예약")
    case .review: LocalizedText("Review", ko: "확인")
    case .account: LocalizedText("Account", ko: "계정")
    case .api: LocalizedText("API", ko: "API")
    case .weather: LocalizedText("Weather", ko: "날씨")
    case .scripting: LocalizedText("Scripts", ko: "스크립트")
    case .session: LocalizedText("Session", ko: "세션")
    }
  }
}

/// A help text as data, independent of layout: sections with rows of a term and its meaning.
package struct HelpPage: Hashable, Sendable {
  /// A term that can be typed, with its meaning.
  package struct Row: Hashable, Sendable {
    /// The text to type.
    package var term: String
    /// The text with Korean words, for help in Korean, or `nil` if it is the same in both languages.
    package var koreanTerm: String?
    package var meaning: LocalizedText

    package init(_ term: String, inKorean koreanTerm: String? = nil, _ meaning: LocalizedText) {
      self.term = term
      self.koreanTerm = koreanTerm
      self.meaning = meaning
    }

    package init(_ term: String, inKorean koreanTerm: String? = nil, _ meaning: StyledText, ko: StyledText) {
      self.init(term, inKorean: koreanTerm, LocalizedText(meaning, ko: ko))
    }

    init(_ example: CommandDeclaration.Example) {
      self.init(example.line, inKorean: example.koreanLine, example.meaning)
    }

    /// Returns the text to type as help in a language shows it.
    package func term(in language: MessageLanguage) -> String { language == .korean ? koreanTerm ?? term : term }

    /// The text to type in each language.
    package var terms: [String] { [term] + (koreanTerm.map { [$0] } ?? []) }
  }

  /// Rows with a heading.
  package struct Section: Hashable, Sendable {
    /// The layout of the rows: each on a line with its meaning, or only the terms in one line after the heading.
    package enum Shape: Hashable, Sendable { case rows, terms }

    package var title: LocalizedText
    package var rows: [Row]
    package var shape: Shape

    /// A Boolean value that indicates whether the rows are lines that can be typed as they are.
    var isOfExamples: Bool { title.english.plain == "Examples" }

    package init(_ title: LocalizedText, _ rows: [Row], shape: Shape = .rows) {
      self.title = title
      self.rows = rows
      self.shape = shape
    }
  }

  package var title: LocalizedText
  /// The forms of the command, each as it is typed, or an empty list.
  package var usage: [String]
  /// The paragraph about what the command does, or `nil`.
  package var details: LocalizedText?
  package var sections: [Section]
  /// The reference to further help, or `nil`.
  package var closing: LocalizedText?

  package init(
    title: LocalizedText, usage: [String] = [], details: LocalizedText? = nil, sections: [Section],
    closing: LocalizedText? = nil
  ) {
    self.title = title
    self.usage = usage
    self.details = details
    self.sections = sections.filter { !$0.rows.isEmpty }
    self.closing = closing
  }
}

/// The topics that `help` explains in addition to the commands: `help where`, `help exit-codes`.
package enum HelpTopic: String, Hashable, Sendable, CaseIterable {
  case targets
  case `where`
  case fields
  case assignments
  case values
  case regex
  case output
  case writing
  case curl
  case editions
  case markets
  case exitCodes = "exit-codes"
  case environment
  case keys
  case prefixes
  case prompt
  case scripts
  case mcp
  case habits

  package var page: HelpPage {
    switch self {
    case .targets: HelpTopic.targetsPage
    case .where: HelpTopic.wherePage
    case .fields: HelpTopic.fieldsPage
    case .assignments: HelpTopic.assignmentsPage
    case .values: HelpTopic.valuesPage
    case .regex: HelpTopic.regexPage
    case .output: HelpTopic.outputPage
    case .writing: HelpTopic.writingPage
    case .curl: HelpTopic.curlPage
    case .editions: HelpTopic.editionsPage
    case .markets: HelpTopic.marketsPage
    case .exitCodes: HelpTopic.exitCodesPage
    case .environment: HelpTopic.environmentPage
    case .keys: HelpTopic.keysPage(vi: false)
    case .prefixes: HelpTopic.prefixesPage
    case .prompt: HelpTopic.promptPage
    case .scripts: HelpTopic.scriptsPage
    case .mcp: HelpTopic.mcpPage
    case .habits: HelpTopic.habitsPage
    }
  }

  /// Returns the topic of that name or of another name for it, or the topic that explains the prefix.
  package static func named(_ name: String) -> HelpTopic? {
    let name = name.lowercased()
    if let topic = HelpTopic(rawValue: name) ?? otherNames[name] { return topic }
    return CommandPrefix.words.contains(name) || name == "until" ? .prefixes : nil
  }

  private static let otherNames: [String: HelpTopic] = [
    "startup": .environment, "startup.market": .environment, "files": .environment, "formats": .output,
    "conditions": .where, "regexp": .regex, "variables": .values, "ci": .scripts, "options": .writing, "agents": .mcp,
    "agent": .mcp, "rw": .prompt, "ro": .prompt, "pending": .prompt, "as": .output, "to": .output,
  ]
}
