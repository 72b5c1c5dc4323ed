import TestSupport
import Testing

/// Situations of vendors at the prompt, in scripts and with cron in which a line comes again: what is meant anew is done, what
/// an interrupted run may have made is not made a second time.
@Suite(.timeLimit(Trial.limit)) struct EverydaySituationTests {
  private static let rows = "name,description,price,currency,stock,images\n"
  private static func row(_ name: String) -> String { "\(name),ten letters and more,1000,KRW,1,cup.png\n" }

  static let episodes: [Episode] = [
    Episode(
      "one more piece is sold, in the same words",
      [
        .line("patch 138 stock-=1 yes"), .pass(hours: 0.7), .line("patch 138 stock-=1 yes"), .stock(138, 23),
        .pass(hours: 1), .line("patch 138 stock-=1 yes"), .stock(138, 22),
      ]),
    Episode(
      "a piece is sold while a batch is unfinished",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(2, applied: false)), .line("patch 138 stock-=1 yes"),
        .line("patch 138 stock-=1 yes"), .stock(138, 25), .line("resume yes"), .stock(138, 25), .stock(132, 43),
      ]),
    Episode(
      "the network is lost in an import of stated values, and the import is run again",
      [
        .file("week.csv", "id,stock\n138,21\n132,22\n60,23\n"),
        .line("import ~/week.csv jobs 1 yes", Episode.kill(2, applied: true)), .line("import ~/week.csv yes"),
        .stock(138, 21), .stock(132, 22), .stock(60, 23), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "one of the new rows was refused, is corrected and imported again",
      [
        .file("new.csv", rows + row("Alpha") + row("Beta")),
        .line("import ~/new.csv jobs 1 yes", code: 7, [2: .status(400, applied: false)]), .count("Alpha", 1),
        .file("new.csv", rows + row("Alpha") + row("Gamma")), .line("import ~/new.csv yes"), .count("Alpha", 1),
        .count("Beta", 0), .count("Gamma", 1),
      ]),
    Episode(
      "an import of new rows is killed, and the file is sorted and shortened",
      [
        .file("new.csv", rows + row("Alpha") + row("Beta") + row("Gamma")),
        .line("import ~/new.csv jobs 1 yes", Episode.kill(2, applied: false)), .count("Alpha", 1),
        .file("new.csv", rows + row("Gamma") + row("Alpha")), .line("forget r1 yes"), .line("import ~/new.csv yes"),
        .count("Alpha", 1), .count("Beta", 0), .count("Gamma", 1),
      ]),
    Episode(
      "a script is killed, a comment is put in at its top, and it is sourced again",
      [
        .file("prices.market", "patch 138 stock+=2 yes\npatch 132 stock+=2 yes\n"),
        .line("source ~/prices.market", Episode.kill(2, applied: false)),
        .file("prices.market", "# prices\npatch 138 stock+=2 yes\npatch 132 stock+=2 yes\n"),
        .line("source ~/prices.market", code: 4, says: ["resume r1"]), .stock(138, 27), .stock(132, 41),
      ]),
    Episode(
      "a stated value in cron while a computed one is unfinished",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(1, applied: false)), .line("patch 138 stock=40 yes"),
        .line("resume yes", code: 0), .stock(138, 40), .stock(132, 43),
      ]),
    Episode(
      "a plan that was computed is stopped, and the agent plans anew",
      [
        .line("plan patch 138,132 stock-=5 to ~/agent.plan"),
        .line("apply ~/agent.plan jobs 1 yes", Episode.kill(2, applied: false)), .stock(138, 20),
        .line("apply ~/agent.plan yes", code: 4), .line("plan patch 138,132 stock-=5 to ~/new.plan", code: 4),
        .line("resume yes", code: 0), .stock(138, 20), .stock(132, 36),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a key of a web hook whose program was killed",
      [
        .line("patch 138 stock+=1 yes once order-1", Episode.kill(1, applied: true)),
        .line("patch 138 stock+=1 yes once order-2"), .stock(138, 27),
        .line("patch 138 stock+=1 yes once order-1"), .stock(138, 27),
        .line("patch 138 stock+=1 yes once order-1", says: ["same key"]), .stock(138, 27),
      ]),
    Episode(
      "undo of an interrupted batch, and its line again",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(2, applied: false)), .line("undo r1 yes"),
        .stock(138, 25),
        .line("patch 138,132 stock+=2 jobs 1 yes"), .stock(138, 27), .stock(132, 43),
      ]),
    Episode(
      "an old run is not resumed in front of the nightly line",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(2, applied: false)), .pass(hours: 24 * 21),
        .file("nightly.market", "resume yes\npatch 60 stock=9 yes\n"), .script("nightly.market"), .stock(132, 41),
        .stock(60, 9), .line("resume r1 yes"), .stock(132, 43),
      ]),
    Episode(
      "a file is imported again after its program was killed",
      [
        .file("new.csv", rows + row("Alpha")), .line("import ~/new.csv yes", Episode.kill(1, applied: true)),
        .line("import ~/new.csv yes"), .count("Alpha", 1), .line("import ~/new.csv yes"), .count("Alpha", 1),
      ]),
    Episode(
      "a piece is sold and lost, and the next one is sold in the same words",
      [
        .line("patch 138 stock-=1 yes", Episode.kill(1, applied: false)), .pass(hours: 0.7),
        .line("patch 138 stock-=1 yes", code: 4, says: ["resume r1"]), .stock(138, 25),
        .line("resume yes; patch 138 stock-=1 yes"), .stock(138, 23),
      ]),
    Episode(
      "a plan of computed values that two homes apply",
      [
        .line("plan patch 138,132 stock+=5 to ~/p.plan"),
        .line("apply ~/p.plan jobs 1 yes", Episode.kill(2, applied: false), in: "first"),
        .line("apply ~/p.plan jobs 1 yes", in: "second"), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a plan of a sold piece is lost, and a buyer takes one",
      [
        .line("plan patch 138 stock-=1 to ~/p.plan"),
        .line("apply ~/p.plan yes", Episode.kill(1, applied: false)), .stock(138, 25),
        .line("patch 138 stock=24 yes", in: "colleague"),
        .line("resume yes", code: 5, says: ["stock was 25, wanted 24, is 24"], omits: ["is complete"]),
        .stock(138, 24),
      ]),
    Episode(
      "a colleague renames a product of an exported file",
      [
        .line("export where id=138 columns name,stock to ~/q.csv"),
        .line("patch 138 name='다른 이름' yes", in: "colleague"), .edit("q.csv", ",25", with: ",31"),
        .line(
          "import ~/q.csv yes", code: 7,
          says: ["stock 25 -> 31", "name: server 다른 이름", "1 of 1 change applied", "Applied, but for", "In 1, values"],
          omits: ["0 of 1"]),
        .stock(138, 31),
        .count("다른 이름", 1),
      ]),
    Episode(
      "a colleague renames a product of a folder",
      [
        .line("pull ~/shop 138"), .line("patch 138 name='다른 이름' yes", in: "colleague"),
        .edit("shop/products/000138-먹색-요리책.toml", "stock = 25", with: "stock = 31"), .line("push ~/shop yes"),
        .stock(138, 31), .count("다른 이름", 1),
      ]),
    Episode(
      "a nightly line is held back, and the nights are counted",
      [
        .line("patch 138,132 stock+=2 jobs 1 yes", Episode.kill(2, applied: false)), .pass(hours: 24),
        .line("patch 138,132 stock+=2 jobs 1 yes", code: 4), .pass(hours: 24),
        .line("patch 138,132 stock+=2 jobs 1 yes", code: 4), .line("resume r1 yes", says: ["2"]),
        .line("log", says: ["patch"]),
      ]),
    Episode(
      "a retry loop with resume in front",
      [
        .file("x.market", "resume yes\npatch 138 stock+=2 yes\npatch 132 stock+=2 yes\n"),
        .script("x.market", Episode.kill(2, applied: true)), .script("x.market"), .stock(138, 29), .stock(132, 45),
      ]),
  ]

  @Test(arguments: episodes) func whatIsMeantIsDone(_ episode: Episode) async throws { try await episode.play() }
}
