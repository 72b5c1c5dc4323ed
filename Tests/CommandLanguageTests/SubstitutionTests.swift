import Catalog
import CommandLanguage
import Networking
import Testing

/// Values in words: variables, script arguments, and fields of products.
@Suite struct SubstitutionTests {
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
  func variablesAreReplacedAtThePrompt(line: String, expected: String) {
    #expect(read(line, arguments: nil) == expected)
  }

  @Test(arguments: [
    ("show $1", "show TARGET:[7]"),
    ("echo $1$2 \"<$2>\" '$2' \\$2", "echo TEXT:[7b c|<b c>|$2|$2]"),
    ("echo $@ end", "echo TEXT:[7|b c|page|end]"),
    ("echo \"$@\"", "echo TEXT:[7|b c|page]"),
    ("echo all=$@", "echo TEXT:[all=7 b c page]"),
    ("ls $3 2", "! Unexpected argument for ls: page. > To find products by name, run search page. @3-5"),
    (
      "echo $4",
      "! The script needs an argument 4. > Pass arguments after the file: source FILE ARGS. To use it as text, write \\$4. @5-7"
    ),
  ])
  func argumentsAreReplacedInAScript(line: String, expected: String) {
    #expect(read(line, arguments: ["7", "b c", "page"]) == expected)
  }

  @Test(arguments: [
    ("show $x name", true), ("echo $1", true), ("patch $x price=$y", true), ("alias a = show $x", false), ("ls", false),
    ("ls where price>$max", true),
  ])
  func unresolvedVariablesAreRecognized(line: String, expected: Bool) throws {
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

  @Test(
    arguments: [
      ("bags", ["ls search 가방"]), ("bags size 5 as json", ["ls search 가방 size 5 as json"]),
      ("dry two", ["dry ls", "dry next"]), ("two all", ["ls", "next all"]),
      ("cut 42 9000", ["patch 42 price=9000", "show 42"]), ("all 'a b' c", ["echo 'a b' c !"]),
      ("piped page 2", ["ls page 2 | head"]), ("piped | wc", ["ls | head | wc"]), ("deep", ["ls search 가방 page 2"]),
      ("watch 5 bags", ["watch 5 ls search 가방"]), ("noted page 2", ["ls page 2"]), ("ls bags", nil), ("'bags'", nil),
      ("cut 42", ["! The alias cut needs 2 arguments. > Run alias cut to see it. @0-6"]),
      ("round", ["! The alias round refers to itself. > An alias can use commands and other aliases. @0-5"]),
    ] as [(String, [String]?)])
  func aliasesAreExpanded(line: String, expected: [String]?) throws {
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
  func circularAliasIsRefused(name: String, line: String, isFine: Bool) {
    #expect(((try? Self.aliased.checkForCycle(name, line)) != nil) == isFine)
  }

  @Test(arguments: [
    ("ls", false), ("list", false), ("dry", false), ("_", false), ("a b", false), ("쇼", true), ("x-1", true),
  ])
  func aliasMustNotBeAWordOfTheLanguage(name: String, expected: Bool) {
    #expect(Self.aliased.canBeAlias(name) == expected)
  }

  @Test(arguments: [
    ("let secret = x", true), ("let my_password = x", true), ("let price = 3", false),
    ("alias l = login hunter2", true),
  ])
  func secretInAValueIsRecognized(line: String, expected: Bool) {
    #expect(Self.aliased.mayContainSecret(line) == expected)
  }

  @Test(arguments: [
    ("show 42", "show $p1"), ("rm 41,42,43 yes", "rm 41,$p1,43 yes"), ("ls page 42", "ls page 42"),
    ("patch 42 stock=42", "patch $p1 stock=42"), ("echo 42", "echo 42"), ("alias x = show 42", "alias x = show $p1"),
    ("plan rm 42 to p.json", "plan rm $p1 to p.json"),
  ])
  func idsAreReplacedByVariables(line: String, expected: String) {
    #expect(Sample.grammar.replacingIDs([42: "$p1"], in: line) == expected)
  }

  @Test(arguments: [("rm 42", "rm 42 yes"), ("ls | head -1", "ls yes | head -1")])
  func wordIsAppendedToTheCommand(line: String, expected: String) {
    #expect(Sample.grammar.appending("yes", to: line) == expected)
  }

  private static func numbers(_ name: String) -> NamedValue? {
    switch name {
    case "n": .value(.int(7))
    case "long": JSONNumber("1234567890123456789").map { .value(.number($0)) }
    case "longest": JSONNumber(String(repeating: "9", count: 31)).map { .value(.number($0)) }
    case "price": JSONNumber("6.0E7").map { .value(.number($0)) }
    case "digits": .value(.string("5"))
    case "cup": .value(.string("cup"))
    case "none": .value(.null)
    default: nil
    }
  }

  /// An expression after `let NAME =` is computed.
  @Test(arguments: [
    ("1+2", "3"), ("1 + 2", "3"), ("5 - 7", "-2"), ("10/4", "2.5"), ("(1+2)*3", "9"), ("max(1,2)", "2"),
    ("max(1,2,3)", "3"), ("round(2.5)", "2"), ("6.0E7 + 1", "60000001"), ("6.0E7+1", "60000001"), ("1e3 + 0", "1000"),
    ("$long + 1", "1234567890123456790"), ("$long+1", "1234567890123456790"),
    ("1234567890123456789 + 1", "1234567890123456790"),
    ("123456789012345678901234567890 - 1", "123456789012345678901234567889"),
    ("0.12345678 + 1", "1.12345678"), ("$price + 1", "60000001"), ("$n+1", "8"), ("-$n", "-7"),
    ("$n * 2 - 0.5", "13.5"),
    ("$n + 10%", "7.7"), ("len($cup)", "3"), ("$longest", String(repeating: "9", count: 31)),
  ])
  func letComputesAnExpression(text: String, expected: String) throws {
    #expect(try Sample.grammar.value(of: text, variables: Self.numbers).serialized == expected)
  }

  /// A text is quoted or one word.
  @Test(arguments: [
    ("'1+2'", "1+2"), ("\"1 + $n\"", "1 + 7"), ("2022-01-18", "2022-01-18"), ("2022-01", "2022-01"),
    ("010-1234-5678", "010-1234-5678"), ("2022-01-18T09:30", "2022-01-18T09:30"), ("-7d", "-7d"), ("10%", "10%"),
    ("$cup-2.csv", "cup-2.csv"), ("$cup/1", "cup/1"), ("$cup=$n", "cup=7"),
    ("/api/products?page=1", "/api/products?page=1"),
    ("1.2.3.4", "1.2.3.4"), ("5kg", "5kg"), ("10,000", "10,000"), ("100-abc", "100-abc"),
  ])
  func letStoresText(text: String, expected: String) throws {
    #expect(try Sample.grammar.value(of: text, variables: Self.numbers) == .string(expected))
  }

  /// Anything else is refused, and never stored as text.
  @Test(arguments: [
    ("5 % 2", "There is no operator %."), ("5%2", "There is no operator %."), ("$n%2", "There is no operator %."),
    ("42.price + 1", "42.price cannot be used as a value here."),
    ("42.price+1", "42.price cannot be used as a value here."),
    ("@1", "@1 has no value."), ("_", "_ has no value."), ("$cup + 1", "Formulas need numbers, not the text \"cup\"."),
    ("$cup+1", "Formulas need numbers, not the text \"cup+1\"."),
    ("$digits+1", "Formulas need numbers, not the text \"5+1\"."),
    ("$none+1", "Formulas need numbers, not the text \"null+1\"."), ("2*price", "Unknown field or function: price."),
    ("$longest + 1", "The number is too long to calculate with: 9999999999999999999999999999999"),
    ("1 / 0", "1/0 cannot be calculated."), ("40-45", "40-45 can be a text or a calculation."),
    ("2026/11/28", "2026/11/28 can be a text or a calculation."), ("two words", "Text of several words needs quotes."),
    ("$cup and more", "Text of several words needs quotes."), ("'a' 'b'", "Text of several words needs quotes."),
    ("1 +", "Missing number or field name."), ("1,000+1", "Unexpected text after the formula."),
    ("$n > 3", "Unexpected text after the formula."), ("1<2", "Unexpected text after the formula."),
    ("max(1", "Missing closing parenthesis."),
  ])
  func letRefusesWhatIsNoValue(text: String, expected: String) {
    do throws(ParseError) {
      let value = try Sample.grammar.value(of: text, variables: Self.numbers)
      Issue.record("\(text) became \(value)")
    } catch {
      #expect(spelled(error).hasPrefix("! " + expected), "\(text): \(spelled(error))")
    }
  }

  /// Braces around a name and its path end before other text; a path that isn't valid is an error.
  @Test(arguments: [
    ("echo ${p.name}.txt \"${p}s\" ${1}x", "echo TEXT:[맥북 프로.txt|812s|$1x]"),
    (
      "echo ${p.name",
      "! Missing } after ${p.name. > Braces hold a name and its path: ${p.name}. To use it as text, write \\$. @5-13"
    ),
    ("echo $q.x", "! Unknown variable: $q. > Run let NAME = VALUE to set it. @5-9"),
    ("ls WHERE stock=0", "ls where:[stock=0]"), ("ls PAGE 2 SIZE 5", "ls page:[2] size:[5]"),
  ])
  func bracesDelimitNameAndPath(line: String, expected: String) {
    #expect(read(line, arguments: nil) == expected)
  }
}
