import Catalog
import CommandLanguage
import Testing
import Text

/// The help pages of commands and topics.
@Suite struct HelpTests {
  @Test func commandPageEqualsGolden() throws {
    let declaration = try #require(Sample.grammar.declaration(named: "show"))
    let page = Help.page(declaration)
    #expect(page.title.english.plain == "one product")
    #expect(page.usage == ["show [TARGET] [FIELD...]"])
    let parts = page.sections.map { part in [part.title.english.plain] + part.rows.map(\.term) }
    #expect(
      parts == [
        ["Arguments", "TARGET", "FIELD..."],
        ["Output", "as NAME", "to FILE", "replace", "bom", "| PROGRAM"],
      ])
  }

  /// The list of all commands has each of them once; a short form is in the help of the command it stands for.
  @Test func everyCommandIsListedOnce() {
    let declarations = Sample.grammar.declarations
    let rows =
      Help.all(declarations).sections.flatMap(\.rows)
      + declarations.flatMap { Help.page($0, among: declarations).sections }
      .filter { $0.title.english.plain == "Short forms" }.flatMap(\.rows)
    for declaration in declarations {
      #expect(rows.filter { $0.term == declaration.name }.count == 1, "\(declaration.name)")
    }
  }

  /// A text that is the same in both languages is code: ASCII, or an ellipsis in its place.
  ///
  /// The examples of a topic are valid: a condition, a line, or a start of the program.
  @Test(arguments: HelpTopic.allCases) func topicsAreInBothLanguagesWithValidExamples(_ topic: HelpTopic) throws {
    let page = topic.page
    let texts = [page.title] + [page.closing].compactMap(\.self) + page.sections.flatMap { $0.rows.map(\.meaning) }
    for text in texts {
      let isCode = text.english.plain.allSatisfy { $0.isASCII || $0 == "…" }
      #expect(text.english != text.korean || isCode)
    }
    guard topic == .where else { return }
    for row in page.sections.last?.rows ?? [] {
      let expression = try Condition.read(row.term)
      #expect(try Condition.read(expression.description) == expression)
    }
  }

  @Test(arguments: [
    ("ls", "ls [page N] [size N] [search TEXT] [where EXPR] [sort FIELD] [desc] [columns FIELD,...] [all]"),
    ("new", "new [FIELD=VALUE...] [images=VALUE] [from FILE]"),
    ("login", "login [identifier=VALUE] [vendor_id=VALUE] [secret=VALUE]"),
    ("alias", "alias NAME = LINE..."),
  ])
  func syntaxLineIsThatOfTheDeclaration(name: String, expected: String) throws {
    #expect(Syntax.line(try #require(Sample.grammar.declaration(named: name))) == expected)
  }
}
