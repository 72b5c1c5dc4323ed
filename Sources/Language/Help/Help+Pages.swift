import Catalog

extension Help {
  /// All commands by group, each with its summary.
  package static func overview(_ declarations: [Declaration]) -> HelpPage {
    let sections = Declaration.Group.allCases.map { group in
      HelpPage.Section(
        title: title(group),
        rows: declarations.filter { $0.group == group }.map { HelpPage.Row(term: $0.name, meaning: $0.summary) })
    }
    return HelpPage(
      title: Wording(
        "\(.command("help COMMAND")) tells more about one of these.",
        ko: "\(.command("help COMMAND"), .subject) 하나를 자세히 알려 줍니다."),
      syntax: nil, sections: sections.filter { !$0.rows.isEmpty } + [prefixes, targets])
  }

  /// One command: how it is written, what it takes, examples.
  package static func page(_ declaration: Declaration) -> HelpPage {
    var sections = [
      HelpPage.Section(
        title: Wording("What it takes", ko: "받는 것"), rows: declaration.parameters.map { row($0) })
    ]
    if declaration.writes {
      sections.append(
        HelpPage.Section(
          title: Wording("Every command that writes takes", ko: "쓰는 명령이면 모두 받는 것"),
          rows: Parameter.ofWriting.map { row($0) }))
    }
    if declaration.prints {
      let pipe = HelpPage.Row(
        term: "| PROGRAM", meaning: Wording("hands the data to a program", ko: "데이터를 다른 프로그램에 넘김"))
      sections.append(
        HelpPage.Section(
          title: Wording("Where the data goes", ko: "데이터를 보낼 곳"), rows: Parameter.ofPrinting.map { row($0) } + [pipe]))
    }
    if !declaration.aliases.isEmpty {
      sections.append(
        HelpPage.Section(
          title: Wording("Also called", ko: "다른 이름"),
          rows: declaration.aliases.map { HelpPage.Row(term: $0, meaning: declaration.summary) }))
    }
    sections.append(
      HelpPage.Section(
        title: Wording("Examples", ko: "예"),
        rows: declaration.examples.map { HelpPage.Row(term: $0.line, meaning: $0.meaning) }))
    return HelpPage(
      title: declaration.summary, syntax: syntax(declaration), sections: sections.filter { !$0.rows.isEmpty })
  }

  private static func row(_ parameter: Parameter) -> HelpPage.Row {
    let term =
      switch parameter.place {
      case .option: parameter.name + " " + placeholder(parameter.kind)
      case .positional, .flag: parameter.name
      case .rest: parameter.name + "..."
      case .assignments: "NAME=VALUE"
      }
    return HelpPage.Row(term: term, meaning: parameter.summary)
  }

  private static let prefixes = HelpPage.Section(
    title: Wording("In front of any command", ko: "모든 명령 앞에"),
    rows: [
      HelpPage.Row(term: "dry", meaning: Wording("says what would be sent, writes nothing", ko: "보낼 내용만 보이고 쓰지 않음"))
    ])

  private static let targets = HelpPage.Section(
    title: Wording("Targets", ko: "대상"),
    rows: [
      HelpPage.Row(term: "42  42,43  40-45", meaning: Wording("products by number", ko: "번호로")),
      HelpPage.Row(term: "@3  @1-5  @all", meaning: Wording("rows of the last listing", ko: "마지막 목록의 줄")),
      HelpPage.Row(term: "_", meaning: Wording("the last product", ko: "마지막 상품")),
      HelpPage.Row(term: "mine", meaning: Wording("your own products", ko: "내 상품")),
      HelpPage.Row(term: "where EXPR", meaning: Wording("those a condition holds for", ko: "조건에 맞는 상품")),
    ])

  private static func title(_ group: Declaration.Group) -> Wording {
    switch group {
    case .products: Wording("Products", ko: "상품")
    case .vendors: Wording("Vendors", ko: "판매자")
    case .requests: Wording("Requests", ko: "요청")
    case .weather: Wording("Weather", ko: "날씨")
    case .scripting: Wording("Scripting", ko: "스크립트")
    case .session: Wording("Session", ko: "세션")
    }
  }
}
