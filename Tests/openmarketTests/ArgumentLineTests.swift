import Testing

@testable import openmarket

/// Quoting in the system's shell is preserved.
@Suite struct ArgumentLineTests {
  @Test(arguments: [
    (["ls", "where", "stock=0"], "ls where stock=0"),
    (["ls", "where", "name=Ukulele, Sand"], "ls where name='Ukulele, Sand'"),
    (["ls", "where", "name", "=", "Ukulele, Sand"], "ls where name = 'Ukulele, Sand'"),
    (["ls", "where stock=0"], "ls where stock=0"),
    (["ls", "where", "stock=0 and price>1"], "ls where stock=0 and price>1"),
    (["ls", "where", "name~/세트|북/"], "ls where name~/세트|북/"),
    (["ls", "where", "name~/a|touch zzz/"], "ls where name~/a|touch zzz/"),
    (["ls", "where", "name~(a|b)"], "ls where name~'(a|b)'"),
    (["ls", "where", "name~\";\""], "ls where name~\";\""),
    (["ls", "where", "name~;"], "ls where name~';'"),
    (["ls", "where", "stock=0", "to", "a b.csv"], "ls where stock=0 to 'a b.csv'"),
    (["calls", "where", "path~products and ms>200"], "calls where path~products and ms>200"),
    (["patch", "138", "name=컵 세트"], "patch 138 name='컵 세트'"), (["patch", "138", "name="], "patch 138 name="),
    (["new", "description=@a b.txt"], "new description=@'a b.txt'"),
    (["if", "stock=0: show _"], "if stock=0: show _"), (["search", "where is it"], "search 'where is it'"),
    (
      ["sql", "select", "count(*)", "from", "products", "where", "name", "=", "'Ukulele, Sand'"],
      "sql \"select count(*) from products where name = 'Ukulele, Sand'\""
    ),
    (["sql", "select 1;", "as", "csv", "to", "a b.csv"], "sql 'select 1;' as csv to 'a b.csv'"),
    (["ls where stock=0; next"], "ls where stock=0; next"),
  ])
  func shellWordsMeanThisLine(_ words: [String], _ line: String) { #expect(ArgumentLine(words)?.text == line) }

  @Test func noWordsAreNoLine() { #expect(ArgumentLine([])?.text == nil) }
}
