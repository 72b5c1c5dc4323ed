import Catalog
import CommandLanguage
import Presentation
import ShellRuntime
import ShellTesting
import TestSupport
import Testing
import Text

@testable import Commands
@testable import Shell

/// What `help` says fits the window, and what it tells to type works.
@Suite(.timeLimit(Trial.limit)) struct HelpCommandTests {
  private static let pages: [(name: String, page: HelpPage)] = {
    let declarations = AllCommands.grammar.declarations
    var pages = [("overview", Help.overview(declarations)), ("all", Help.all(declarations))]
    for declaration in declarations { pages.append((declaration.name, Help.page(declaration))) }
    for topic in HelpTopic.allCases { pages.append(("topic " + topic.rawValue, topic.page)) }
    for word in HelpCommandTests.words { if let page = HelpCommand.page(word) { pages.append(("word " + word, page)) } }
    return pages
  }()

  /// The words that `help` explains, beside commands and topics.
  private static let words: [String] = {
    var words = Set(CommandPrefix.words + ["until"] + HelpCommandTests.exitCodes)
    for name in AllCommands.grammar.declarations.flatMap(\.effectiveParameters).map(\.name)
    where name.contains(where: \.isLetter) && name == name.lowercased() {
      words.insert(name)
    }
    words.formUnion(Setting.all.map(\.name))
    words.formUnion(ProfileSetting.all.map(\.name))
    words.formUnion(ProductField.allCases.map(\.rawValue))
    return words.sorted()
  }()

  /// The exit codes of the program.
  private static let exitCodes = (0...8).map(String.init) + ["129", "130", "131", "143"]

  private func lines(_ page: HelpPage, _ width: Int, _ language: MessageLanguage) -> [String] {
    let options = RenderOptions(language: language, width: width, isTerminal: true)
    let text = TerminalRenderer().render(.drawing(HelpRenderer(page, options).drawing), options)
    return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Words of help in English that are Korean, each with the reason; other examples have an English and a Korean line.
  private static let korean = [
    "재고<5 and 정가>1e4": "the headings of tables that users read in Korean are fields",
    "18,500원": "an amount in won is written so, and read in both languages",
  ]

  private func isHangul(_ scalar: Unicode.Scalar) -> Bool { ("\u{AC00}"..."\u{D7A3}").contains(scalar) }

  /// Help in English has English examples, and help in Korean has Korean ones beside them.
  @Test func examplesAreInTheLanguageOfTheHelp() {
    let names = Set(AllCommands.grammar.declarations.map(\.name) + HelpTopic.allCases.map { "topic " + $0.rawValue })
    for (name, page) in HelpCommandTests.pages where names.contains(name) {
      for line in lines(page, 200, .english) where line.unicodeScalars.contains(where: isHangul) {
        #expect(HelpCommandTests.korean.keys.contains(where: line.contains), "\(name): \(line)")
      }
      let terms = page.sections.flatMap(\.rows).compactMap(\.koreanTerm)
      let korean = lines(page, 200, .korean).joined(separator: "\n")
      for term in terms { #expect(korean.contains(term), "\(name): \(term)") }
    }
    #expect(HelpCommandTests.pages.flatMap(\.page.sections).flatMap(\.rows).count { $0.koreanTerm != nil } >= 15)
  }

  /// The first page has the words of an ordinary day with a line each.
  @Test(arguments: MessageLanguage.allCases) func overviewFitsOneScreen(_ language: MessageLanguage) {
    let lines = lines(HelpCommandTests.pages[0].page, 80, language)
    #expect(lines.count <= 23, "\(lines.joined(separator: "\n"))")
    let words = lines.filter { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
    let day = "edit export import learn ls new patch resume rm sale search show status undo"
    #expect(words.sorted().joined(separator: " ") == day)
  }

  /// Words that users look for lead to the page that explains them, also where a command begins with them.
  @Test(arguments: [
    ("as", "formats and destinations of output"), ("to", "formats and destinations of output"),
    ("rw", "what the prompt shows"), ("photo", "images"), ("사진", "images"), ("password", "log in as a vendor"),
    ("excel", "create and update products from a file"), ("vendor id", "vendor_id"),
  ])
  func aWordThatUsersLookForLeadsToItsPage(_ word: String, _ title: String) async throws {
    try await Sandbox.with { sandbox in
      let output = await sandbox.run("help " + word).split(separator: "\n").first
      #expect(output.map(String.init) == title)
    }
  }

  /// Every command is one step further, or in the help of the command of which it is a short form.
  @Test(arguments: AllCommands.grammar.declarations) func everyCommandIsOneStepAway(_ declaration: CommandDeclaration) {
    let all = HelpCommandTests.pages[1].page
    let isListed = all.sections.flatMap(\.rows).map(\.term).contains(declaration.name)
    #expect(isListed == (declaration.variantOf == nil))
    if let full = declaration.variantOf, let page = HelpCommand.page(full) {
      #expect(page.sections.flatMap(\.rows).map(\.term).contains(declaration.name))
    }
  }

  @Test(arguments: [20, 24, 30, 40, 60, 80, 120, 200], MessageLanguage.allCases)
  func noLineExceedsTheWindow(width: Int, language: MessageLanguage) {
    for (name, page) in HelpCommandTests.pages {
      for line in lines(page, width, language) where WidthMeasurer().of(line) > width {
        Issue.record("\(name) at \(width): \(line)")
      }
    }
  }

  @Test func unknownTopicIsRefused() async throws {
    try await Sandbox.with { sandbox in
      for topic in HelpTopic.allCases {
        let said = await sandbox.run("help \(topic.rawValue)")
        #expect(!said.contains(#/(?m)^= \d+$/#), "\(topic.rawValue): \(said)")
        let terms = topic.page.sections.flatMap(\.rows).map(\.term)
        #expect(!terms.isEmpty && terms.allSatisfy { said.contains($0) }, "\(topic.rawValue): \(said)")
      }
      #expect(await sandbox.run("help nothing-of-this-name").hasSuffix("= 2\n"))
    }
  }

  /// `help WORD` has an answer for every field, setting, exit code and option of a command.
  @Test func everyWordOfTheLanguageHasHelp() throws {
    for word in HelpCommandTests.words { #expect(HelpCommand.page(word) != nil, "\(word)") }
  }

  /// What a line of help shows as an example is understood where it is a line of ours.
  @Test func examplesOfTopicsAreValid() {
    // The examples of `where` are conditions, not lines.
    let sections = HelpTopic.allCases.filter { $0 != .where }.flatMap(\.page.sections)
    let examples = sections.filter { $0.title.english.plain == "Examples" }
    #expect(examples.count >= 5)
    for term in examples.flatMap(\.rows).flatMap(\.terms) where !term.hasPrefix("openmarket") {
      #expect(throws: Never.self, "\(term)") { try AllCommands.grammar.check(term) }
    }
  }

  @Test func eachTipIsShownOnce() {
    var tips = Tips { _ in 0 }
    let told = (1...400).map { _ in tips.next()?.english.plain }
    let places = told.indices.filter { told[$0] != nil }.map { $0 + 1 }
    #expect(places == Array(stride(from: 6, through: 400, by: 40)))
    let texts = told.compactMap(\.self)
    #expect(Set(texts).count == texts.count)
    #expect(texts.first == Tips.all[0].english.plain)
  }

  @Test(arguments: Tips.all) func tipsAreValidLines(_ tip: LocalizedText) throws {
    for run in tip.english.runs + tip.korean.runs where run.meaning == .command {
      let line = run.text == "dry" ? "dry rm 42" : run.text
      #expect(throws: Never.self, "\(line)") { try AllCommands.grammar.check(line) }
    }
  }

  /// What stands in front of a command has its page under each of its names.
  @Test(arguments: ["dry", "time", "trace", "watch", "until", "Prefixes"])
  func everyPrefixHasItsPage(_ name: String) async throws {
    try await Sandbox.with { sandbox in
      let page = await sandbox.run("help prefixes")
      #expect(page.contains("watch SECONDS"))
      #expect(await sandbox.run("help " + name) == page)
    }
  }
}
