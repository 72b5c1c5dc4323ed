import Catalog
import CommandLanguage
import ShellRuntime
import Text

/// The help for a word that is neither a command nor a topic: a field, a setting, a key of profiles, an option or an exit
/// code.
struct WordHelp {
  private let word: String

  init(_ word: String) { self.word = word.lowercased() }

  /// The help for every meaning of the word, or `nil` if it is no word of the language.
  var page: HelpPage? {
    let sections = [program, builtInMarket, field, setting, profile, options, exitCode].compactMap(\.self)
    guard let first = sections.first else { return nil }
    return HelpPage(
      title: LocalizedText("\(.strong(word))", ko: "\(.strong(word))"), sections: sections, closing: closing(first))
  }

  private func closing(_ section: HelpPage.Section) -> LocalizedText? {
    guard ProductField(rawValue: word) != nil else { return nil }
    return LocalizedText(
      "See \(.command("help fields")) for all fields.", ko: "모든 필드는 \(.command("help fields"))에서 볼 수 있습니다.")
  }

  /// The subcommands of the program, which are typed in the system's shell.
  private var program: HelpPage.Section? {
    let rows: [HelpPage.Row]
    switch word {
    case "serve":
      rows = [
        .init("openmarket serve", "the practice server, for a class", ko: "수업용 연습 서버"),
        .init("openmarket serve --help", "its options", ko: "옵션"),
      ]
    case "mcp":
      rows = [
        .init("openmarket mcp", "the server for agents", ko: "에이전트용 서버"),
        .init("openmarket mcp --help", "its options", ko: "옵션"),
      ]
    default: return nil
    }
    return HelpPage.Section(
      LocalizedText("Subcommand of openmarket, in the system's shell", ko: "시스템의 셸에서 쓰는 openmarket의 하위 명령"), rows)
  }

  private var builtInMarket: HelpPage.Section? {
    guard ["demo", "reset"].contains(word) else { return nil }
    return HelpPage.Section(
      LocalizedText("The built-in market", ko: "내장 마켓"),
      [
        .init("profile demo", "switches to it", ko: "전환"),
        .init("session", "shows its folder: demo in data", ko: "폴더는 data 아래의 demo"),
        .init(
          "rm -r DATA/demo", "in the system's shell, after quit: the next start makes the sample products again",
          ko: "quit 뒤 시스템의 셸에서: 다음에 시작할 때 예시 상품을 다시 만듦"),
        .init("openmarket serve --fresh", "begins again with the market of serve", ko: "serve의 마켓을 처음부터"),
      ])
  }

  private var field: HelpPage.Section? {
    guard let field = ProductField(rawValue: word) else { return nil }
    let summary = FieldSummary.of(field)
    var rows = [HelpPage.Row(word, summary)]
    rows.append(
      HelpPage.Row("ls columns id,\(word)", "shows the field in a list", ko: "목록에 이 필드를 표시"))
    if field != .images {
      rows.append(HelpPage.Row("ls sort \(word) desc", "sorts by the field", ko: "이 필드로 정렬"))
    }
    if ProductField.writable.contains(field) || field == .sale {
      rows.append(HelpPage.Row("patch TARGETS \(word)=VALUE", "changes the field", ko: "이 필드를 수정"))
    } else {
      rows.append(HelpPage.Row("help fields", "set by the server; it cannot be changed", ko: "서버가 정하며 바꿀 수 없음"))
    }
    return HelpPage.Section(LocalizedText("Field of a product", ko: "상품의 필드"), rows)
  }

  private var setting: HelpPage.Section? {
    guard let setting = Setting.byName[word] else { return nil }
    return HelpPage.Section(
      LocalizedText("Setting", ko: "설정"),
      [HelpPage.Row("set \(word)", setting.summary)]
        + values(setting.kind, setting.extraValue).map { value in
          HelpPage.Row("set \(word) \(value)", meaning(of: value))
        })
  }

  private var profile: HelpPage.Section? {
    guard let setting = ProfileSetting.all.first(where: { $0.name == word }) else { return nil }
    return HelpPage.Section(
      LocalizedText("Key of a profile", ko: "프로필의 키"),
      [HelpPage.Row("profile NAME \(word)=VALUE", setting.summary)]
        + values(setting.kind, nil).map { value in
          HelpPage.Row("profile NAME \(word)=\(value)", meaning(of: value))
        } + [HelpPage.Row("profile NAME \(word)=", "unsets it", ko: "값을 지움")])
  }

  /// The commands that accept the option, one row for each meaning it has.
  private var options: HelpPage.Section? {
    var rows: [(row: HelpPage.Row, commands: [String])] = []
    for declaration in AllCommands.grammar.declarations {
      for parameter in declaration.effectiveParameters where parameter.name.lowercased() == word {
        let row = Help.row(parameter)
        if let index = rows.firstIndex(where: { $0.row == row }) {
          rows[index].commands.append(declaration.name)
        } else {
          rows.append((row, [declaration.name]))
        }
      }
    }
    guard !rows.isEmpty else { return nil }
    return HelpPage.Section(
      LocalizedText("Option", ko: "옵션"),
      rows.map { row, commands in
        let list = commands.count > 8 ? nil : commands.joined(separator: ", ")
        let (english, korean) = (list ?? "\(commands.count) commands", list ?? "명령 \(commands.count)개")
        return HelpPage.Row(
          row.term,
          LocalizedText("\(row.meaning.english) (\(.dim(english)))", ko: "\(row.meaning.korean) (\(.dim(korean)))"))
      })
  }

  private var exitCode: HelpPage.Section? {
    guard Int(word) != nil, let section = HelpTopic.exitCodes.page.sections.first else { return nil }
    let rows = section.rows.filter { $0.term.split(separator: ", ").contains(Substring(word)) }
    return rows.isEmpty ? nil : HelpPage.Section(LocalizedText("Exit code", ko: "종료 코드"), rows)
  }

  private func values(_ kind: ValueKind, _ word: String?) -> [String] {
    let values =
      switch kind {
      case .choice(let choices): choices
      case .number(let range):
        [range.upperBound == .max ? "\(range.lowerBound)…" : "\(range.lowerBound)…\(range.upperBound)"]
      default: [String]()
      }
    return values + [word].compactMap(\.self)
  }

  private func meaning(of value: String) -> LocalizedText {
    switch (word, value) {
    case ("confirm", "always"): LocalizedText("asks before every change", ko: "변경할 때마다 물음")
    case ("confirm", "bulk"):
      LocalizedText("asks before deleting, and before changing several products", ko: "삭제할 때와 여러 상품을 변경할 때 물음")
    case ("confirm", "never"): LocalizedText("does not ask, except about unusual values", ko: "평소와 크게 다른 값이 아니면 묻지 않음")
    case ("limits", "documented"): LocalizedText("checks the documented limits before sending", ko: "보내기 전에 문서의 한도를 확인")
    case ("limits", "server"): LocalizedText("leaves the limits to the server", ko: "한도를 서버에 맡김")
    case ("after-write", "brief"): LocalizedText("one line", ko: "한 줄")
    case ("after-write", "full"): LocalizedText("the whole product", ko: "상품 전체")
    case ("page-size", "auto"): LocalizedText("as many as fit the screen", ko: "화면에 맞는 만큼")
    case ("access", "rw"): LocalizedText("reading and changing", ko: "읽기와 변경")
    case ("access", "ro"): LocalizedText("reading only", ko: "읽기 전용")
    case ("verify", "always"): LocalizedText("after every change", ko: "변경할 때마다")
    case ("verify", "batch-end"): LocalizedText("once at the end of a batch", ko: "일괄 작업이 끝날 때 한 번")
    case ("verify", "never"): LocalizedText("only if the response was unclear", ko: "응답이 분명하지 않을 때만")
    case (_, "on"): LocalizedText("turns it on", ko: "켜기")
    case (_, "off"): LocalizedText("turns it off", ko: "끄기")
    case (_, "en"): LocalizedText("English", ko: "영어")
    case (_, "ko"): LocalizedText("Korean", ko: "한국어")
    default: LocalizedText("sets this value", ko: "이 값으로 설정")
    }
  }
}
