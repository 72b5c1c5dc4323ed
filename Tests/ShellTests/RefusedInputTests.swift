import Foundation
import Networking
import ShellTesting
import Synchronization
import TestSupport
import Testing

/// Typing errors of all kinds, from conditions to pictures: a message names them, the exit code is 2, and nothing is
/// asked, sent, recorded or changed.
@Suite(.timeLimit(Trial.limit)) struct RefusedInputTests {
  private static let lines: [(what: String, lines: [String])] = [
    (
      "Expressions",
      [
        "ls where prise<1", "ls where price<", "ls where (price<1", "ls where price<1 and", "ls where price*2",
        "ls where name~/[/", "ls where created>=2022-13-01", "ls where modified<30x", "ls where price='cheap'",
        "ls where len(price)>2", "ls where stock=1 stock=2",
        "patch 138 price=sale*", "patch 138 price=cost*2", "patch 138 price=price/0", "patch 138 discount=110%",
        "patch 138 price=round(price*1.1, 0)", "patch 138 price=price*1.1 round x",
        "patch 138 stock=max()", "patch 138 name~s/컵", "patch 138 name~s/[/x/", "patch 138 price~s/1/2/",
        "patch 138 sale=price*2", "patch 138 sale=-1", "patch 138 name=",
      ]
    ),
    (
      "Habits",
      [
        "ls 0", "ls 2 3", "ls mine yours", "ls sort -prise", "ls order price", "ls order by", "ls where name like",
        "ls where name like 컵 and", "ls columns", "ls columns name prise", "ls where stock=0 &&", "patch 138 price",
        "patch 138 prise 18500", "patch 138 price 18 500", "patch 138 price=1,8500", "patch 138 price=¥5",
        "patch 138 price - = 10%", "patch @1-", "patch @3-@1 stock=1", "rm 138 ,132",
        "profile add", "profile add slow", "profile add slow 127.0.0.1:9", "profile add slow ftp://127.0.0.1/",
        "\\z", "\\watch x ls", "\\i", "\\c nowhere", ":x y", "!5", "update 138 price=1", "remove 138",
        "drop table products", "rm",
        "import ~/wrong.csv dry", "patch 138 stock=1 curl", "rm 138 dry yes", "ls -- size 2",
      ]
    ),
    (
      "Rows in an editor, one by one, and the answers about them",
      [
        "edit", "edit mine columns price,vendor", "edit mine columns price,price", "edit 138 colums price",
        "edit where stock<", "walk", "walk where prise>1", "walk 138 columns price", "undo batch",
        "undo batch x", "undo x", "resume x",
      ]
    ),
    (
      "Files of spreadsheets",
      [
        "import", "import ~/none.csv", "import ~/book.xlsx", "import ~/wrong.csv", "import ~/twice.csv",
        "import ~/open.csv", "import ~/wrong.csv win nobody", "ls as csv to ~/x.xlsx", "export ~/x.ods", "ls bom",
      ]
    ),
    (
      "Pictures",
      ["none.png", "note.png", "cut.png", "cut.webp", "cut.gif", "empty.jpg"].map {
        "new name='새 요리책' description='사계절 반찬 백 가지.' price=9000 currency=KRW images=~/\($0) yes"
      } + ["patch 138 images=~/note.png yes", "patch 138 images=~/cup.png,~/none.png yes"]
    ),
    (
      "Sales",
      [
        "sale", "sale mine", "sale mine 10%", "sale mine 0% from 12-24 to 12-26", "sale mine x from 12-24 to 12-26",
        "sale mine 10% from 12-26 to 2022-12-24", "sale mine 10% from 12-24 to 12-20",
        "sale mine 10% from 12-32 to 12-33", "sale mine 10% from 12-24",
        "due now", "due apply now", "apply", "apply ~/none.json", "apply ~/wrong.csv",
      ]
    ),
    (
      "What is kept",
      [
        "set nothing on", "set lang fr", "set page-size 0", "set pager maybe", "format yaml", "set format",
        "help xyzzy",
        "alias ls = show", "restore mine from", "restore 138 vendor from x", "snapshot rm", "diff a b c",
      ]
    ),
  ]

  @Test func refusedInputIsReportedAndSendsNothing() async throws {
    let writes = Mutex<[String]>([])
    let asker = ScriptedAsker([])
    try await Sandbox.with(
      asker: asker, environment: ["VISUAL": "false"],
      between: { door, _ in
        ObservedTransport(door) { exchange in
          if exchange.request.method != .get { writes.withLock { $0.append(exchange.request.target) } }
        }
      }
    ) { sandbox in
      try sandbox.writePictures()
      let whole = try Data(contentsOf: URL(fileURLWithPath: sandbox.folder + "/cup.png"))
      try whole.prefix(60).write(to: URL(fileURLWithPath: sandbox.folder + "/cut.png"))
      let files = [
        ("note.png", "not a picture"), ("cut.webp", "RIFF\u{10}\0\0\0WEBPVP8 "), ("cut.gif", "GIF89a"),
        ("empty.jpg", ""), ("book.xlsx", "PK\u{3}\u{4}"), ("wrong.csv", "id,price\n138,cheap\n132,1\n"),
        ("twice.csv", "id,stock\n138,1\n138,2\n"), ("open.csv", "id,name\n138,\"open\n"),
      ]
      for (name, text) in files { try sandbox.writeFile(name, text) }
      let lines = ["set", "profile", "show 138", "due", "status"]
      let before = await said(lines, in: sandbox)
      var text = ""
      for part in Self.lines {
        text += "# \(part.what)\n"
        for line in part.lines {
          let answer = await sandbox.run(line)
          text += "> \(line)\n" + answer
          #expect(answer.hasSuffix("= 2\n"), "\(line)")
          #expect(answer.contains("! error: "), "\(line)")
        }
      }
      try Golden("refused-input").check(text)
      #expect(writes.withLock { $0 } == [])
      #expect(asker.questions == [])
      #expect(try sandbox.log().isEmpty)
      #expect(await said(lines, in: sandbox) == before)
      for (name, text) in files {
        #expect(try String(contentsOfFile: sandbox.folder + "/" + name, encoding: .utf8) == text)
      }
    }
  }

  private func said(_ lines: [String], in sandbox: Sandbox) async -> [String] {
    var said: [String] = []
    for line in lines { said.append(await sandbox.run(line)) }
    return said
  }
}
