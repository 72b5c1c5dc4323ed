import Foundation
import GRDB
import TestSupport
import Testing
import WriteJournal

/// What went wrong in simulated months of a shop, each as the lines with which it was seen.
///
/// *Lost* and *landed* requests belong to a program that is killed when they arrive: the server drops or applies them.
@Suite(.timeLimit(Trial.limit)) struct MonthFindingsTests {
  private static let lost: [Int: Program.Fate] = Episode.kill(1, applied: false)
  private static let landed: [Int: Program.Fate] = Episode.kill(1, applied: true)
  private static let new =
    #"new name="달의 상품" description="한 달 동안 팔 상품입니다" price=1000 currency=KRW stock=5 images=~/cup.png"#

  static let episodes: [Episode] = [
    Episode(
      "a stated value before a computed one in a script",
      [
        .file("s.market", "patch 138 stock=5 yes\npatch 138 stock+=2 yes\npatch 132 stock+=1 yes\n"),
        .script("s.market", Episode.kill(3, applied: false)), .stock(138, 7),
        .script("s.market", code: 4, says: ["resume r1"]), .stock(138, 7),
        .line("resume yes", says: ["r1 is complete"]), .stock(138, 7), .stock(132, 42),
        .script("s.market"), .stock(138, 7), .stock(132, 43),
      ]),
    Episode(
      "a price computed after a stated one in a script",
      [
        .file("s.market", "patch 138 price=10000 yes\npatch 138 price-=10% yes\npatch 132 stock+=1 yes\n"),
        .script("s.market", Episode.kill(3, applied: true)), .script("s.market", code: 4), .line("resume yes"),
        .line("show 138 price as tsv", says: ["9000"]), .stock(132, 42),
      ]),
    Episode(
      "an undo that landed, and an undo of a later change",
      [
        .line("patch 138 stock=50 yes"), .line("undo yes", landed), .stock(138, 25), .line("patch 132 stock=60 yes"),
        .line("undo yes", code: 4, says: ["resume r2"]), .line("undo 3 yes"), .stock(132, 41), .stock(138, 25),
      ]),
    Episode(
      "an undo that was interrupted after it was applied, and an undo of a later change",
      [
        .line("patch 138 stock=50 yes"), .line("undo yes", code: 130, [1: .interrupted]), .stock(138, 25),
        .line("patch 132 stock=60 yes"), .line("undo yes"), .stock(132, 41),
      ]),
    Episode(
      "a redo that landed, and a redo of a later undo",
      [
        .line("patch 138 stock=50 yes"), .line("undo yes"), .line("redo yes", landed), .stock(138, 50),
        .pass(hours: 1), .line("resume yes"), .line("patch 132 stock=60 yes"), .line("undo yes"), .stock(132, 41),
        .line("redo yes"),
        .stock(132, 60), .stock(138, 50),
      ]),
    Episode(
      "a lost stated value and later ones",
      [
        .line("patch 138 stock=40 yes", lost), .line("patch 138 stock=20 yes"), .line("patch 138 stock=11 yes"),
        .line("resume yes"), .stock(138, 11), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a lost stated value and a later one that has nothing to change",
      [
        .line("patch 138 stock=40 yes", lost), .line("patch 138 stock=25 yes"), .line("resume yes"), .stock(138, 25),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a lost stated value and a later import",
      [
        .line("patch 138 stock=40 yes", lost), .file("week.csv", "id,stock\n138,30\n132,30\n"),
        .line("import ~/week.csv yes"), .line("resume yes"), .stock(138, 30), .stock(132, 30),
      ]),
    Episode(
      "a lost import and later ones",
      [
        .file("week.csv", "id,stock\n138,40\n132,40\n"), .line("import ~/week.csv jobs 1 yes", lost),
        .line("patch 138 stock=20 yes"), .file("week.csv", "id,stock\n138,11\n132,11\n"),
        .line("import ~/week.csv yes"), .line("resume yes"), .stock(138, 11), .stock(132, 11),
      ]),
    Episode(
      "a lost stated value, and an import of the values of before",
      [
        .file("week.csv", "id,stock\n138,25\n132,41\n"), .line("patch 138 stock=40 yes", lost),
        .line("import ~/week.csv yes"), .line("resume yes"), .stock(138, 25),
      ]),
    Episode(
      "a lost computed value and a later stated one",
      [
        .line("patch 138 stock+=5 yes", lost), .line("patch 138 stock=20 yes"), .line("resume yes"), .stock(138, 20),
        .line("patch 138 stock+=5 yes"), .stock(138, 25),
      ]),
    Episode(
      "a start of a sale that was lost, and a dismissal",
      [
        .line("sale 138,132 10% from today to 12-03 round 10 yes"), .line("due apply yes jobs 1", code: 0, lost),
        .line("sale dismiss 1 yes", says: ["Dismissed the start"]), .line("resume yes"), .discount(138, 0),
        .discount(132, 0), .line("status", says: ["No pending changes"]), .pass(hours: 24 * 4),
        .line("due apply yes"), .line("resume yes"), .discount(138, 0), .discount(132, 0),
      ]),
    Episode(
      "a start of a sale that was lost, and its end",
      [
        .line("sale 138,132 10% from today to 12-02 round 10 yes"), .line("due apply yes jobs 1", lost),
        .pass(hours: 24 * 2 + 6), .line("resume yes"), .discount(138, 0), .discount(132, 0),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a start of a sale that was lost, and is finished in its time",
      [
        .line("sale 138,132 10% from today to 12-03 round 10 yes"), .line("due apply yes jobs 1", lost),
        .line("resume yes"), .discount(138, 1900), .pass(hours: 24 * 4), .line("due apply yes"), .discount(138, 0),
        .discount(132, 0),
      ]),
    Episode(
      "a start of a sale that landed, again in ten minutes",
      [
        .line("sale 138,132 10% from today to 12-03 round 10 yes"), .line("due apply yes jobs 1", landed),
        .pass(hours: 0.2), .line("due apply yes"), .discount(138, 1900), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a change of unknown outcome whose run is given up",
      [
        .line("patch 138 stock+=2 yes", code: 5, [1: .status(429, applied: true)]), .stock(138, 27),
        .line("forget r1 yes", says: ["the outcome of 1 is unknown"]),
        .line("log as csv", says: [",unknown,"]),
        .line("report week as csv", says: [",unknown,"]),
        .line("report week", says: ["1 change, 0 of them done."]),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a stated change that was applied and answered with 429",
      [
        .line("patch 138 stock=27 yes", [1: .status(429, applied: true)]), .stock(138, 27),
        .line("status", says: ["No pending changes"]), .line("log 1", says: ["done"]),
      ]),
    Episode(
      "a computed change that was applied and answered with 429",
      [
        .line(
          "patch 138 stock+=2 yes", code: 5, [1: .status(429, applied: true)],
          says: ["429", "stock was 25, wanted 27, is 27"], omits: ["not applied", "changed in the meantime"]),
        .stock(138, 27), .line("status", says: ["r1", "needs your decision"]),
        .line("patch 138 stock+=2 yes", code: 4, says: ["resume r1"]), .line("resume yes", code: 5), .stock(138, 27),
        .line("resume", answers: ["y"]), .stock(138, 27), .line("status", says: ["No pending changes"]),
        .line("patch 138 stock+=2 yes"), .stock(138, 29),
      ]),
    Episode(
      "a computed change that takes away, answered with 429 once as refused and once as applied",
      [
        .line("patch 138 stock+=2 yes", [1: .status(429, applied: false)]), .stock(138, 27),
        .line("patch 138 stock-=1 yes", code: 5, Episode.every(.status(429, applied: true))), .stock(138, 26),
        .line("resume", answers: ["n"]), .stock(138, 26), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a computed change that was applied and answered with 429, and a later one that puts the value back",
      [
        .line("patch 138 stock+=2 yes", [1: .status(429, applied: true)], reads: [3: .killed(applied: true)]),
        .stock(138, 27), .line("patch 138 stock-=2 yes"), .stock(138, 25),
        .line("resume yes", code: 5, says: ["429", "log entry 2 has changed the same field"]), .stock(138, 25),
        .line("resume", answers: ["y"], says: ["stock        25"]), .stock(138, 25),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a computed change that was applied and answered with 503",
      [
        .line(
          "patch 138 stock+=2 yes", [1: .status(503, applied: true)],
          says: ["stock is 27 now; whether this change set it is not known"]),
        .stock(138, 27), .line("log 1", says: ["done", "503", "is not known"], omits: ["checked"]),
      ]),
    Episode(
      "a stated change that was applied and answered with 503",
      [
        .line("patch 138 stock=27 yes", [1: .status(503, applied: true)], omits: ["not known"]), .stock(138, 27),
        .line("log 1", says: ["done", "503", "checked: the market shows it"]),
      ]),
    Episode(
      "a computed change that was lost, and another client that makes the same",
      [
        .line("patch 138 stock+=2 yes", lost), .foreign(138, 27),
        .line("resume yes", says: ["stock is 27 now; whether this change set it is not known"], omits: ["checked"]),
        .stock(138, 27), .line("log 1", says: ["is not known"], omits: ["checked", "not-applied"]),
      ]),
    Episode(
      "a computed change that the server confirmed to a program that was killed, and buyers",
      [
        // The market sends only the day of the last change.
        .line("patch 138 stock=30 yes"), .line("patch 138 stock=25 yes"),
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(2, applied: false)), .stock(138, 27),
        .foreign(138, 25),
        .line(
          "resume yes", code: 5, says: ["the server reported success; stock was 25, wanted 27, is 25"],
          omits: ["not-applied", "is complete"]),
        .stock(138, 25), .stock(132, 43), .line("log 3", omits: ["not-applied"]), .line("resume", answers: ["y"]),
        .line("status", says: ["No pending changes"]), .stock(138, 25), .stock(132, 43),
      ]),
    Episode(
      "Ctrl-C during the last response, and the next day",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", code: 130, [2: .interrupted], says: ["2 of 2 changes applied"]),
        .pass(hours: 24), .line("patch 138,132 stock+=2 jobs 1 yes"), .stock(138, 29), .stock(132, 45),
      ]),
    Episode(
      "a daily batch that was killed",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(2, applied: false)), .pass(hours: 24),
        .line("patch 138,132 stock+=2 jobs 1 yes", code: 4), .line("resume yes"), .stock(138, 27), .stock(132, 43),
        .line("patch 138,132 stock+=2 jobs 1 yes"), .stock(138, 29), .stock(132, 45),
      ]),
    Episode(
      "a piece taken away that was lost, and a buyer",
      [
        .line("patch 138 stock-=1 yes", lost), .foreign(138, 24),
        .line("resume yes", code: 5, omits: ["done", "checked, applied"]), .stock(138, 24),
      ]),
    Episode(
      "a piece taken away that landed, and a buyer",
      [
        .line("patch 138 stock-=1 yes", landed), .foreign(138, 23), .line("resume yes", code: 5), .stock(138, 23),
        .line("log 1", omits: ["not-applied"]),
      ]),
    Episode(
      "a delete that landed",
      [
        .line("rm 138 yes", Episode.kill(2, applied: true)), .line("rm 138 yes", omits: ["Not found"]),
        .line("status", says: ["No pending changes"]), .line("rm 138 yes"),
      ]),
    Episode(
      "a delete that was lost, and another that deletes",
      [
        .line("rm 138 yes", lost), .line("rm 138 yes"), .line("status", says: ["No pending changes"]),
        .line("show 138", code: 1),
      ]),
    Episode(
      "a delete that landed in a script",
      [
        .file("s.market", "rm 138 yes\npatch 132 stock=1 yes\n"), .script("s.market", Episode.kill(2, applied: true)),
        .script("s.market"), .stock(132, 1), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a batch of deletes of which one landed and one was lost",
      [
        .line("rm 138,132 jobs 1 yes", Episode.kill(3, applied: true)), .line("rm 138,132 yes"),
        .line("show 132", code: 1), .line("show 138", code: 1), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a push of a new file that landed, and a pull",
      [
        .line("pull ~/shop 138"), .picture("shop/pictures/cup.png"), .file("shop/products/new.toml", newFile),
        .line("push ~/shop yes", landed),
        .count("달의 상품", 1), .line("pull ~/shop"), .line("push ~/shop yes"), .line("pull ~/shop"),
        .line("status ~/shop"), .line("push ~/shop yes", says: ["Nothing to push"]), .count("달의 상품", 1),
        .contains("shop/products/new.toml", "id = 142"),
      ]),
    Episode(
      "a push of a new file that landed, again",
      [
        .line("pull ~/shop 138"), .picture("shop/pictures/cup.png"), .file("shop/products/new.toml", newFile),
        .line("push ~/shop yes", landed),
        .line("push ~/shop yes"), .count("달의 상품", 1), .contains("shop/products/new.toml", "id = 142"),
        .line("push ~/shop yes", says: ["Nothing to push"]),
      ]),
    Episode(
      "a create that was lost",
      [
        .line(new + " yes", lost), .line(new + " yes", code: 4), .count("달의 상품", 0),
        .line("resume", answers: ["n", "y"]), .count("달의 상품", 1), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a create that landed and is the product that was found",
      [
        .line(new + " yes", landed), .line("resume yes"), .count("달의 상품", 1), .line("log 1", says: ["142"]),
        .line("undo yes"), .count("달의 상품", 0),
      ]),
    Episode(
      "a change that ended with a cut, and what is said of it",
      [
        .line("patch 138 stock+=5 yes", code: 3, Episode.every(.unsent), says: ["resume"]),
        .line("resume yes"), .stock(138, 30),
      ]),
    Episode(
      "a change that a server of 503 did not make",
      [
        .line("patch 138 stock+=5 yes", code: 1, Episode.every(.status(503, applied: false)), says: ["resume"]),
        .line("resume yes"), .stock(138, 30),
      ]),
    Episode(
      "a pull that is killed before its record, and a colleague who reverts",
      [
        .line("pull ~/shop 138,132,60"), .foreign(138, 7), .foreign(132, 8), .line("rm 60 yes", in: "colleague"),
        .line("pull ~/shop", reads: [3: .killed(applied: false)]), .foreign(138, 25), .foreign(132, 41),
        .line("status ~/shop", code: 0), .line("push ~/shop yes", says: ["Nothing"]), .stock(138, 25), .stock(132, 41),
        .line("pull ~/shop", omits: ["both"]), .line("push ~/shop yes", says: ["Nothing to push"]),
      ]),
    Episode(
      "a copy that landed, a buyer, and the copy again", markets: ["shop", "two"],
      [
        .line(new + " yes"), .line("copy 142 to two yes", landed), .foreign(142, 4, at: "two"),
        .line("copy 142 to two yes", code: 4, says: ["could be 142", "resume"]), .count("달의 상품", 1, at: "two"),
        .line("resume", at: "two", answers: ["y", "y"]), .count("달의 상품", 1, at: "two"),
        .line("copy 142 to two yes"), .count("달의 상품", 1, at: "two"),
      ]),
    Episode(
      "a copy that landed, resume, and the copy again", markets: ["shop", "two"],
      [
        .line(new + " yes"), .line("copy 142 to two yes", landed), .foreign(142, 4), .line("resume yes", at: "two"),
        .line("copy 142 to two yes"), .count("달의 상품", 1, at: "two"),
      ]),
    Episode(
      "a copy whose place another product has", markets: ["shop", "two"],
      [
        .line(new + " yes"), .line("copy 142 to two yes"), .replaced(142, at: "two"),
        .line("copy 142 to two yes", code: 4, says: ["142"]), .count("Another one", 1, at: "two"),
        .count("달의 상품", 0, at: "two"),
      ]),
    Episode(
      "a push of a new file that landed, and an edit of the file",
      [
        .line("pull ~/shop 138"), .picture("shop/pictures/cup.png"), .file("shop/products/new.toml", newFile),
        .line("push ~/shop yes", landed), .edit("shop/products/new.toml", "stock = 5", with: "stock = 7"),
        .line("push ~/shop yes"), .count("달의 상품", 1), .stock(142, 7), .contains("shop/products/new.toml", "id = 142"),
        .line("push ~/shop yes", says: ["Nothing to push"]),
      ]),
    Episode(
      "a create that the disk didn't take, and the corrected one",
      [
        .line("patch 138 stock=26 yes"),
        .withFullDisk(new + " yes", code: 4, says: ["Nothing was sent", "The change stays pending", "resume forget"]),
        .line("resume forget yes"), .line(new.replacing("stock=5", with: "stock=6") + " yes"), .line("resume yes"),
        .count("달의 상품", 1), .stock(142, 6), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "an edit that the disk didn't take",
      [
        .line("patch 138 stock=26 yes"),
        .withFullDisk("patch 138 stock+=5 yes", code: 4, says: ["Nothing was sent", "The change stays pending"]),
        .stock(138, 26), .line("patch 138 stock+=5 yes", code: 4), .line("resume yes"), .stock(138, 31),
        .line("patch 138 stock+=5 yes"), .stock(138, 36),
      ]),
    Episode(
      "an undo that the disk didn't take",
      [
        .line("patch 138 stock=26 yes"),
        .withFullDisk("undo yes", code: 4, says: ["Nothing was sent", "The change stays pending"]), .stock(138, 26),
        .line("undo yes", code: 4), .line("resume yes"), .stock(138, 25),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a batch that the disk didn't take",
      [
        .line("patch 138,132 stock=26 yes"),
        .withFullDisk("patch 138,132 stock+=5 jobs 1 yes", code: 7, says: ["Nothing was sent"]),
        .line("status", says: ["No pending changes"]), .line("patch 138,132 stock+=5 jobs 1 yes"), .stock(138, 31),
        .stock(132, 31),
      ]),
    Episode(
      "a script that ends a sale and is killed in its next line",
      [
        .line("sale 138 10% from today to 12-03 round 10 yes"), .line("sale 132 20% from today to 12-03 round 10 yes"),
        .line("due apply yes"), .discount(138, 1900), .discount(132, 4140),
        .file("s.market", "sale end 1 yes\npatch 60 stock+=1 yes\n"),
        .script("s.market", Episode.kill(2, applied: false)), .discount(138, 0),
        .script("s.market", code: 4, says: ["r"]),
        .discount(132, 4140), .line("resume yes"), .discount(138, 0), .discount(132, 4140), .stock(60, 51),
      ]),
    Episode(
      "a create that landed, of which one is sold, and a person who says that it is the one",
      [
        .line(new + " yes", landed), .foreign(142, 4), .line("resume", answers: ["y", "y"]), .count("달의 상품", 1),
        .line("log 1", says: ["142"]), .line("status", says: ["No pending changes"]), .line("undo yes changed"),
        .count("달의 상품", 0),
      ]),
    Episode(
      "an export that was killed before it replaced the file of an earlier one",
      [
        .line("export where id=138 or id=132 columns stock to ~/q.csv"), .line("patch 138 stock=7 yes"),
        .line(
          "export where id=138 or id=132 columns stock to ~/q.csv replace",
          reads: [2: .killed(applied: false)]),
        .line("patch 138 stock=9 yes"), .line("import ~/q.csv yes", code: 7), .stock(138, 9), .stock(132, 41),
      ]),
    Episode(
      "a push that resume finished, and buyers who bring a stock back to what it was",
      [
        .line("pull ~/shop 138,132"), .edit("shop/products/\(file138)", "stock = 25", with: "stock = 27"),
        .edit("shop/products/\(file132)", "stock = 41", with: "stock = 44"),
        .line("push ~/shop jobs 1 yes", Episode.kill(2, applied: false)), .line("resume yes"), .stock(138, 27),
        .stock(132, 44), .foreign(138, 25), .foreign(132, 41), .line("status ~/shop", omits: ["Changed in the folder"]),
        .line("push ~/shop yes", says: ["Nothing to push"]), .stock(138, 25), .stock(132, 41),
        .line("pull ~/shop"), .contains("shop/products/\(file138)", "stock = 25"),
        .edit("shop/products/\(file138)", "stock = 25", with: "stock = 27"), .line("push ~/shop yes"), .stock(138, 27),
      ]),
    Episode(
      "a push whose rest resume makes after a pull, and a buyer",
      [
        .line("pull ~/shop 138,132"), .edit("shop/products/\(file138)", "stock = 25", with: "stock = 27"),
        .edit("shop/products/\(file132)", "stock = 41", with: "stock = 44"),
        .line("push ~/shop jobs 1 yes", Episode.kill(1, applied: false)), .line("pull ~/shop"), .line("resume yes"),
        .stock(138, 27), .stock(132, 44), .foreign(138, 25), .foreign(132, 41),
        .line("push ~/shop yes", says: ["Nothing to push"]), .stock(138, 25), .stock(132, 41),
      ]),
    Episode(
      "a stated value that landed, the same line again, a buyer, and another value",
      [
        .line("patch 138 stock=40 yes", landed), .line("patch 138 stock=40 yes"), .foreign(138, 39),
        .line("patch 138 stock=20 yes"), .stock(138, 20), .line("resume yes"), .stock(138, 20),
      ]),
    Episode(
      "a value that was not sent, and a later line that states the one that is there, beside a change",
      [
        .line("patch 138,132 stock=60 jobs 1 yes", Episode.kill(2, applied: false)), .stock(138, 60), .stock(132, 41),
        .line("patch 138,132 stock=41 yes"), .stock(138, 41), .line("resume yes"), .stock(138, 41), .stock(132, 41),
        .line("status", says: ["No pending changes"]),
      ]),
  ]

  private static let (file138, file132) = ("000138-먹색-요리책.toml", "000132-먹색-요가-볼.toml")
  private static let newFile = """
    name = "달의 상품"
    description = "한 달 동안 팔 상품입니다"
    price = 1000
    currency = "KRW"
    stock = 5
    images = ["pictures/cup.png"]

    """

  @Test(arguments: episodes) func eachIsExplained(_ episode: Episode) async throws { try await episode.play() }
}
