import CommandLanguage
import Presentation
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text

@testable import Commands
@testable import Shell

/// The Korean output of every command: its help page, and its error messages.
@Suite(.timeLimit(Trial.limit)) struct KoreanOutputTests {
  private static let declarations = AllCommands.all.map { $0.declaration }

  @Test(arguments: CommandDeclaration.Group.allCases)
  func koreanHelpOfAGroupEqualsGolden(_ group: CommandDeclaration.Group) throws {
    let pages = Self.declarations.filter { $0.group == group }.map { "> help \($0.name)\n" + Self.text(Help.page($0)) }
    try Golden("korean/help-\(group)").check(pages.joined(separator: "\n"))
  }

  @Test func koreanHelpMatchesGolden() throws {
    let pages =
      ["> help\n" + Self.text(Help.overview(Self.declarations))]
      + HelpTopic.allCases.map { "> help \($0.rawValue)\n" + Self.text($0.page) }
    try Golden("korean/help").check(pages.joined(separator: "\n"))
  }

  private static func isNeeded(_ parameter: Parameter) -> Bool {
    parameter.style == .positional(required: true) || parameter.style == .rest(required: true)
  }

  private static func text(_ page: HelpPage) -> String {
    let options = RenderOptions(language: .korean, width: 80)
    return TerminalRenderer().render(.drawing(HelpRenderer(page, options).drawing), options)
  }

  /// Each command with an invalid word, and without its required arguments.
  @Test func koreanErrorsOfInvalidLinesEqualGolden() async throws {
    var lines: [String] = []
    for declaration in Self.declarations {
      lines.append("\(declaration.name) --없는-옵션")
      if declaration.parameters.contains(where: Self.isNeeded) { lines.append(declaration.name) }
    }
    try await check("misread", lines)
  }

  /// Missing products, products of other vendors, and unexpected results.
  @Test func koreanErrorsOfRefusedCommandsEqualGolden() async throws {
    try await check("refused", Self.refusedLines.split(separator: "\n").map(String.init))
  }

  private static let refusedLines = """
    show 999999
    show 없는이름
    image 999999
    export 999999 to ~/a.csv
    chart 재고
    ls 쪽
    ls page 99
    next
    search 
    patch 999999 stock=1 yes
    patch 139 stock=1 yes
    patch 138,139 stock=1 yes
    patch where stock=0 stock=1 yes
    patch 138 stock=-1
    patch 138 price=1
    patch 138 price=19,99
    patch 138 color=red
    patch 138 stock=3
    patch 138 name=가
    patch 138 discount=99999999 yes
    rm 999999 yes
    rm 139 yes
    rm 138
    edit 999999
    edit 139
    edit mine columns vendor
    walk 999999
    walk 139
    new name=가
    new name='새 요리책' description='사계절 반찬 백 가지.' price=9000 currency=KRW images=~/none.png
    restore mine from 없음
    restore 138 vendor
    snapshot 'a/b'
    diff 없음
    import ~/none.csv
    apply ~/none.json
    sale mine 10% from 12-24 to 12-20
    sale 139 10% from 12-24 to 12-26
    due apply
    undo
    undo 99
    undo batch 99
    redo
    resume
    resume forget
    resume send 9
    log 0
    explain
    explain 99
    dupes send
    profile 없음
    profile add 봄 없는주소
    profile rm demo
    login 아무개
    get
    get 주소
    get /none
    PATCH /api/products/138 {} yes
    let 1a = 3
    let a = show 999999
    echo $없음
    assert 1 = 2
    assert $없음 = 2
    expect 봄
    if 1
    each
    source ~/none.market
    alias ls = show
    alias 없음
    save ~/none/a
    format yaml
    set lang fr
    set page-size 0
    set 없음
    help 없음
    history 봄
    weather 37,200
    ls where 값<1
    ls where price<
    ls where name~/[/
    ls as csv to ~/a.xlsx
    ls > a.csv
    ls "열린
    lst
    select *
    ls as yaml
    watch 0 ls
    dry ls 9 9
    curl undo
    swift ls where stock=0
    time
    logout
    patch 138 stock=1 yes
    whoami
    """

  /// Every command that writes, in a read-only session.
  @Test func koreanErrorsInAReadOnlySessionEqualGolden() async throws {
    var options = SessionOptions()
    options.readOnly = true
    let lines = Self.declarations.filter(\.writesToMarket).compactMap {
      $0.examples.first { !$0.line.contains("GET") }?.line
    }
    try await check("only-reading", lines, options)
  }

  private func check(_ name: String, _ lines: [String], _ options: SessionOptions = SessionOptions()) async throws {
    var options = options
    options.language = "ko"
    var text = ""
    try await Sandbox.with(asker: ScriptedAsker([]), options: options, environment: ["VISUAL": "false"]) { sandbox in
      for line in lines {
        let said = await sandbox.run(line)
        text += "> \(line)\n" + said
      }
    }
    try Golden("korean/\(name)").check(text)
    #expect(Self.english(in: text) == [])
  }

  /// Returns English words in messages, without quoted input, names and a server's text.
  private static func english(in text: String) -> [String] {
    let said = text.split(separator: "\n").filter { line in
      line.contains(/^! (오류|경고|참고|  (이유|힌트)):/) && !line.contains(/^!   이유: 응답 \d/)
    }
    let plain = said.joined(separator: "\n").replacing(/`[^`]*`/, with: "")
    return Set(plain.matches(of: /[A-Za-z]{2,} [a-z]{2,}/).map { String($0.0) }).sorted()
  }
}
