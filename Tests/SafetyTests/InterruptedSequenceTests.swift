import Foundation
import GRDB
import Platform
import TestSupport
import Testing
import WriteJournal

/// Sequences in which something comes between an interrupted line and its repetition: another market, a failure, a day, a
/// shell that lives on, another way of starting the same script, an answer, a clock that jumps.
///
/// In each of them a change that a run has made or may have made has no second effect without a decision, and what is
/// asked for after a run has ended is done.
@Suite(.timeLimit(Trial.limit)) struct InterruptedSequenceTests {
  private static let plus5 = "patch 138,132 stock+=5 jobs 1 yes"
  private static let restock = "patch 138 stock+=5 yes\npatch 132 stock+=5 yes\n"

  private static let create =
    #"new name="달의 상품" description="한 달 동안 팔 상품입니다" price=1000 currency=KRW stock=5 images=~/cup.png yes"#
  private static let rows = "name,description,price,currency,stock,images\n"
  private static func row(_ name: String) -> String { "\(name),ten letters and more,1000,KRW,1,cup.png\n" }

  /// A script whose second line is killed, after it was applied.
  private static let killedScript: [Episode.Step] = [
    .file("restock.market", restock), .script("restock.market", Episode.kill(2, applied: true)),
  ]
  /// A batch of two products of which the first has it.
  private static let killedBatch: [Episode.Step] = [.line(plus5, Episode.kill(2, applied: false)), .stock(138, 30)]

  static let episodes: [Episode] = [
    Episode(
      "one line in two markets", markets: ["busan", "shop"],
      killedScript + [
        .script("restock.market", at: "busan"), .stock(138, 30, at: "busan"),
        .script("restock.market", code: 4, says: ["resume r1"]), .stock(138, 30), .stock(132, 46),
        .line("resume yes", says: ["r1 is complete"]), .stock(138, 30), .stock(132, 46), .stock(132, 46, at: "busan"),
      ]),
    Episode(
      "a repetition that fails before it plans anything",
      killedBatch + [
        .line("patch 60 stock=9 yes"),
        .line(plus5, code: 4, reads: Episode.every(.unsent)),
        .line("patch 138,132,60 stock+=5 yes", code: 3, reads: Episode.every(.unsent)),
        .line(plus5, code: 4, says: ["resume r1"]), .stock(138, 30), .stock(132, 41),
      ]),
    Episode(
      "a script whose reading line fails, run again",
      [
        .file("s.market", "patch 138 stock+=5 yes\nshow 132 id\n"),
        .script("s.market", Episode.kill(1, applied: true)),
        .script("s.market", code: 4), .script("s.market", code: 4), .stock(138, 30),
      ]),
    Episode(
      "a batch that takes away more than is left of its first products",
      [
        .line("patch 138,132 stock=8 yes"), .line("patch 138,132 stock-=5 jobs 1 yes", Episode.kill(2, applied: false)),
        .stock(138, 3),
        .line(
          "patch 138,132 stock-=5 jobs 1 yes", code: 4, says: ["resume r2"], omits: ["cannot be changed"]),
        .line("resume yes", says: ["r2 is complete"]), .stock(138, 3), .stock(132, 3),
      ]),
    Episode(
      "a script that is started in another way",
      killedScript + [
        .line("source ~/restock.market", code: 4, says: ["resume r1"]), .stock(138, 30), .stock(132, 46),
        .file("other.market", "patch 138 stock+=5 yes\n"),
        .script("other.market", code: 4, says: ["r1"]), .stock(138, 30),
        .line("patch 132 stock+=5 yes", code: 4), .stock(132, 46),
      ]),
    Episode(
      "a script of which a later line is that of an interrupted run",
      [.line("patch 60 stock=9 yes")] + killedBatch + [
        .file("s.market", "patch 60 stock=8 yes\n\(plus5)\npatch 60 stock=7 yes\n"),
        .script("s.market", code: 4, says: ["resume r2"]), .stock(60, 9), .stock(138, 30), .stock(132, 41),
        .line("source ~/s.market", code: 4, says: ["resume r2"]), .stock(60, 9),
        .file("again.market", "patch 60 stock=8 yes\n\(plus5) again\n"),
        .script("again.market"), .stock(60, 8), .stock(138, 35), .stock(132, 46),
      ]),
    Episode(
      "a script that resumes the run that holds one of its later lines",
      [.line("patch 60 stock=9 yes")] + killedBatch + [
        .file("s.market", "patch 60 stock=8 yes\nresume yes\n\(plus5)\n"),
        .script("s.market"), .stock(60, 8), .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "a script of which a later line is the one at which another script stopped",
      [.line("patch 60 stock=9 yes")] + killedScript + [
        .file("s.market", "patch 60 stock=8 yes\npatch 132 stock+=5 yes\n"),
        .script("s.market", code: 4, says: ["r2"]), .stock(60, 9),
        .line("resume yes", says: ["r2 is complete"]), .script("s.market"), .stock(60, 8), .stock(132, 51),
      ]),
    Episode(
      "a resume that is killed before its request is applied",
      [
        .line("patch 60 stock=9 yes"),
        .line("patch 138,132,60 stock+=5 jobs 1 yes", Episode.kill(2, applied: true)), .stock(138, 30), .stock(132, 46),
        .line("resume yes", Episode.kill(1, applied: false)), .stock(60, 9), .line("status", says: ["r2"]),
        .line("patch 138,132,60 stock+=5 jobs 1 yes", code: 4, says: ["resume r2"]),
        .line("resume yes", says: ["r2 is complete"]), .stock(138, 30), .stock(132, 46), .stock(60, 14),
        .line("status", says: ["No pending changes"]), .line("undo r2 yes"), .stock(138, 25), .stock(132, 41),
        .stock(60, 9),
      ]),
    Episode(
      "a resume that is killed after a request was applied",
      [
        .line("patch 60 stock=9 yes"),
        .line("patch 138,132,60 stock+=5 jobs 1 yes", Episode.kill(1, applied: true)), .stock(138, 30),
        .line("resume yes", Episode.kill(1, applied: true)),
        .line("resume yes", says: ["r2 is complete"]), .stock(138, 30), .stock(132, 46), .stock(60, 14),
        .line("undo r2 yes"), .stock(138, 25), .stock(132, 41), .stock(60, 9),
      ]),
    Episode(
      "a line of one script that is a line of another",
      [
        .file("a.market", "patch 138 stock+=5 yes\nshow 999999\n"), .file("b.market", "patch 138 stock+=5 yes\n"),
        .line("source ~/a.market", Episode.kill(1, applied: true)),
        .line("source ~/b.market", code: 4), .stock(138, 30),
        .line("forget r1 yes"), .line("source ~/b.market"), .stock(138, 35),
      ]),
    Episode(
      "the next day, the next week and after a weekend",
      killedBatch + [
        .pass(hours: 23.99), .line(plus5, code: 4), .pass(hours: 0.02), .line(plus5, code: 4, says: ["One repetition"]),
        .pass(hours: 200), .line(plus5, code: 4, says: ["2 repetitions", "9 days ago"]), .stock(138, 30),
        .stock(132, 41),
        .line("resume yes", says: ["r1 is left as it is"]), .stock(132, 41),
        .line("resume r1 yes", says: ["r1 is complete"]), .stock(138, 30), .stock(132, 46),
        .line(plus5), .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "a change that could not be sent, and the next day",
      [
        .line(plus5, code: 7, Episode.every(.unsent), says: ["resume"]),
        .pass(hours: 24), .line(plus5, code: 4), .line("resume yes"), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a pipe that says 1 after everything was made",
      [
        .line("patch 138,132 stock+=5 yes | grep -v .", code: 1), .stock(138, 30),
        .line("patch 138,132 stock+=5 yes | grep -v .", code: 1), .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "a question that is declined",
      killedBatch + [
        .line(plus5, code: 4, answers: ["", ""]), .line(plus5, code: 4, answers: ["n"]),
        .line(plus5, code: 4, says: ["resume r1"]), .stock(138, 30), .stock(132, 41),
      ]),
    Episode(
      "all of the line anew, killed again",
      killedBatch + [
        .line(plus5, Episode.kill(2, applied: false), answers: ["2", "y"]), .stock(138, 35), .stock(132, 41),
        .line(plus5, code: 4, says: ["r2"], omits: ["r1"]), .line("resume yes", says: ["r2 is complete"]),
        .stock(138, 35), .stock(132, 46), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "again, killed again",
      killedBatch + [
        .line(plus5 + " again", Episode.kill(2, applied: true)), .stock(138, 35), .stock(132, 46),
        .line(plus5, code: 4, says: ["r2"], omits: ["r1"]), .line("resume yes"), .stock(138, 35), .stock(132, 46),
      ]),
    Episode(
      "a clock that goes forward and back",
      killedBatch + [
        .clock(hours: 24 * 400), .line(plus5, code: 4), .clock(hours: -24 * 4_000),
        .line(plus5, code: 4, says: ["before the clock was set back"], omits: ["just now"]),
        .line("resume r1 yes", says: ["r1 is complete"]), .stock(138, 30), .stock(132, 46),
        .clock(hours: 0), .line(plus5), .stock(138, 35),
      ]),
    Episode(
      "a computed edit whose response was lost, days later",
      [
        .line("patch 138 stock+=5 yes", Episode.kill(1, applied: false)), .pass(hours: 60),
        .line("patch 138 stock+=5 yes", code: 4), .line("resume yes"), .stock(138, 30),
      ]),
    Episode(
      "a script that resume has finished, in the evening again",
      killedScript + [
        .line("resume yes", says: ["r1 is complete"]), .stock(132, 46), .pass(hours: 9), .script("restock.market"),
        .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "an interrupted batch whose rest another line made",
      killedBatch + [
        .line("patch 132 stock=7 yes"), .line("resume yes"), .stock(138, 30), .stock(132, 7),
      ]),
    Episode(
      "resume is killed, and resumed",
      killedBatch + [
        .line("resume yes", Episode.kill(1, applied: true)), .stock(132, 46), .line(plus5, code: 4),
        .line("resume yes", says: ["r1 is complete"]), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "an undo that takes back a part",
      killedBatch + [
        .line("undo r1 yes"), .stock(138, 25), .line("status", says: ["No pending changes"]), .line(plus5),
        .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a script that was sourced, started as a file",
      [
        .file("restock.market", restock), .line("source ~/restock.market", Episode.kill(2, applied: true)),
        .script("restock.market", code: 4, says: ["resume r1"]), .stock(138, 30), .stock(132, 46),
        .line("resume yes", says: ["r1 is complete"]), .script("restock.market"), .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "a line of -c that comes from standard input and with several -c",
      [
        .line("patch 138 stock+=5 yes", Episode.kill(1, applied: true)),
        .pipe(["patch 138 stock+=5 yes"], code: 4, says: ["resume r1"]),
        .lines(["show 138 id", "patch 138 stock+=5 yes"], code: 4, says: ["resume r1"]), .stock(138, 30),
        .line("resume yes"), .pipe(["patch 138 stock+=5 yes"]), .stock(138, 35),
      ]),
    Episode(
      "lines of standard input, as several -c",
      [
        .pipe(["patch 138 stock+=5 yes", "patch 132 stock+=5 yes"], Episode.kill(2, applied: false)),
        .lines(["patch 138 stock+=5 yes", "patch 132 stock+=5 yes"], code: 4, says: ["r1"]), .stock(138, 30),
        .line("resume yes"), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a discount that comes near the price",
      [
        .line("patch 138,132 discount+=11000 jobs 1 yes outliers", Episode.kill(2, applied: false)),
        .line(
          "patch 138,132 discount+=11000 jobs 1 yes outliers", code: 4, says: ["resume r1"],
          omits: ["cannot be changed"]),
        .line("resume yes outliers"), .discount(138, 11_000), .discount(132, 11_000),
      ]),
    Episode(
      "a script with a create that failed, two days later",
      [
        .file("s.market", create + "\nshow 999999\n"), .script("s.market", code: 1), .pass(hours: 48),
        .script("s.market", code: 4, says: ["r1", "2 days ago"]), .count("달의 상품", 1), .line("forget r1 yes"),
        .script("s.market", code: 1), .count("달의 상품", 2),
      ]),
    Episode(
      "a report that its file doesn't take",
      [
        .line("patch 138,132 stock+=5 yes as json to /dev/full", code: 1), .stock(138, 30), .stock(132, 46),
        .line("patch 138,132 stock+=5 yes as json to /dev/full", code: 1), .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "words without an effect on the market",
      killedBatch
        + ["time \(plus5)", "\(plus5) all", "\(plus5) outliers", "\(plus5) note 'second try'", "trace \(plus5)"]
        .map { .line($0, code: 4, says: ["resume r1"]) } + [.stock(138, 30), .stock(132, 41)]),
    Episode(
      "an imported file that was renamed",
      [
        .file("new.csv", rows + row("Alpha") + row("Beta")),
        .line("import ~/new.csv jobs 1 yes", code: 7, [2: .status(400, applied: false)]), .count("Alpha", 1),
        .move("new.csv", to: "done.csv"), .edit("done.csv", "Beta", with: "Gamma"),
        .line("import ~/done.csv yes", code: 4, says: ["is there already", "142 Alpha"]), .count("Alpha", 1),
        .count("Gamma", 0), .line("import ~/done.csv", answers: ["n", "y"]), .count("Alpha", 1), .count("Gamma", 1),
      ]),
    Episode(
      "two equal rows of which one was made, deleted and taken out of the file",
      [
        .file("new.csv", rows + row("Alpha") + row("Alpha")), .line("import ~/new.csv jobs 1 yes"),
        .count("Alpha", 2), .line("rm 142 yes"), .file("new.csv", rows + row("Alpha")),
        .line("import ~/new.csv yes"), .count("Alpha", 1),
      ]),
    Episode(
      "two equal rows of which somebody else deleted one",
      [
        .file("new.csv", rows + row("Alpha") + row("Alpha")), .line("import ~/new.csv jobs 1 yes"),
        .line("rm 142 yes", in: "colleague"), .file("new.csv", rows + row("Alpha")),
        .line("import ~/new.csv yes"), .count("Alpha", 1), .file("new.csv", rows + row("Alpha") + row("Alpha")),
        .line("import ~/new.csv yes", code: 7, says: ["142", "does not exist any more"]), .count("Alpha", 1),
      ]),
    Episode(
      "Ctrl-C by mistake, and the same line at once",
      [
        .line(plus5, code: 130, [1: .interrupted], says: ["resume"]), .stock(138, 30), .stock(132, 41),
        .line(plus5, answers: ["1", "y"], says: ["r1 is complete"]), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "two interrupted lines, and one that repeats both",
      [
        .line("patch 138 stock+=5 yes", Episode.kill(1, applied: true)),
        .line("patch 132 stock+=5 yes", Episode.kill(1, applied: false)),
        .line(plus5, code: 4, says: ["r1", "r2"]), .line(plus5, code: 4, answers: [""], says: ["r1", "r2"]),
        .line(plus5, answers: ["1", "y"]), .stock(138, 30), .stock(132, 46),
        .line("status", says: ["No pending changes"]), .line(plus5), .stock(138, 35),
      ]),
    Episode(
      "a batch that resume has finished, and its undo",
      killedBatch + [
        .pass(hours: 40), .line("resume yes", says: ["undo r1"]), .stock(132, 46), .line("undo r1 yes"),
        .stock(138, 25), .stock(132, 41),
      ]),
    Episode(
      "what forget leaves",
      killedBatch + [
        .line("forget r1 yes", says: ["1 done stay"]), .line("resume yes"), .stock(138, 30), .stock(132, 41),
        .line(plus5), .stock(138, 35), .stock(132, 46),
      ]),
    Episode(
      "a home that was restored from a backup of before resume",
      killedBatch + [
        .copyHome("own", to: "backup"), .line("resume yes"), .stock(132, 46), .copyHome("backup", to: "own"),
        .line(plus5, code: 4),
        .line("resume yes", code: 5, says: ["copied, moved or restored after r1", "resume r1 yes"]),
        .line("resume r1 yes", says: ["copied, moved or restored after r1"]), .stock(138, 30), .stock(132, 46),
        .line(plus5), .stock(138, 35), .stock(132, 51),
      ]),
    Episode(
      "a home that was restored, and what is interrupted afterwards",
      killedBatch + [
        .copyHome("own", to: "backup"), .copyHome("backup", to: "own"),
        .line("resume", code: 4, answers: ["n"], says: ["copied, moved or restored after r1"]),
        .stock(132, 41), .line("resume", answers: ["y", "y"]), .stock(132, 46),
        // What this home begins is its own.
        .line("patch 60,54 stock+=5 jobs 1 yes", Episode.kill(2, applied: false)),
        .line("resume yes", omits: ["copied"]),
      ]),
    Episode(
      "a home that was restored from a backup of the middle of a batch",
      [
        .line("patch 138,132,60 stock+=5 jobs 1 yes", code: 130, [1: .interrupted]), .copyHome("own", to: "backup"),
        .line("resume yes"), .stock(132, 46), .copyHome("backup", to: "own"),
        .line("resume yes", code: 5, says: ["The other copy may have finished it."]),
        .line("resume r1 yes", code: 5, says: ["0 of 2", "copy of this home folder"], omits: ["is complete"]),
        .stock(138, 30), .stock(132, 46), .line("status", says: ["r1", "2 unknown"]),
        .line("resume", answers: ["y", "y"], says: ["r1 is complete"]), .stock(138, 30), .stock(132, 46),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a product of an interrupted batch is sold before resume",
      [
        .line("patch 138,132 stock+=5 jobs 1 yes", code: 130, [1: .interrupted]), .foreign(132, 40),
        .line("resume yes", code: 5, says: ["stock was 41, wanted 46, is 40"], omits: ["is complete"]),
        .line("patch 138,132 stock+=5 jobs 1 yes", code: 4, says: ["resume r1"]), .stock(132, 40),
        .line("resume", answers: ["n"]), .line("status", says: ["No pending changes"]), .line("patch 132 stock+=5 yes"),
        .stock(132, 45), .stock(138, 30),
      ]),
    Episode(
      "a stated value of an interrupted batch that another client has changed",
      [
        .line("patch 138,132,60 stock=60 jobs 1 yes", code: 130, [1: .interrupted]), .foreign(132, 40),
        .line(
          "resume yes", code: 7, says: ["changed in the meantime", "1 change was not made"], omits: ["is complete"]),
        .stock(132, 40), .stock(138, 60), .stock(60, 60), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a computed change of an interrupted batch, after another one of this home",
      [
        .line("patch 138,132,60 stock+=5 jobs 1 yes", code: 130, [1: .interrupted]), .line("patch 132 stock-=1 yes"),
        .line("resume yes", code: 7, says: ["changed in the meantime", "1 change was not made"]), .stock(132, 40),
        .stock(138, 30), .stock(60, 55), .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a home on two computers, both of which resume",
      [
        .line("patch 138,132,60 stock+=5 jobs 1 yes", code: 130, [1: .interrupted]),
        .copyHome("own", to: "laptop"), .line("resume yes"),
        .line("resume yes", code: 5, in: "laptop", says: ["The other copy may have finished it."]),
        .line("resume r1 yes", code: 5, in: "laptop", says: ["copy of this home folder"], omits: ["is complete"]),
        .stock(138, 30), .stock(132, 46), .stock(60, 55),
      ]),
    Episode(
      "status names the line and what held it back",
      killedBatch + [
        .line(plus5, code: 4),
        .line("status", says: ["r1", "patch 138,132 stock+=5", "One repetition was not sent", "resume r1"]),
      ]),
    Episode(
      "a script that was killed in a first line of a stated value, again, and resume",
      [
        .file("s.market", "patch 60 stock=9 yes\n" + restock), .script("s.market", Episode.kill(1, applied: true)),
        .script("s.market"), .line("resume yes"), .stock(138, 30), .stock(132, 46),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a script whose first line, a stated value, was lost, again, and resume",
      [
        .file("s.market", "patch 60 stock=9 yes\n" + restock), .script("s.market", Episode.kill(1, applied: false)),
        .script("s.market"), .line("resume yes", says: ["No pending changes"]), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a script that was killed in a delete, again, and resume",
      [
        .file("s.market", "rm 60 yes\n" + restock), .script("s.market", Episode.kill(2, applied: true)),
        .script("s.market"), .line("resume yes", says: ["No pending changes"]), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a script that was killed in a read behind a stated value, again, and resume",
      [
        .file("s.market", "patch 60 stock=9 yes\nshow 54 id\n" + restock),
        .line("source ~/s.market", reads: [4: .killed(applied: true)]), .stock(60, 9), .stock(138, 25),
        .script("s.market"), .line("resume yes", says: ["No pending changes"]), .stock(138, 30), .stock(132, 46),
      ]),
    Episode(
      "a line in another home",
      killedBatch + [
        // Another home knows nothing of it: there is nothing to hold it back.
        .line(plus5, in: "colleague"), .stock(138, 35), .stock(132, 46),
        // But this home sees that another client has changed what its run wrote, and so perhaps the rest.
        .line("resume yes", code: 5, says: ["stock changed to 35 since then", "stock was 41, wanted 46, is 46"]),
        .stock(138, 35), .stock(132, 46), .line("resume", answers: ["n"]), .stock(132, 46),
        .line("status", says: ["No pending changes"]),
      ]),
    Episode(
      "a batch of which another home made all, before the rest was sent",
      [
        .line("patch 138,132,60 stock+=5 jobs 1 yes", code: 130, [1: .interrupted]), .stock(138, 30),
        .line("patch 138,132,60 stock+=5 jobs 1 yes", in: "colleague"), .stock(138, 35), .stock(132, 46),
        .line("resume yes", code: 5, says: ["stock was 41, wanted 46, is 46"]), .stock(138, 35), .stock(132, 46),
        .stock(60, 55),
      ]),
  ]

  @Test(arguments: episodes) func repetitionIsHeldBackOrNew(_ episode: Episode) async throws {
    try await episode.play()
  }

  /// Old entries are removed from the log before and while a file is imported again: what was created from it is still known.
  @Test func pruningWhileImportingForgetsNoCreate() async throws {
    try await Shop.with { shop in
      let prune: @Sendable () async -> Void = { try? Journal(at: shop.home().journalFolder).prune(entries: 1) }
      try shop.writePicture()
      try shop.write("new.csv", Self.rows + Self.row("Alpha") + Self.row("Beta") + Self.row("Gamma"))
      let first = try await shop.run("import ~/new.csv jobs 1 yes") {
        $0.isWrite && $0.number == 3 ? .status(400, applied: false) : .normal
      }
      #expect(first.code == 7, "\(first.said)")
      for stock in 1...3 { _ = try await shop.run("patch 138 stock=\(stock) yes") }
      await prune()
      #expect(try Journal(at: shop.home().journalFolder).entry(4) == nil)
      try shop.write("new.csv", Self.rows + Self.row("Alpha") + Self.row("Beta") + Self.row("Delta"))
      let again = try await shop.run("import ~/new.csv jobs 1 yes") { _ in .waiting(prune) }
      #expect(again.code == 0, "\(again.said)")
      let names = try shop.rows().values.map(\.name)
      #expect(["Alpha", "Beta", "Gamma", "Delta"].map { name in names.count { $0 == name } } == [1, 1, 0, 1])
    }
  }

  /// What an import wrote can't be recorded: this is said, and the next import of the file overwrites nothing that was changed
  /// since.
  @Test func importWhoseCellsAreNotRecordedOverwritesNothing() async throws {
    try await Shop.with { shop in
      let folder = shop.home().exportsFolder
      _ = try await shop.run("export where id=138 columns stock to ~/q.csv")
      try shop.write("q.csv", try shop.text("q.csv").replacing("25", with: "31"))
      let first = try await shop.run("import ~/q.csv yes") { passage in
        guard passage.isWrite else { return .normal }
        return .waiting { try? FileManager.default.moveItem(atPath: folder, toPath: folder + ".away") }
      }
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
      #expect(first.code == 0 && first.said.contains("could not be recorded"), "\(first.said)")
      let same = try await shop.run("import ~/q.csv yes")
      #expect(same.code == 0 && !same.said.contains("changed on both sides"), "\(same.said)")
      try shop.set(stock: 40, of: 138)
      let next = try await shop.run("import ~/q.csv yes")
      #expect(next.code == 7 && next.said.contains("server 40, file 31"), "\(next.said)")
      #expect(try shop.rows()[138]?.stock == 40)
    }
  }

  /// A shell that was interrupted and lives on is as interrupted as one that is gone.
  @Test func runOfALivingShellIsMet() async throws {
    try await Shop.with { shop in
      let first = try shop.start { $0.isWrite && $0.number == 1 ? .interrupted : .normal }
      let stopped = try await first.type(Self.plus5)
      #expect(stopped.code == 130, "\(stopped.said)")
      let stocks = try shop.rows().mapValues(\.stock)
      #expect([stocks[138], stocks[132]] == [30, 41])
      let other = try await shop.run(Self.plus5)
      #expect(other.code == 4 && other.said.contains("resume r1"), "\(other.said)")
      let same = try await first.type(Self.plus5)
      #expect(same.code == 4, "\(same.said)")
      let resumed = try await first.type("resume yes")
      #expect(resumed.code == 0, "\(resumed.said)")
      let again = try await shop.run(Self.plus5)
      #expect(again.code == 0, "\(again.said)")
      let end = try shop.rows().mapValues(\.stock)
      #expect([end[138], end[132]] == [35, 51])
    }
  }

  /// A line that a live program is executing is met, and isn't gone on with.
  @Test func runThatIsOpenIsMet() async throws {
    try await Shop.with { shop in
      let door = Turnstile()
      let first = try shop.start { $0.isWrite ? .waiting { await door.wait() } : .normal }
      async let running = first.type("patch 138 stock+=5 yes")
      await door.isReached()
      let other = try await shop.run("patch 138 stock+=5 yes")
      #expect(other.code == 4 && other.said.contains("r1"), "\(other.said)")
      let resumed = try await shop.run("resume r1 yes")
      #expect(resumed.code == 4 && resumed.said.contains("still running"), "\(resumed.said)")
      door.open()
      let ended = try await running
      #expect(ended.code == 0, "\(ended.said)")
      #expect(try shop.rows()[138]?.stock == 30)
    }
  }

  /// A journal that is locked or can't be read stops a line before it sends.
  @Test func journalThatCannotBeReadSendsNothing() async throws {
    try await Shop.with { shop in
      _ = try await shop.run(Self.plus5) { $0.isWrite && $0.number == 2 ? .killed(applied: false) : .normal }
      let path = shop.home().journalFolder + "/journal.sqlite"
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let holder = try DatabaseQueue(path: path, configuration: configuration)
      try await holder.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
      for line in [Self.plus5, "patch 138 stock=1 yes", "resume yes"] {
        let ended = try await shop.run(line)
        #expect([4, 5].contains(ended.code) && ended.said.contains("Nothing was sent"), "\(ended.said)")
      }
      try await holder.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try holder.close()
      #expect(try shop.rows()[138]?.stock == 30 && shop.rows()[132]?.stock == 41)
      #expect(try await shop.run(Self.plus5).code == 4)
    }
  }
}
