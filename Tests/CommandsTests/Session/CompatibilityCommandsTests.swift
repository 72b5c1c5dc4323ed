import CommandLanguage
import Commands
import TestSupport
import Testing
import Text

/// Input by the habit of psql, SQL, git, vim and shells.
@Suite struct CompatibilityCommandsTests {
  private static let grammar = AllCommands.grammar

  /// Each input, and the line it is read as.
  @Test(arguments: [
    ("ls 2", "ls page 2"),
    ("ls mine 2", "ls mine page 2"),
    ("ls sort -price", "ls sort price desc"),
    ("ls sort +price", "ls sort price"),
    ("ls sort price asc", "ls sort price"),
    ("ls order by price desc", "ls sort price desc"),
    ("ls WHERE stock = 0 ORDER BY price DESC LIMIT 5", "ls where stock = 0 sort price desc limit 5"),
    ("ls where stock=0 && price>10000", "ls where stock=0 and price>10000"),
    ("ls where stock=0&&price>10000", "ls where stock=0 and price>10000"),
    ("ls where stock=0 || stock>100", "ls where stock=0 or stock>100"),
    ("ls where stock==0||price==5", "ls where stock==0 or price==5"),
    ("ls where stock<>0", "ls where stock!=0"),
    ("ls where name like '%컵%'", "ls where name~'컵'"),
    ("ls where name not like '%컵%' and stock=0", "ls where name!~'컵' and stock=0"),
    ("ls where name like '컵%'", "ls where name~/^컵/i"),
    ("ls where name like '%a.b_'", "ls where name~/a\\.b.$/i"),
    ("ls where name like 'cup'", "ls where name='cup'"),
    ("ls columns name price", "ls columns name,price"),
    ("ls columns name, price stock sort price", "ls columns name,price,stock sort price"),
    ("show 42 43", "show 42,43"),
    ("show Ukulele", "show named 'Ukulele'"),
    ("show blue bag price", "show named 'blue bag' price"),
    ("show '42nd street' as json", "show named '42nd street' as json"),
    ("rm 138 132", "rm 138,132"),
    ("rm @1 @2", "rm @1,@2"),
    ("patch 138 price 18500", "patch 138 price=18500"),
    ("patch 138 132 stock 0 yes", "patch 138,132 stock=0 yes"),
    ("patch 138 set price = 18500", "patch 138 set price=18500"),
    ("patch 138 price -= 10%", "patch 138 price-=10%"),
    ("patch @1-@3 price -=10%", "patch @1-@3 price-=10%"),
    ("patch 138 price= 18500", "patch 138 price=18500"),
    ("patch 138 name '새 이름' note price", "patch 138 name='새 이름' note price"),
    ("patch where stock = 0 and price > 5 stock 3", "patch where stock = 0 and price > 5 stock=3"),
    ("new name '새 상품' price 5000", "new name='새 상품' price=5000"),
    ("show 42 json", "show 42 as json"), ("json 42", "show 42 as json"), ("csv ls mine", "ls mine as csv"),
    ("patch mine where stock=0 stock=1", "patch where vendor=me and stock=0 stock=1"),
    ("rm mine where stock=0 or price<5", "rm where vendor=me and ( stock=0 or price<5 )"),
    ("sale mine where stock=0 10% from 12-01 to 12-02", "sale where vendor=me and stock=0 10% from 12-01 to 12-02"),
    ("walk mine where stock<5", "walk where vendor=me and stock<5"), ("chart mine stock", "chart stock mine"),
    ("patch stock<5 price=1000", "patch where stock<5 price=1000"), ("walk stock=0", "walk where stock=0"),
    ("walk mine stock<5", "walk where vendor=me and stock<5"), ("edit search 컵", "edit where name~'컵'"),
    ("rm mine search 컵", "rm where vendor=me and name~'컵'"),
    ("sale search 컵 10% from 12-01 to 12-02", "sale where name~'컵' 10% from 12-01 to 12-02"),
    ("patch where stock<5 mine price=1", "patch where stock<5 and vendor=me price=1"),
    ("copy stock<5 or price>9 to there", "copy where ( stock<5 or price>9 ) to there"),
    ("chart stock price>9", "chart stock where price>9"), ("chart stock 132 138", "chart stock 132,138"),
    ("compare a b 132 138", "compare a b 132,138"),
    ("undo run 7", "undo r7"), ("undo run r7 where product=42", "undo r7 where product=42"), ("log run 7", "log r7"),
    ("log since last week", "log where time>=last-week"), ("ls from last week", "ls from last-week"),
    ("ls where created>=last week", "ls where created>=last-week"), ("changes since 지난 주", "changes since last-week"),
    ("sale mine 10% next week", "sale mine 10% from next-week to next-week"),
    ("sale mine 10% 다음 주", "sale mine 10% from next-week to next-week"),
    ("sale 42 10% tomorrow round 100", "sale 42 10% from tomorrow to tomorrow round 100"),
    ("log since monday", "log where time>=monday"), ("log since 2h", "log where time>=now-2h"),
    ("calls 5 since 30min", "calls 5 where time>=now-30min"), ("calls since 3일", "calls where time>=now-3일"),
    ("log since -2h", "log where time>=-2h"), ("log since 11-30", "log where time>=11-30"),
    ("log since 2026-11-30", "log where time>=2026-11-30"),
    ("도움말 ls", "help ls"),
    ("\\q", "quit"), (":q", "quit"), (":wq", "quit"),
    ("\\?", "help"), ("man ls", "help ls"), ("\\h patch", "help patch"),
    ("\\d", "help fields"), ("\\d 42", "show 42"), ("\\dt", "ls"), ("\\x", "show"), ("\\x @3", "show @3"),
    ("\\e", "edit _"), ("\\e 42", "edit 42"), ("\\timing ls", "time ls"), ("\\watch 5 ls", "watch 5 ls"),
    ("\\l", "profile"), ("\\c demo", "profile demo"), ("\\i a.market", "source a.market"),
    ("describe @3", "show @3"), ("find 컵", "search 컵"), ("grep 컵", "search 컵"),
    ("cls", "clear"),
    ("GET /api/products/42", "raw GET /api/products/42"),
    ("DELETE /api/products/42", "raw DELETE /api/products/42"),
    ("dry PATCH /x a=1", "dry raw PATCH /x a=1"),
    ("time find 컵", "time search 컵"),
  ])
  func inputIsReadAsThisLine(guess: String, line: String) throws {
    let read = try #require(try Self.grammar.read(guess).first)
    #expect(read.canonicalText == line)
    // That line is valid itself, needs no translation and means the same.
    var plain = try #require(try Self.grammar.read(line).first)
    #expect(plain.canonicalText == nil || line.contains("@1-@3"))
    plain.text = read.text
    plain.canonicalText = read.canonicalText
    #expect(what(read) == what(plain))
  }

  /// Every command with products takes those that `ls` takes, and means the same products.
  @Test(arguments: [
    "walk TARGETS", "patch TARGETS price=1", "sale TARGETS 10% from 12-01 to 12-02", "chart stock TARGETS",
    "edit TARGETS", "rm TARGETS", "copy TARGETS to there", "compare a b TARGETS", "pull dir TARGETS",
    "restore TARGETS price from monday", "show TARGETS",
  ])
  func commandTakesTheTargetsOfLs(_ form: String) throws {
    for (typed, meant) in [
      ("mine", "mine"), ("where stock<5", "where stock<5"), ("stock<5", "where stock<5"),
      ("mine where stock<5", "where vendor=me and stock<5"), ("mine stock<5", "where vendor=me and stock<5"),
      ("where stock<5 mine", "where stock<5 and vendor=me"), ("mine search 컵", "where vendor=me and name~'컵'"),
      ("stock<5 and price>9", "where stock<5 and price>9"), ("name~컵", "where name~컵"), ("132 138", "132,138"),
      ("132,138", "132,138"), ("@1 @2", "@1,@2"), ("_", "_"), ("@all", "@all"),
    ] {
      // `chart` has an option `search` of its own, and `pull` a flag `mine`.
      if form.hasPrefix("chart") && typed.contains("search") || form.hasPrefix("pull") && typed.contains("mine") {
        continue
      }
      let read = try #require(try Self.grammar.read(form.replacing("TARGETS", with: typed)).first)
      let plain = try #require(try Self.grammar.read(form.replacing("TARGETS", with: meant)).first)
      let name = form.hasPrefix("show") ? "TARGET" : "TARGETS"
      #expect(read.target(name) != nil && read.target(name) == plain.target(name), "\(form): \(typed)")
    }
  }

  /// In a command with assignments, these are no targets.
  @Test(arguments: ["patch stock=5 price=1", "patch name~s/a/b/"])
  func assignmentIsNoTarget(_ line: String) {
    #expect(throws: ParseError.self) { try Self.grammar.read(line) }
  }

  /// These lines are valid already and aren't translated.
  @Test(arguments: [
    "ls mine", "ls where stock==0", "patch @1-@3 price-=10%", "export mine.csv", "exit", "list", "delete 42", "? ls",
    "profile add slow http://127.0.0.1:9/", "show name price", "search order by price", "echo a && b",
    "patch 138 price=₩18,500",
  ])
  func validLineIsNotTranslated(line: String) throws {
    #expect(try Self.grammar.read(line).map(\.canonicalText) == [nil])
  }

  /// A verb that writes has only one spelling; others are rejected with a suggestion.
  @Test(arguments: [
    ("update 42 price=1", "patch 42 price=1"), ("modify 42 price=1", "patch 42 price=1"),
    ("change 42 stock=0", "patch 42 stock=0"), ("alter 42 stock=0", "patch 42 stock=0"),
    ("remove 42", "rm 42"), ("del 42", "rm 42"), ("drop 42", "rm 42"), ("destroy 42", "rm 42"), ("erase 42", "rm 42"),
    ("add name='a b'", "new name='a b'"), ("insert name=x", "new name=x"), ("make name=x", "new name=x"),
    ("rename 42 x", "patch 42 name='…'"), ("mv 42 43", "patch 42 name='…'"),
    ("vim 42", "edit 42"), ("nano 42", "edit 42"), ("vi 42", "edit 42"),
    ("count", "ls"), ("less", "ls | less"), ("head", "ls size 5"),
    ("rollback", "undo"), ("revert 3", "undo 3"), ("commit", "apply FILE"),
    ("use demo", "profile demo"), ("cd demo", "profile demo"), ("run a.market", "source a.market"),
    ("download", "export market.csv"), ("upload", "import market.csv"),
    ("price 142 1", "patch 142 price=1"), ("stock 142 +3", "patch 142 stock+=3"), ("재고 142 = 3", "patch 142 stock=3"),
    ("name 142 “큰 컵”", "patch 142 name='큰 컵'"), ("stock 142", "show 142 stock"), ("cd ..", "profile"),
  ])
  func writingVerbIsRefusedWithASuggestion(guess: String, line: String) {
    do throws(ParseError) {
      _ = try Self.grammar.read(guess)
      Issue.record("\(guess) was taken for a line")
    } catch {
      #expect(error.suggestion?.english.plain == "Use \(line) instead.")
    }
  }

  /// The products of `sql` are those of a saved version, without which the suggested line fails.
  @Test func selectIsRefusedWithTheVersionThatItNeeds() {
    do throws(ParseError) {
      _ = try Self.grammar.read("select * from products")
      Issue.record("select was taken for a line")
    } catch {
      #expect(
        error.suggestion?.english.plain
          == "Use sql select * from products instead. It reads the products that snapshot saved.")
    }
  }

  /// What newcomers type in place of a condition, a quotation mark or a page of the manual has a hint.
  @Test(arguments: [
    ("ls 재고 5 이하", "Did you mean ls where 재고<=5?"), ("ls mine stock under 5", "Did you mean ls mine where stock<5?"),
    ("ls price 10,000원 이상", "Did you mean ls where price>=10000?"), ("ls stock 0", "Did you mean ls where stock=0?"),
    ("ls sold out", "Did you mean ls where stock=0?"), ("ls mine 품절", "Did you mean ls mine where stock=0?"),
    ("ls new stuff", "To find products by name, run search new."),
    ("ls today", "To find products by name, run search today."),
    ("ls search “큰 컵”", "Curly quotes do not quote. Use straight ones: ls search \"큰 컵\""),
    ("patch 42 name=“큰 컵”", "Curly quotes do not quote. Use straight ones: patch 42 name=\"큰 컵\""),
    (
      "endpoints",
      "api lists the requests of the market, curl ls prints those of a command, help fields the names of fields."
    ),
    ("튜토리얼", "learn goes through the shell in ten steps. help lists the commands of a day."),
  ])
  func newcomersWordsHaveAHint(line: String, hint: String) {
    do throws(ParseError) {
      _ = try Self.grammar.read(line)
      Issue.record("\(line) was taken for a line")
    } catch {
      #expect(error.suggestion?.english.plain == hint)
    }
  }

  /// Input without an interpretation is rejected with the same reason.
  @Test(arguments: [
    ("ls pgae 2", "Unexpected argument for ls: pgae."), ("show pric", "pric is not a product."),
    ("patch 138 price=18 500", "Unexpected argument for patch: 500."), ("rm 40 , 41", "Unexpected argument for rm: ,."),
    ("patch 42 @3 stock=0", "@3"), ("ls search blue bag", "Unexpected argument for ls: bag."),
    ("ls where stock=0 && prise>1", "Unknown field: prise."), ("echo hi || cat", ""),
  ])
  func uninterpretableInputKeepsItsReason(line: String, reason: String) {
    do throws(ParseError) {
      _ = try Self.grammar.read(line)
      #expect(reason.isEmpty)
    } catch {
      #expect(error.message.english.plain.contains(reason))
    }
  }

  private func what(_ invocation: ParsedCommand) -> [String] {
    let given = invocation.arguments.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.map(\.text))" }
    let assigned = invocation.assignments.map { "\($0.name)\($0.operation.rawValue)\($0.value)" }
    return ["\(invocation.prefixes)", invocation.command] + given + assigned + ["\(invocation.clauses)"]
  }
}
