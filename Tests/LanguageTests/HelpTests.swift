import Catalog
import Language
import Testing

@Suite struct HelpTests {
  @Test func pageOfACommand() throws {
    let declaration = try #require(Sample.grammar.declaration(named: "show"))
    let text = Help.page(declaration).lines(.english).map(\.plain).joined(separator: "\n")
    #expect(
      text == """
        one product

          show [TARGET] [FIELD...]

        What it takes
          TARGET    which
          FIELD...  what

        Where the data goes
          as NAME    the format, for this command only
          to FILE    write the data to a file
          | PROGRAM  hands the data to a program
        """)
  }

  @Test func overviewNamesEveryCommandInBothLanguages() {
    for tongue in Tongue.allCases {
      let lines = Help.overview(Sample.grammar.declarations).lines(tongue).map(\.plain)
      for declaration in Sample.grammar.declarations {
        #expect(lines.contains { $0.hasPrefix("  " + declaration.name + " ") }, "\(declaration.name)")
      }
    }
  }

  @Test(arguments: [
    ("ls", "ls [page N] [size N] [search TEXT] [where EXPR] [sort FIELD] [desc] [columns FIELD,...] [all]"),
    ("new", "new [FIELD=VALUE...] [images=VALUE] [from FILE]"),
    ("login", "login [identifier=VALUE] [vendor_id=VALUE] [secret=VALUE]"),
    ("alias", "alias NAME = LINE..."),
  ])
  func syntax(name: String, expected: String) throws {
    #expect(Help.syntax(try #require(Sample.grammar.declaration(named: name))) == expected)
  }
}
