import Catalog
import CommandLanguage
import EmbeddedMarket
import Foundation
import LineEditing
import ShellTesting
import TestSupport
import Testing

@testable import Commands
@testable import Shell
@testable import ShellRuntime

/// Each example of `help COMMAND` runs in a fresh market with the files it names, and ends with its exit code.
@Suite(.timeLimit(Trial.limit)) struct CommandExampleTests {
  /// The commands whose examples can't run in a test, each with the reason.
  private static let left: [String: String] = [
    "login": "asks for a secret", "edit": "opens an editor", "weather": "needs a key; WeatherCommandTests run it",
    "place": "needs a key to find names",
    "apply": "needs a plan; transcripts make one",
    "approve": "needs a plan and a key; PlanSignatureTests have both",
    "import": "needs an export; transcripts make one",
    "save": "needs lines that were typed; transcripts type some", "source": "needs scripts; transcripts have some",
    "copy": "needs a second market; CopyCommandTests have one",
    "compare": "needs a second market; CopyCommandTests have one",
    "class": "needs a server with its key; ServeOutputTests have one",
    "finally": "is for scripts; CleanUpLinesTests run it",
    "restore": "needs a snapshot; transcripts take one",
  ]

  /// The examples that end with another exit code than 0: they name snapshots, log entries, calls or sales that a fresh
  /// market does not have, are asked more than yes answers, or assert what is not so.
  private static let codes = [
    "show 42 price over 30d": 1, "new": 4, "new empty": 4, "walk mine": 4,
    "walk where stock<5 and vendor=me": 4, "sale end 1": 1, "log show 12": 1, "log curl 12": 1, "undo 12": 1,
    "undo batch 3": 1, "undo actor agent since 2h": 1, "undo 12 changed": 1, "resume send 12": 1,
    "undo r12": 1, "undo r12 where before.price<1000": 1, "log r12": 1, "resume r12": 1, "forget r12": 1,
    "explain 12": 1, "calls show 12": 1, "calls curl 12": 1, "calls diff 12 14": 1, "calls rerun 12": 1,
    "sql select vendor, count(*), avg(price) from products group by 1 order by 2 desc": 1,
    "sql select id from products where stock = 0": 1,
    #"sql "select id, name from texts where text match 'tumbler'" as csv"#: 1,
    #"sql "select id, name from texts where text match '텀블러'" as csv"#: 1, "changes since yesterday": 1,
    "changes since 7d as csv to week.csv": 1, "changes since monday mine": 1, "diff": 1, "diff monday": 1,
    "diff monday friday as json": 1, "assert price = 3500 and stock > 0": 6, "assert name ~ 텀블러 of @3": 6,
    "assert name ~ tumbler of @3": 6,
    "history rm 7": 1, "ls from monday where stock=0": 1,
    "raw POST /item content-type:multipart/form-data title=x images[]=@a.jpg yes": 1,
    "timer on": 1, "recipe show seoul-goods": 2, "recipe edit seoul-goods": 2, "recipe rm seoul-goods": 2,
    "recipe check week48.xlsx": 2, "recipe check week48.xlsx only unknown to unknown.csv": 2,
    "api from openapi.json to shop.toml": 2, "api from page.json product.json to shop.toml": 2,
  ]

  /// The example about the time of a response, whose exit code a busy machine decides: 0 or 6.
  private static let timed = "assert $p.ms < 300ms"

  @Test(arguments: AllCommands.all.map { $0.declaration.name }.filter { CommandExampleTests.left[$0] == nil })
  func examplesEndWithTheirExitCode(_ name: String) async throws {
    let declaration = try #require(AllCommands.grammar.declaration(named: name))
    try await Sandbox.with(asker: Agreeing()) { sandbox in
      try sandbox.writePictures()
      try bringFiles(sandbox)
      for line in ["ls search 구름상점", "show 138", "let count = 20", "let before = 1", "let p = get /api/products"] {
        _ = await sandbox.run(line)
      }
      // Undo and resume need a write.
      if declaration.writesToMarket || name == "log" { for _ in 1...2 { _ = await sandbox.run("patch 138 stock+=1") } }
      if ["push", "status"].contains(name) { _ = await sandbox.run("pull ~/shop 6,12") }
      if name == "redo" { _ = await sandbox.run("undo") }
      for line in declaration.examples.flatMap(\.lines) {
        let answer = await sandbox.run(CommandExampleTests.line(line, in: sandbox.folder))
        let code = answer.wholeMatch(of: #/(?s:.*)= (\d+)\n/#).flatMap { Int($0.1) } ?? 0
        let expected = CommandExampleTests.codes[line] ?? 0
        let isExpected = code == expected || line == CommandExampleTests.timed && code == 6
        #expect(isExpected, "\(line): \(answer)")
      }
    }
  }

  /// Writes the files that the examples name.
  private func bringFiles(_ sandbox: Sandbox) throws {
    let cup = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/cup.png"))
    for name in ["a.jpg", "b.png"] { try cup.write(to: URL(fileURLWithPath: sandbox.folder + "/" + name)) }
    let product = #"{"name":"새 컵","description":"보온이 잘 되는 컵입니다","price":3500,"currency":"KRW"}"#
    for name in ["product.json", "cup.json"] {
      try Data(product.utf8).write(to: URL(fileURLWithPath: sandbox.folder + "/" + name))
    }
    let secret = EmbeddedMarket.demoVendor.secret
    try sandbox.writeFile("secret.txt", secret)
    try sandbox.writeFile("body.json", #"{"stock":5,"secret":"\#(secret)"}"#)
    try sandbox.writeFile("morning.market", "ls size 1\n")
    let example = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/markets/fakestore.toml")
    try sandbox.writeFile("shop.toml", String(contentsOf: example, encoding: .utf8))
  }

  /// Returns the line with its files in the sandbox instead of the working directory.
  private static func line(_ line: String, in folder: String) -> String {
    if let words = line.wholeMatch(of: #/(pull|push|status) shop(.*)/#) { return "\(words.1) ~/shop\(words.2)" }
    return line.replacing(
      #/(^|[ =,@])([A-Za-z-]+\.(json|jsonl|csv|market|toml|har|handover|tsv|md|plan|txt|png|jpg|swift|xlsx|html))(?=$|[ ,])/#
    ) {
      match in
      "\(match.1)\(folder)/\(match.2)"
    }
  }
}

/// An asker that answers yes to everything.
private struct Agreeing: UserPrompt {
  func answer(to question: String) async -> String? { "y" }
  func secret(_ prompt: String) async -> String? { "secret" }
  func field(_ field: FormQuestion) async -> FormAnswer { .left }
  func endForm() async {}
}
