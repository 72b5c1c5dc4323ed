import Catalog
import CommandLanguage
import Testing
import Text

/// Completion, highlighting, hints and alias expansion while a line is typed.
@Suite struct CompletionTests {
  private static let seen = {
    var seen = RecentProductIndex()
    seen.insert(32, "우유병 텀블러")
    seen.insert(7, "It's a Lamp (blue)")
    return seen
  }()

  private let sources = CompletionDataSource(
    seen: Self.seen, vendors: ["red123"],
    files: { prefix in ["a b.jpg", "c.jpg", "dir/"].filter { $0.hasPrefix(prefix) } },
    programs: { prefix in ["less", "let me", "ls"].filter { $0.hasPrefix(prefix) } }, profiles: { ["demo"] },
    settings: [.init("limits", values: ["documented", "server"])], variables: ["max"])

  /// `|` is the cursor.
  @Test(
    arguments: [
      ("l|", "0-1 ls log login"), ("ls p|", "3-4 page"), ("ls page |", "8-8"), ("ls page 2 p|", "10-11"),
      ("ls as js|", "6-8 json jsonl"), ("ls --s|", "3-6 --size --search --sort"), ("ls sort na|", "8-10 name"),
      ("ls columns id,pr|", "14-16 price"), ("show 3|", "5-6 32"), ("show 텀블|", "5-7 32"),
      ("patch 32 cur|", "9-12 currency="), ("patch 32 currency=|", "18-18 KRW USD JPY HKD"),
      ("patch 32 currency=U|", "18-19 USD"), ("new images=a|", "11-12 'a b.jpg'"), ("new from d|", "9-10 dir/"),
      ("ls to c|", "6-7 c.jpg"), ("ls where st|", "9-11 stock"), ("ls where currency=K|", "18-19 KRW"),
      ("ls where stock=0 a|", "17-18 and all as"), ("ls where vendor=|", "16-16 me 'red123'"),
      ("ls where name~텀|", "14-15 '우유병 텀블러'"),
      ("ls where name=LAMP|", "14-18 \"It's a Lamp (blue)\""), ("ls where id=3|", "12-13 32"),
      ("ls where stock|", "9-14 stock= stock!= stock< stock<= stock> stock>="),
      ("ls where vendor|", "9-15 vendor= vendor!= vendor~ vendor!~ vendor_id"),
      ("ls where stock |", "15-15 = != < <= > >= in"), ("rm 32,|", "6-6 7 32"), ("show lam|", "5-8 7"),
      ("show 0|", "5-6"),
      // The rest of a name of several words, and what follows a target if no name continues.
      ("show 우유병 |", "5-9 32"), ("show 우유병 텀|", "5-10 32"), ("show a lamp|", "5-11 7"),
      ("patch 우유병 |", "6-10 32"), ("show 우유병 pri|", "9-12 price"), ("show 32 pri|", "8-11 price"),
      ("dry show 우유병 텀|", "9-14 32"),
      (
        "rm |",
        "3-3 7 32 _ mine @all where as to replace bom yes outliers unproven again once note jobs rate stop-after fail-on"
      ),
      ("set li|", "4-6 limits"),
      ("set limits s|", "11-12 server"), ("help sh|", "5-7 show"), ("echo $m|", "5-7 $max"), ("ls # p|", "6-6"),
      // Behind a pipe: programs, and files as their arguments.
      ("ls | le|", "5-7 less 'let me'"), ("ls | |", "5-5"), ("ls | less d|", "10-11 dir/"),
      ("ls | less a|", "10-11 'a b.jpg'"),
      ("ls | less; l|", "11-12 less 'let me' ls"), ("ls | grep 'l|", "10-12"), ("ls | grep $l|", "10-12"),
      ("ls; sho|", "4-7 show"), ("dry sho|", "4-7 show"), ("rm 32 y|", "6-7 yes"),
      ("wat|", "0-3 watch"),
      ("zzz |", "4-4"),
      // Without a match at the start of a word: matches within it, otherwise words with its letters in order.
      ("ogi|", "0-3 login"), ("lgn|", "0-3 login"), ("o|", "0-1"), ("show 텀러|", "5-7 32"), ("show 유뱜|", "5-7"),
      ("ls columns id,isc|", "14-17 discount"), ("set imi|", "4-7 limits"), ("patch 32 rre|", "9-12 currency="),
      ("alias a = sho|", "10-13 show"), ("alias a = ls page 2 a|", "20-21 all as"),
      ("plan patch 32 cur|", "14-17 currency="),
    ] as [(String, String)])
  func completionOffersTheseWords(typed: String, expected: String) {
    let parts = typed.split(separator: "|", omittingEmptySubsequences: false)
    let line = parts.count == 3 ? parts[0] + "|" + parts[1] : parts[0]
    let completion = Sample.grammar.completions(String(line), cursor: line.unicodeScalars.count, sources: sources)
    let spelled = ["\(completion.range.lowerBound)-\(completion.range.upperBound)"] + completion.candidates.map(\.text)
    #expect(spelled.joined(separator: " ") == expected)
  }

  private let rich = CompletionDataSource(
    seen: Self.seen, files: { _ in ["a.jpg", "note.txt", "b.heic", "dir/", "c.PNG"] },
    snapshots: { [Candidate("monday"), Candidate("old one")] }, own: [32],
    lastListing: [.init(id: 7, name: "Lamp"), .init(id: 32, name: "텀블러")],
    currentValue: { target, field in target == .ids([32...32]) && field == .price ? "3500" : nil }, variables: ["p"],
    memberPaths: { path in
      switch path {
      case "p": ["p.status", "p.pages"]
      case "p.pages": ["p.pages[0]", "p.pages.length"]
      case "p.pages[0]": ["p.pages[0].id"]
      case "_": ["_.status"]
      default: []
      }
    })

  /// The values from the session: rows, own products, the current value of a field, and the keys of a response.
  @Test(arguments: [
    ("show @", "5-6 @1 @2 @all"), ("rm @1,@", "6-7 @1 @2"), ("rm ", "3-3 32 7 _ mine @all where"),
    ("show ", "5-5 7 32 _ mine @all where"), ("patch 32 price=", "15-15 3500"), ("patch 7 price=", "14-14"),
    ("patch 32 price+=", "16-16"), ("new images=", "11-11 a.jpg b.heic dir/ c.PNG"),
    ("new images=a.jpg,", "17-17 a.jpg b.heic dir/ c.PNG"),
    ("new description=@", "17-17 a.jpg note.txt b.heic dir/ c.PNG"),
    ("echo $p", "5-7 $p"), ("echo $p.", "5-8 $p.status $p.pages"), ("echo $p.pa", "5-10 $p.pages"),
    ("echo $p.pages[", "5-14 $p.pages[0]"), ("echo $p.pages[0].", "5-17 $p.pages[0].id"), ("echo _.s", "5-8 _.status"),
  ])
  func completionOffersValuesOfTheSession(typed: String, expected: String) {
    let completion = Sample.grammar.completions(typed, cursor: typed.unicodeScalars.count, sources: rich)
    var spelled = ["\(completion.range.lowerBound)-\(completion.range.upperBound)"] + completion.candidates.map(\.text)
    if let place = spelled.firstIndex(of: "where") { spelled.removeSubrange((place + 1)...) }
    #expect(spelled.joined(separator: " ").hasPrefix(expected), "\(spelled)")
  }

  @Test(arguments: [
    ("ls page ", "N"), ("rm ", "TARGETS"), ("show ", "[TARGET] [FIELD...]"), ("ls", nil), ("rm 42 ", nil),
    ("patch 42 ", "[FIELD=VALUE...]"),
    ("patch 42 price=3 ", nil), ("search ", "TEXT..."),
    ("ls where ", "FIELD=VALUE"), ("zzz ", nil), ("alias ", "NAME = LINE..."), ("watch ", "SECONDS COMMAND"),
  ])
  func hintNamesTheNextParameter(line: String, expected: String?) {
    #expect(Sample.grammar.usageHint(line)?.english.plain == expected)
  }

  @Test(arguments: [
    ("ls page 2 # x", "command:ls option:page value:2 comment:# x"),
    ("patch 32 price=3 name='a b'", "command:patch id:32 field:price value:=3 field:name value:= string:'a b'"),
    // At the end of a line, words that no further typing can complete.
    ("lsx", "error:lsx"), ("ls page abc", "command:ls option:page error:abc"),
    ("ls page 1", "command:ls option:page value:1"),
    ("lz page", "error:lz"), ("l", ""), ("ls pgae 2", "command:ls error:pgae"),
    ("ls where stock=0", "command:ls option:where field:stock value:=0"),
    ("dry show @3 name", "command:dry command:show id:@3 field:name"),
  ])
  func tokensAreHighlightedByKind(line: String, expected: String) {
    let scalars = Array(line.unicodeScalars)
    let spelled = Sample.grammar.highlights(line).map { run in
      "\(run.role):" + String(String.UnicodeScalarView(scalars[run.range]))
    }
    #expect(spelled.joined(separator: " ") == expected)
  }

  /// Where nothing begins with what was typed: a part that begins so before one that holds it, then letters with few others
  /// between them; among equals the shorter.
  @Test(arguments: [
    ("size", "page-size a-size-long oversize"), ("pgs", "pages-of-all page-size plugins"),
    ("page", "page-size pages-of-all"),
  ])
  func closestCandidatesComeFirst(typed: String, expected: String) {
    let settings = ["plugins", "oversize", "a-size-long", "page-size", "pages-of-all"].map {
      CompletionDataSource.Setting($0, values: [])
    }
    let line = "set " + typed
    let completion = Sample.grammar.completions(
      line, cursor: line.unicodeScalars.count, sources: CompletionDataSource(settings: settings))
    #expect(completion.candidates.map(\.text).joined(separator: " ") == expected)
  }

  /// A value that only the command refuses is highlighted, unless further typing may make it valid.
  @Test(
    arguments: [
      ("patch 3 stock=abc", "abc"), ("patch 3 stock=1 price=2", nil), ("patch 3 stock=x price=2", "x"),
      ("patch 3 stock=", nil), ("patch 3 stock=12", nil), ("patch 3 stock=pri", nil),
      ("patch 3 stock='a b' price=1", "'a b'"),
      ("patch 3 stock=$x price=1", nil), ("patch 3 stock=a1", "a1"), ("dry patch 3 stock=abc", "abc"),
    ] as [(String, String?)])
  func valueThatTheCommandRefusesIsHighlighted(line: String, expected: String?) {
    let scalars = Array(line.unicodeScalars)
    let runs = Sample.grammar.highlights(line) { invocation throws(ParseError) in
      for assignment in invocation.assignments where assignment.name == "stock" {
        _ = try ParsedAssignment(assignment, field: .stock, limits: .documented)
      }
    }
    let wrong = runs.filter { $0.role == .error }.map { String(String.UnicodeScalarView(scalars[$0.range])) }
    #expect(wrong == [expected].compactMap(\.self))
  }

  @Test(arguments: [
    ("ls", false), ("ls page 2; show 3", false), ("dry patch 3 price=1", true), ("patch 3 price=1", true),
    ("ls; rm 3", true), ("watch 5 ls", false), ("zzz", true), ("ls 'open", true), ("", true), ("l", true),
    ("alias a = ls", false), ("alias a = rm 3", true),
  ])
  func linesThatMayWriteAreRecognized(line: String, expected: Bool) {
    #expect(Sample.grammar.mayWrite(line) == expected)
  }

  /// The text that Space inserts for an alias.
  @Test(
    arguments: [
      ("gs", "show 3"), ("dry gs", "show 3"), ("ls; gs", "show 3"), ("ls gs", nil), ("gs 3", nil), ("gs ", nil),
      ("two", nil), ("arg", nil), ("piped", nil), ("ls", nil), ("'gs'", nil), ("가격", "ls columns price"), ("# gs", nil),
    ] as [(String, String?)]) func spaceExpandsAlias(_ line: String, _ text: String?)
  {
    var grammar = Sample.grammar
    grammar.aliases = [
      "gs": "show 3", "two": "ls; show 3", "arg": "show $1", "piped": "ls | less", "가격": "ls columns price",
    ]
    let found = grammar.expansion(line)
    #expect(found?.text == text)
    #expect(found.map { $0.range.upperBound } == text.map { _ in line.unicodeScalars.count })
  }
}
