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
        "COMMAND", .rest(required: false), kind: .command,
        summary: LocalizedText(
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
    "photo": "images", "photos": "images", "사진": "images", "password": "login", "비밀번호": "login",
    "excel": "import", "엑셀": "import", "xlsx": "import", "vendor id": "vendor_id", "vendors id": "vendor_id",
  ]

  private static let index = HelpIndex(
    AllCommands.grammar.declarations,
    settings: Setting.all.map { .init("set " + $0.name, names: [$0.name], summary: $0.summary) })

  package func run(in scope: inout CommandScope) -> CommandResult {
    let page = isAboutKeys ? HelpTopic.keysPage(vi: scope.session.settings.keys == .vi) : page
    var drawing = HelpRenderer(page, scope.dataOptions).drawing
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

/// The layout of a help page for the width of the window, with the terms in one column.
///
/// Data formats contain its rows.
package struct HelpRenderer {
  /// The width if the output has none.
  private static let defaultWidth = 80
  /// The maximum width of the column of terms.
  ///
  /// Longer terms have their own line.
  private static let widestTerm = 40

  private let page: HelpPage
  private let options: RenderOptions
  private let width: Int

  package init(_ page: HelpPage, _ options: RenderOptions) {
    self.page = page
    self.options = options
    width = max(20, options.width ?? HelpRenderer.defaultWidth)
  }

  package var drawing: Figure { Figure(lines, table: table) }

  private var lines: [[Figure.Run]] {
    var lines = Figure.paragraph(page.title[options.language], width: width, options)
    if !page.usage.isEmpty { lines += [[]] + usage }
    if let details = page.details { lines += [[]] + Figure.paragraph(details[options.language], width: width, options) }
    var previous: HelpPage.Section.Shape?
    for section in page.sections {
      switch section.shape {
      case .rows: lines += (section.title.english.plain.isEmpty ? [] : [[]]) + rows(section)
      case .terms: lines += (previous == .terms ? [] : [[]]) + terms(section)
      }
      previous = section.shape
    }
    if let closing = page.closing { lines += [[]] + Figure.paragraph(closing[options.language], width: width, options) }
    return lines
  }

  /// The forms of the command; further lines of a form are indented.
  private var usage: [[Figure.Run]] {
    let heading = LocalizedText("Usage", ko: "사용법")[options.language].plain
    var lines = Figure.paragraph("\(.strong(heading))", width: width, options)
    for form in page.usage {
      guard width >= 40 else {
        lines += painted(form, indent: 2)
        continue
      }
      let pieces = Syntax.pieces(of: form).flatMap { piece in
        options.cells.of(piece) <= width - 6 ? [piece] : piece.split(separator: " ").map(String.init)
      }
      lines += packed(pieces, gap: " ", hanging: 6).enumerated().map { index, text in
        [.init(String(repeating: " ", count: index == 0 ? 2 : 6) + text, .accent)]
      }
    }
    return lines
  }

  /// Returns the lines of a command, wrapped at spaces.
  private func painted(_ text: String, indent: Int) -> [[Figure.Run]] {
    Figure.paragraph(StyledText(text), width: width - indent, options).map { line in
      [.init(String(repeating: " ", count: indent) + line.map(\.text).joined(), .accent)]
    }
  }

  private func heading(_ section: HelpPage.Section) -> [[Figure.Run]] {
    if section.title.english.plain.isEmpty { return [] }
    return Figure.paragraph("\(.strong(section.title[options.language].plain))", width: width, options)
  }

  /// Returns the lines of a heading with rows of a term and its meaning.
  private func rows(_ section: HelpPage.Section) -> [[Figure.Run]] {
    var lines = heading(section)
    let fitting = section.rows.map { options.cells.of($0.term(in: options.language)) }.filter {
      $0 <= HelpRenderer.widestTerm
    }
    let column = (fitting.max() ?? HelpRenderer.widestTerm) + 4
    for row in section.rows { lines += self.row(row, column) }
    return lines
  }

  private func row(_ row: HelpPage.Row, _ column: Int) -> [[Figure.Run]] {
    let text = row.term(in: options.language)
    let term = options.cells.of(text) + 2
    let isNarrow = width - column < 16
    let start = isNarrow ? 6 : column
    let meaning = Figure.paragraph(row.meaning[options.language], width: width - start, options)
    let hanging = Figure.Run(String(repeating: " ", count: start))
    if isNarrow || term + 2 > column {
      let head = options.cells.truncated("  " + text, to: width, ellipsis: options.usesASCII ? ".." : "…")
      return [[.init(head, .accent)]] + meaning.map { [hanging] + $0 }
    }
    let filling = Figure.Run(String(repeating: " ", count: column - term))
    return meaning.enumerated().map { index, line in
      index == 0 ? [.init("  " + text, .accent), filling] + line : [hanging] + line
    }
  }

  /// Returns the lines of a heading followed by its terms.
  private func terms(_ section: HelpPage.Section) -> [[Figure.Run]] {
    let column = (page.sections.filter { $0.shape == .terms }.map { titleWidth($0) }.max() ?? 0) + 2
    guard width - column >= 20 else {
      return heading(section) + painted(section.rows.map(\.term).joined(separator: "  "), indent: 2)
    }
    let title = Figure.Run(section.title[options.language].plain, .bold)
    return packed(section.rows.map(\.term), gap: "  ", hanging: column).enumerated().map { index, text in
      let filling = String(repeating: " ", count: column - (index == 0 ? titleWidth(section) : 0))
      return (index == 0 ? [title] : []) + [.init(filling), .init(text, .accent)]
    }
  }

  private func titleWidth(_ section: HelpPage.Section) -> Int {
    options.cells.of(section.title[options.language].plain)
  }

  /// Returns the pieces packed into as few lines as possible after the hanging indent.
  private func packed(_ pieces: [String], gap: String, hanging: Int) -> [String] {
    var lines = [""]
    for piece in pieces {
      let longer = lines[lines.count - 1].isEmpty ? piece : lines[lines.count - 1] + gap + piece
      if options.cells.of(longer) <= width - hanging || lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = longer
      } else {
        lines.append(piece)
      }
    }
    return lines
  }

  private var table: Table {
    Table(
      [
        .init("section", LocalizedText("part", ko: "부분")), .init("term", LocalizedText("syntax", ko: "입력")),
        .init("meaning", LocalizedText("description", ko: "설명")),
      ],
      rows: page.sections.flatMap { section in
        section.rows.map { row in
          let term: Table.Cell =
            row.koreanTerm.map { .localized(LocalizedText(StyledText(row.term), ko: StyledText($0))) }
            ?? .text(row.term)
          return [.localized(section.title), term, .localized(row.meaning)]
        }
      })
  }
}
