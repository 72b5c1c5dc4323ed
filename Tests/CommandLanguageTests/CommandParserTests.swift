import Catalog
import CommandLanguage
import Testing
import Text

/// The parsing of lines to invocations.
@Suite struct CommandParserTests {
  @Test(arguments: [
    ("", ""),
    ("# nothing", ""),
    ("ls", "ls"),
    ("list", "ls"),
    ("ls page 2 size 50", "ls page:[2] size:[50]"),
    ("ls --page 2 --size=50", "ls page:[2] size:[50]"),
    ("ls page=2", "ls page:[2]"),
    ("ls stock=0", "ls where:[stock=0]"),
    ("ls all; next # and on", "ls all:[] ; next"),
    ("ls pa\\\nge 2", "ls page:[2]"),
    ("ls search 'page'", "ls search:[page]"),
    ("ls search \"맥북 \\u{AC00}\\t\"", "ls search:[맥북 가\t]"),
    ("ls columns title, price", "ls columns:[name,price]"),
    ("ls as json to 'a b.json'", "ls as=json to=a b.json"),
    ("ls page 2 | head -1; echo # x", "ls page:[2] pipe=head -1; echo # x"),
    (
      "ls where stock=0 and (price>10000 or name~\"맥북 프로\") sort price desc",
      "ls desc:[] sort:[price] where:[stock=0 and (price>10000 or name~'맥북 프로')]"
    ),
    ("sho 42", "show TARGET:[42]"),
    ("show name price", "show FIELD:[name|price]"),
    ("show @3 name", "show FIELD:[name] TARGET:[@3]"),
    (
      "patch 42,43 set price-=10% name='a b' description=@note.txt round 100 yes",
      "patch TARGETS:[42,43] round:[100] set:[] yes:[] {price-=10%} {name=a b} {description=@note.txt}"
    ),
    ("patch where stock = 0 price=3 note \"sold out\"", "patch TARGETS:[where stock=0] note:[sold out] {price=3}"),
    ("patch 42 title=abc bargain_price=3 rate 5/s jobs 8", "patch TARGETS:[42] jobs:[8] rate:[5] {name=abc} {sale=3}"),
    ("rm 40 , 41", "! Unexpected argument for rm: ,. > Run help rm for help. @6-7"),
    ("rm 40, 41 yes", "rm TARGETS:[40,41] yes:[]"),
    ("new name=\"x=y\" images=a.jpg,b.png", "new {name=x=y} {images=a.jpg,b.png}"),
    ("search blue 'as' bag as csv", "search TEXT:[blue|as|bag] as=csv"),
    ("echo $a \"<$a>\" '$a' $5 a=b", "echo TEXT:[two words|<two words>|$a|$5|a=b]"),
    ("echo $p.name $a.txt", "echo TEXT:[맥북|two words.txt]"),
    ("alias cheap = ls where price<$max | less", "alias =:[=] LINE:[ls where price<$max | less] NAME:[cheap]"),
    ("alias x = 'ls; next'", "alias =:[=] LINE:[ls; next] NAME:[x]"),
    ("plan patch 42 price=$max to p.json", "plan COMMAND:[patch 42 price=$max] to=p.json"),
    ("assert stock>=1 and name='a'", "assert EXPR:[stock>=1 and name=a]"),
    ("dry time rm 42", "<dry> <time> rm TARGETS:[42]"),
    ("watch 10 show 42 until stock=0 as json", "<watch(seconds: 10)> show TARGET:[42] as=json until=stock=0"),
    ("ls --help", "help COMMAND:[ls]"),
    ("login identifier=me secret=@key.txt", "login {identifier=me} {secret=@key.txt}"),
    ("set page-size 20", "set NAME:[page-size] VALUE:[20]"),
    ("ls\u{3000}page\u{A0}2", "ls page:[2]"),
  ])
  func lineIsParsedToThisInvocation(line: String, expected: String) {
    #expect(meaning(of: line, variables: ["a": "two words", "p.name": "맥북"]) == expected)
  }

  /// A combining mark, a joiner, a variation selector, a keycap and a skin tone make one `Character` with what is before
  /// them.
  static let marks: [Unicode.Scalar] = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}", "\u{1F3FB}"]

  @Test(
    arguments: [
      ("new name=M", "new {name=M}"), ("patch 42 name~s/M/x/", "patch TARGETS:[42] {name~s/M/x/}"),
      ("patch 42 price+=M", "patch TARGETS:[42] {price+=M}"), ("new images=M.png,Mb.png", "new {images=M.png,Mb.png}"),
      ("new description=@M.txt", "new {description=@M.txt}"), ("ls search \"M\"", "ls search:[M]"),
      ("ls search 'M'", "ls search:[M]"), ("ls --search=M", "ls search:[M]"), ("echo $a.M", "echo TEXT:[1.M]"),
      ("echo $aM", "echo TEXT:[1M]"), ("ls where name=M", "ls where:[name=M]"),
      ("ls where name~/M/i", "ls where:[name~/M/i]"),
    ], marks)
  func markAfterADelimiterIsText(row: (line: String, expected: String), mark: Unicode.Scalar) {
    let line = row.line.replacing("M", with: String(mark) + "x")
    // A condition shows an invisible character by its code.
    let code = "\"\\u{" + String(mark.value, radix: 16, uppercase: true) + "}x\""
    let shown = meaning(of: line, variables: ["a": "1"]).replacing(code, with: String(mark) + "x")
    let expected = row.expected.replacing("M", with: String(mark) + "x")
    #expect(shown.unicodeScalars.elementsEqual(expected.unicodeScalars), "\(shown)")
  }

  @Test(
    arguments: [
      "curl http://x -H 'Authorization:M'", "raw POST /x authorization:M", "login secret=M", "echo {secret:M}",
    ], marks)
  func secretAfterAMarkIsRecognized(line: String, mark: Unicode.Scalar) {
    #expect(Sample.grammar.mayContainSecret(line.replacing("M", with: String(mark) + "x")))
  }

  /// After Enter the prompt says what is still open.
  @Test(
    arguments: [
      ("search '컵\n", "(' is open, Ctrl-C cancels)"), ("search \"a\n", "(\" is open, Ctrl-C cancels)"),
      ("ls \\\n", nil), ("ls \\", "(unfinished, Ctrl-C cancels)"), ("search '컵'", nil),
      ("curl http://x -d '{\n", "(open quote, Ctrl-C cancels)"),
    ] as [(String, String?)])
  func openEndIsNamed(line: String, words: String?) {
    #expect(Sample.grammar.openEnd(of: line)?.english.plain == words)
  }

  @Test(arguments: [
    ("ㅣㄴ", "! Unknown command: ㅣㄴ. > Did you mean ls? @0-2"),
    ("노ㅐㅈ 3", "! Unknown command: 노ㅐㅈ. > Did you mean show? @0-3"),
    ("가나다", "! Unknown command: 가나다. > Run help to list all commands. @0-3"),
    ("lss", "! Unknown command: lss. > Did you mean ls? @0-3"),
    ("–s", "! Unknown command: –s. > – is a typographic dash. Type hyphens: -s @0-2"),
    ("curl –s http://h/", "! Unknown command: –s. > – is a typographic dash. Type hyphens: -s @5-7"),
    ("curl —data http://h/", "! Unknown command: —data. > — is a typographic dash. Type hyphens: --data @5-10"),
    ("frobnicate", "! Unknown command: frobnicate. > Run help to list all commands. @0-10"),
    (
      "pat 42",
      "! Unknown command: pat. > Did you mean patch? Commands that change products cannot be abbreviated. @0-3"
    ),
    ("l", "! l is ambiguous. > It could be ls, log, login. @0-1"),
    ("ls pgae 2", "! Unexpected argument for ls: pgae. > Did you mean page? @3-7"),
    ("ls --pgae 2", "! ls has no option --pgae. > Did you mean page? @3-9"),
    ("ls page", "! page needs a value. > Use a whole number of 1 or more. @3-7"),
    ("ls size 5000", "! Invalid value for size: 5000. > Use a whole number from 1 to 1000. @8-12"),
    ("ls size ٣", "! Invalid value for size: ٣. > Use a whole number from 1 to 1000. @8-9"),
    ("ls page 1 page 2", "! page is given more than once. @10-14"),
    ("ls search page", "! search needs a value, but page is an option. > To use it as text, quote it: 'page'. @10-14"),
    ("ls search blue bag", "! Unexpected argument for ls: bag. > To find products by name, run search bag. @15-18"),
    ("ls --all=1", "! all does not take a value. @3-10"),
    ("ls where price>5 stock=0", "! Unexpected argument for ls: stock=0. > Did you mean and stock=0? @17-24"),
    ("ls zzz=0", "! Unexpected argument for ls: zzz=0. > Did you mean where zzz=0? @3-8"),
    ("ls as jsn", "! Invalid value for as: jsn. > Did you mean json? @6-9"),
    ("ls sort prce", "! Unknown field: prce. > Did you mean price? @8-12"),
    ("ls > out.csv", "! > cannot be used to save output. > Use to out.csv instead. @3-4"),
    ("ls page 2 >out.csv", "! > cannot be used to save output. > Use to out.csv instead. @10-18"),
    ("ls>out.csv", "! > cannot be used to save output. > Use to out.csv instead. @0-10"),
    ("ls |", "! Missing program after |. > For example: ls | less @3-4"),
    ("echo hi | cat", "! echo has no output to pipe. > To write it as text, quote it: '|' @8-13"),
    ("| cat", "! Missing command before |. @0-5"),
    ("rm", "! Missing argument for rm: TARGETS. > Usage: rm TARGETS @2-2"),
    ("rm 45-40", "! The range is in the wrong order. > Did you mean 40-45? @3-8"),
    ("rm 42 yse", "! Unexpected argument for rm: yse. > Did you mean yes? @6-9"),
    (
      "rm 1-20000",
      "! 1-20000 is a range of more than 10000 products. > Use where EXPR to choose products by a condition. @3-10"
    ),
    ("patch 42 prise=3", "! patch has no field prise. > Did you mean price? @9-16"),
    ("patch 42 price=3 price=4", "! price is given more than once. @17-24"),
    (
      "login secret=hunter2",
      "! Do not type a secret on the command line. It would end up in histories and scripts. > Leave it out to be asked for it, or read it from a file: secret=@file. @6-20"
    ),
    ("echo $nope", "! Unknown variable: $nope. > Run let NAME = VALUE to set it. @5-10"),
    ("echo 'open", "! Missing closing quote: '. @5-10 unfinished"),
    ("ls \\", "! The line continues after \\, but nothing follows. @3-4 unfinished"),
    ("dry", "! dry must be followed by a command. > For example: dry ls @0-3"),
    ("ls where stock=", "! Missing value. @15-15"),
    ("ls where price>cheap", "! price must be compared with a number, not cheap. > Write a number as 19.99. @15-20"),
    ("ls where stok=0", "! Unknown field: stok. > Did you mean stock? @9-13"),
  ])
  func malformedLineIsRefused(line: String, expected: String) {
    #expect(meaning(of: line) == expected)
  }

  @Test func readOnlyFieldsAreRefused() {
    #expect(
      meaning(of: "patch 42 id=3").hasPrefix(
        "! id is set by the server and cannot be changed. > You can change name, description"))
  }

  @Test(arguments: [
    (FieldNameTable(discountedPriceIs: .sale), "sale"), (FieldNameTable(discountedPriceIs: .discount), "discount"),
  ])
  func fieldNamesDependOnTheEdition(names: FieldNameTable, field: String) {
    #expect(meaning(of: "patch 42 discounted_price=5", names: names) == "patch TARGETS:[42] {\(field)=5}")
  }

  @Test func checkAcceptsUndefinedVariables() throws {
    try Sample.grammar.check("ls page $n; rm $ids; patch $x price=$p; ls where price>$m")
    #expect(throws: ParseError.self) { try Sample.grammar.check("ls pgae $n") }
  }

  @Test(arguments: [
    ("login secret=hunter2", true), ("login secret=@f", false), ("login identifier=me vendor_id=3", false),
    ("login hunter2", true), ("logi hunter2", true), ("lgoin hunter2", true), ("watch 10 dry trace time login x", true),
    ("log 3", false), ("login secert=hunter2", true), ("login secret='open", true), ("login", false),
    ("dry login hunter2", true), ("ls; login x", true), ("patch 42 secret=abc", true), ("raw GET /x secret:abc", true),
    ("raw POST /x '{\"secret\":\"abc\"}'", true), ("ls search secret", false), ("login --secret=abc", true),
    ("login secret =abc", true), ("patch 42 password=1", true), ("ls # secret=abc", true), ("ls # the secret", false),
    ("get /data/2.5/weather?q=Seoul&appid=abc", true), ("get /weather?appid=$key", false),
    ("profile add x url=https://me:pw@h.example", true), ("profile add x proxy=http://pw@h:3128", true),
    ("get https://h.example/@me", false), ("export OPENMARKET_SECRET='abc'", true),
    ("echo {\"password\": \"abc\"}", true),
    ("raw GET /x x-api-key:abc", true), ("profile x weather_key=@key.txt", false),
  ])
  func lineWithASecretIsRecognized(line: String, expected: Bool) {
    #expect(Sample.grammar.mayContainSecret(line) == expected)
  }
}
