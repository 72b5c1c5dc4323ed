import Catalog
import Text

/// A help text as data, independent of layout: sections with rows of a term and its meaning.
package struct HelpPage: Hashable, Sendable {
  /// A term that can be typed, with its meaning.
  package struct Row: Hashable, Sendable {
    /// The term.
    package var term: String
    package var meaning: LocalizedText

    package init(_ term: String, _ meaning: LocalizedText) {
      self.term = term
      self.meaning = meaning
    }

    package init(_ term: String, _ meaning: StyledText, ko: StyledText) {
      self.init(term, LocalizedText(meaning, ko: ko))
    }
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
  /// The usage of the command in pieces between which a line may break, or an empty list.
  package var syntax: [String]
  package var sections: [Section]
  /// The reference to further help, or `nil`.
  package var closing: LocalizedText?

  package init(title: LocalizedText, syntax: [String] = [], sections: [Section], closing: LocalizedText? = nil) {
    self.title = title
    self.syntax = syntax
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
  case formats
  case editions
  case exitCodes = "exit-codes"
  case environment
  case keys
  case prefixes
  case scripts
  case habits

  package var page: HelpPage {
    switch self {
    case .targets: HelpTopic.targetsPage
    case .where: HelpTopic.wherePage
    case .fields: HelpTopic.fieldsPage
    case .assignments: HelpTopic.assignmentsPage
    case .formats: HelpTopic.formatsPage
    case .editions: HelpTopic.editionsPage
    case .exitCodes: HelpTopic.exitCodesPage
    case .environment: HelpTopic.environmentPage
    case .keys: HelpTopic.keysPage(vi: false)
    case .prefixes: HelpTopic.prefixesPage
    case .scripts: HelpTopic.scriptsPage
    case .habits: HelpTopic.habitsPage
    }
  }

  /// Returns the topic of that name, or the topic that explains the prefix.
  package static func named(_ name: String) -> HelpTopic? {
    let name = name.lowercased()
    if name == "startup" || name == "startup.market" { return .environment }
    return HelpTopic(rawValue: name) ?? (Prefix.words.contains(name) ? .prefixes : nil)
  }
}

/// The help texts, derived from the declarations.
package enum Help {
  /// Returns the page of one command: usage, parameters, examples.
  package static func page(_ declaration: Declaration) -> HelpPage {
    var sections = [
      HelpPage.Section(LocalizedText("Arguments", ko: "인자"), ownRows(declaration))
    ]
    if declaration.writes {
      sections.append(
        HelpPage.Section(
          LocalizedText("Options for changes", ko: "변경 명령 공통 옵션"), Parameter.ofWriting.map { row($0) }))
    }
    if declaration.prints {
      let pipe = HelpPage.Row("| PROGRAM", "pipe the output to a program", ko: "데이터를 다른 프로그램에 넘김")
      sections.append(
        HelpPage.Section(
          LocalizedText("Output", ko: "출력"), Parameter.ofPrinting.map { row($0) } + [pipe]))
    }
    sections.append(
      HelpPage.Section(
        LocalizedText("Aliases", ko: "다른 이름"), declaration.aliases.map { HelpPage.Row($0, declaration.summary) }))
    sections.append(
      HelpPage.Section(
        LocalizedText("Examples", ko: "예"), declaration.examples.map { HelpPage.Row($0.line, $0.meaning) }))
    return HelpPage(title: declaration.summary, syntax: Syntax.pieces(declaration), sections: sections)
  }

  /// Returns a row for each parameter of the command itself, without the shared options.
  static func ownRows(_ declaration: Declaration) -> [HelpPage.Row] { declaration.parameters.map { row($0) } }

  private static func row(_ parameter: Parameter) -> HelpPage.Row {
    let term =
      switch parameter.place {
      case .option: parameter.name + " " + Syntax.placeholder(parameter.kind)
      case .positional, .flag: parameter.name
      case .rest: parameter.name + "..."
      case .assignments: "NAME=VALUE"
      }
    guard case .choice(let choices) = parameter.kind, choices.count > 4 else {
      return HelpPage.Row(term, parameter.summary)
    }
    let list = choices.joined(separator: ", ")
    return HelpPage.Row(
      term, LocalizedText(parameter.summary.english + ": \(list)", ko: parameter.summary.korean + ": \(list)"))
  }
}

extension Help {
  /// Returns all commands by group, the general syntax and further topics, on one screen of 24 lines.
  package static func overview(_ declarations: [Declaration]) -> HelpPage {
    let groups = Declaration.Group.allCases.flatMap { group in
      sections(group, declarations.filter { $0.group == group })
    }
    return HelpPage(
      title: LocalizedText(
        "Run \(.command("help COMMAND")) for details and examples.",
        ko: "\(.command("help 명령"), .toward) 사용법과 예를 볼 수 있습니다."),
      sections: groups + [prefixes, targets, data, topics],
      closing: LocalizedText(
        "Tab completes, Ctrl-R searches history, Ctrl-C cancels, Ctrl-D exits.",
        ko: "Tab은 자동 완성, Ctrl-R은 입력 기록 검색, Ctrl-C는 취소, Ctrl-D는 종료."))
  }

  /// Returns the sections of a group.
  ///
  /// Products have two: commands that read and commands that write.
  private static func sections(_ group: Declaration.Group, _ declarations: [Declaration]) -> [HelpPage.Section] {
    func section(_ title: LocalizedText, _ declarations: [Declaration]) -> HelpPage.Section {
      HelpPage.Section(title, declarations.map { HelpPage.Row($0.name, $0.summary) }, shape: .terms)
    }
    guard group == .products else { return [section(title(group), declarations)] }
    return [
      section(LocalizedText("View", ko: "조회"), declarations.filter { !$0.writes }),
      section(LocalizedText("Change", ko: "변경"), declarations.filter(\.writes)),
    ]
  }

  private static let prefixes = HelpPage.Section(
    LocalizedText("Prefixes", ko: "접두어"),
    [
      .init("dry", "shows what would be sent, without sending it", ko: "보낼 내용만 표시"),
      .init("curl", "prints the requests as curl commands instead of sending them", ko: "보내는 대신 curl 명령으로"),
      .init("swift", "prints the requests as Swift code instead of sending them", ko: "보내는 대신 Swift 코드로"),
      .init("time", "shows how long each step took", ko: "구간별 소요 시간"),
      .init("trace", "shows requests and responses, with secrets masked", ko: "요청과 응답(시크릿은 가림)"),
      .init("watch SECONDS", "repeats the command and prints what changed", ko: "반복 실행하며 바뀐 것만"),
    ], shape: .terms)

  private static let targets = HelpPage.Section(
    LocalizedText("Targets", ko: "대상"),
    HelpTopic.targets.page.sections[0].rows.map { .init($0.term, $0.meaning) }, shape: .terms)

  private static let data = HelpPage.Section(
    LocalizedText("Output", ko: "출력"),
    [
      .init("as json", "output format for this command", ko: "이 명령에만 쓸 형식"),
      .init("to FILE", "to a file", ko: "파일로(전부 아니면 저장 안 함)"),
      .init("| PROGRAM", "to a program", ko: "다른 프로그램으로"),
    ], shape: .terms)

  private static let topics = HelpPage.Section(
    LocalizedText("Topics", ko: "help ..."), HelpTopic.allCases.map { HelpPage.Row($0.rawValue, $0.page.title) },
    shape: .terms)

  private static func title(_ group: Declaration.Group) -> LocalizedText {
    switch group {
    case .products: LocalizedText("Products", ko: "상품")
    case .vendors: LocalizedText("Vendor", ko: "판매자")
    case .requests: LocalizedText("Requests", ko: "요청")
    case .weather: LocalizedText("Weather", ko: "날씨")
    case .scripting: LocalizedText("Scripts", ko: "스크립트")
    case .session: LocalizedText("Session", ko: "세션")
    }
  }
}
