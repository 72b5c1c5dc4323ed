import Catalog
import CommandLanguage
import Testing

/// Values in words: variables, script arguments, and fields of products.
@Suite struct ValueTests {
  private static let values = [
    "a": "two words", "p": "812", "p.name": "맥북 프로", "_": "42", "_.price": "3500", "_.name": "우유병",
    "@3.name": "둘째", "@3.price": "19.99",
  ]

  private func read(_ line: String, arguments: [String]?) -> String {
    do throws(ParseError) {
      return try Sample.grammar.segments(of: line).map { segment throws(ParseError) in
        spelled(
          try Sample.grammar.read(segment, of: line, arguments: arguments) {
            Self.values[$0].map(NamedValue.init(word:))
          })
      }.joined(separator: " ; ")
    } catch {
      return spelled(error)
    }
  }

  @Test(arguments: [
    ("show $p name", "show FIELD:[name] TARGET:[812]"),
    ("echo $a \"$a\" '$a'", "echo TEXT:[two words|two words|$a]"),
    ("echo _.price _ @3.name $_ $_.name", "echo TEXT:[3500|_|둘째|42|우유병]"),
    ("echo '_.price' \"_.price\" x_.price _.prices @x.name", "echo TEXT:[_.price|_.price|x_.price|_.prices|@x.name]"),
    ("patch 42 price=_.price name=@3.name", "patch TARGETS:[42] {price=3500} {name=둘째}"),
    ("patch 42 description=@./3.name", "patch TARGETS:[42] {description=@./3.name}"),
    ("ls where price>=@3.price and name!=_.name", "ls where:[price>=19.99 and name!=우유병]"),
    ("ls where id in ($p, 5)", "ls where:[id in (812, 5)]"),
    ("assert $p = _.price", "assert EXPR:[812=3500]"),
    ("echo $nope", "! Unknown variable: $nope. > Run let NAME = VALUE to set it. @5-10"),
    (
      "echo $p.price",
      "! $p.price has no value. > Only products (let p = show 42) and responses (let p = get /path) have fields. @5-13"
    ),
    (
      "echo @9.name",
      "! @9.name has no value. > It refers to a row of the last list; run ls first. For a file with that name, write @./9.name. @5-12"
    ),
    ("echo $5 $@ \"$1.50\"", "echo TEXT:[$5|$@|$1.50]"),
  ])
  func atThePrompt(line: String, expected: String) {
    #expect(read(line, arguments: nil) == expected)
  }

  @Test(arguments: [
    ("show $1", "show TARGET:[7]"),
    ("echo $1$2 \"<$2>\" '$2' \\$2", "echo TEXT:[7b c|<b c>|$2|$2]"),
    ("echo $@ end", "echo TEXT:[7|b c|page|end]"),
    ("echo \"$@\"", "echo TEXT:[7|b c|page]"),
    ("echo all=$@", "echo TEXT:[all=7 b c page]"),
    ("ls $3 2", "! Unexpected argument for ls: page. > Did you mean page? @3-5"),
    (
      "echo $4",
      "! The script needs an argument 4. > Pass arguments after the file: source FILE ARGS. To use it as text, write \\$4. @5-7"
    ),
  ])
  func inAScript(line: String, expected: String) {
    #expect(read(line, arguments: ["7", "b c", "page"]) == expected)
  }

  @Test(arguments: [
    ("show $x name", true), ("echo $1", true), ("patch $x price=$y", true), ("alias a = show $x", false), ("ls", false),
    ("ls where price>$max", true),
  ])
  func uncertain(line: String, expected: Bool) throws {
    let segment = try #require(try Sample.grammar.segments(of: line).first)
    #expect(try Sample.grammar.check(segment, of: line, arguments: []).hasUnresolvedVariables == expected)
  }

  private static var aliased: CommandParser {
    var grammar = Sample.grammar
    grammar.aliases = [
      "bags": "ls search 가방", "two": "ls; next", "cut": "patch $1 price=$2; show $1", "all": "echo $@ !",
      "piped": "ls | head", "deep": "bags page 2", "round": "square", "square": "round", "noted": "ls # all of it",
    ]
    return grammar
  }

  @Test(arguments: [
    ("bags", ["ls search 가방"]), ("bags size 5 as json", ["ls search 가방 size 5 as json"]),
    ("dry two", ["dry ls", "dry next"]), ("two all", ["ls", "next all"]),
    ("cut 42 9000", ["patch 42 price=9000", "show 42"]), ("all 'a b' c", ["echo 'a b' c !"]),
    ("piped page 2", ["ls page 2 | head"]), ("piped | wc", ["ls | head | wc"]), ("deep", ["ls search 가방 page 2"]),
    ("watch 5 bags", ["watch 5 ls search 가방"]), ("noted page 2", ["ls page 2"]), ("ls bags", nil), ("'bags'", nil),
    ("cut 42", ["! The alias cut needs 2 arguments. > Run alias cut to see it. @0-6"]),
    ("round", ["! The alias round refers to itself. > An alias can use commands and other aliases. @0-5"]),
  ])
  func aliases(line: String, expected: [String]?) throws {
    let segment = try #require(try Self.aliased.segments(of: line).first)
    do throws(ParseError) {
      #expect(try Self.aliased.expandingAliases(segment) == expected)
    } catch {
      #expect([spelled(error)] == expected)
    }
  }

  @Test(arguments: [
    ("a", "ls", true), ("a", "a", false), ("a", "dry a 5", false), ("square", "a", true), ("a", "square", false),
    ("bags", "deep", false), ("a", "echo a", true),
  ])
  func circles(name: String, line: String, isFine: Bool) {
    #expect(((try? Self.aliased.checkForCycle(name, line)) != nil) == isFine)
  }

  @Test(arguments: [
    ("ls", false), ("list", false), ("dry", false), ("_", false), ("a b", false), ("쇼", true), ("x-1", true),
  ])
  func namesOfAliases(name: String, expected: Bool) { #expect(Self.aliased.canBeAlias(name) == expected) }

  @Test(arguments: [
    ("let secret = x", true), ("let my_password = x", true), ("let price = 3", false),
    ("alias l = login hunter2", true),
  ])
  func secrets(line: String, expected: Bool) { #expect(Self.aliased.mayContainSecret(line) == expected) }

  @Test(arguments: [
    ("show 42", "show $p1"), ("rm 41,42,43 yes", "rm 41,$p1,43 yes"), ("ls page 42", "ls page 42"),
    ("patch 42 stock=42", "patch $p1 stock=42"), ("echo 42", "echo 42"), ("alias x = show 42", "alias x = show $p1"),
    ("plan rm 42 to p.json", "plan rm $p1 to p.json"),
  ])
  func numbersBecomeNames(line: String, expected: String) {
    #expect(Sample.grammar.replacingIDs([42: "$p1"], in: line) == expected)
  }

  @Test(arguments: [("rm 42", "rm 42 yes"), ("ls | head -1", "ls yes | head -1")])
  func addingAWord(line: String, expected: String) { #expect(Sample.grammar.appending("yes", to: line) == expected) }
}
