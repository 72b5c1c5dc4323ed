import CommandLanguage
import Networking
import Presentation
import ShellRuntime
import Text

/// `help`: shows an overview of the commands, the help of a command or a topic, or the pages that contain a word.
package struct HelpCommand: Command {
  package static let declaration = CommandDeclaration(
    "help", aliases: ["?"], group: .session, summary: LocalizedText("show help for a command or topic", ko: "도움말"),
    usage: ["help [COMMAND | TOPIC | WORD...]", "help all"],
    producesData: true,
    traits: [.excludedFromSavedScripts],
    parameters: [
      Parameter(
        "COMMAND", .rest(required: false), .command,
        LocalizedText(
          "a command, a topic (\(HelpCommand.topics)), or a word to search for",
          ko: "명령, 주제(\(HelpCommand.topics)), 또는 찾을 단어"
        ))
    ],
    examples: [
      .init("help", "the commands of an ordinary day", ko: "매일 쓰는 명령"),
      .init("help all", "every command and topic", ko: "모든 명령과 주제"),
      .init("help ls", "explains one command, with examples", ko: "한 명령을 예와 함께"),
      .init("help where", "explains conditions", ko: "조건을 쓰는 법"),
      .init("help all as json", "all commands as data for programs", ko: "모든 명령을 프로그램이 읽을 데이터로"),
      .init("help price", "finds every page that mentions a price", ko: "가격이 나오는 모든 도움말 찾기"),
    ])

  private static let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")

  private let page: HelpPage
  /// A Boolean value that indicates that the key bindings are shown, which depend on the session's settings.
  private let isAboutKeys: Bool
  /// The words after `help`.
  private let words: [String]

  /// - Throws: `ParseError` for a word that no help page contains.
  package init(_ invocation: ParsedCommand) throws {
    let words = invocation.all("COMMAND")
    self.words = words
    isAboutKeys = words == [HelpTopic.keys.rawValue]
    guard let name = words.first else {
      page = Help.overview(AllCommands.grammar.declarations)
      return
    }
    let asked = words.joined(separator: " ").lowercased()
    if let found = (words.count == 1 ? HelpCommand.page(name) : nil) ?? HelpCommand.page(asked) {
      page = found
      return
    }
    if let results = HelpCommand.index.page(for: words) {
      page = results
      return
    }
    page = Help.page(try AllCommands.grammar.command(name), among: AllCommands.grammar.declarations)
  }

  /// Returns the page about a word of the language: a command, a topic, a field, a setting, an option or an exit code.
  static func page(_ name: String) -> HelpPage? {
    if let other = HelpCommand.otherNames[name.lowercased()] { return page(other) }
    if name == "all" { return Help.all(AllCommands.grammar.declarations) }
    if let topic = HelpTopic(rawValue: name) { return topic.page }
    let declarations = AllCommands.grammar.declarations
    if let declaration = AllCommands.grammar.declaration(named: name) {
      return Help.page(declaration, among: declarations)
    }
    return WordHelp(name).page ?? HelpTopic.named(name)?.page
  }

  /// Words that users look for, with the word whose page explains them.
  private static let otherNames = [
    "as": "output", "to": "output", "rw": "access", "ro": "access", "photo": "images", "photos": "images",
    "사진": "images", "password": "login", "비밀번호": "login", "excel": "import", "엑셀": "import", "xlsx": "import",
    "vendor id": "vendor_id", "vendors id": "vendor_id",
  ]

  private static let index = HelpIndex(
    AllCommands.grammar.declarations,
    settings: Setting.all.map { .init("set " + $0.name, names: [$0.name], summary: $0.summary) })

  package func run(in scope: inout CommandScope) -> CommandResult {
    let page = isAboutKeys ? HelpTopic.keysPage(vi: scope.session.settings.keys == .vi) : page
    var drawing = HelpRenderer(page, scope.context.dataOptions(scope.session)).drawing
    let document = GrammarDocument(scope.session.settings.language)
    let declarations = AllCommands.grammar.declarations
    if words == ["all"] {
      drawing.json = document.all(declarations).serialized
    } else if words.count == 1, let declaration = AllCommands.grammar.declaration(named: words[0]) {
      drawing.json = document.command(declaration).serialized
    }
    return .drawing(drawing)
  }
}
