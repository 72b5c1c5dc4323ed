import Catalog
import Foundation
import GRDB
import LineEditing
import MarketOperations
import Networking
import Platform
import Presentation
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text
import WriteJournal

/// `resume` goes on with the lines of a script where that is possible, and otherwise lists them and keeps the run; in front
/// of a script it is no part of it.
@Suite(.timeLimit(Trial.limit)) struct ScriptResumptionTests {
  /// The way in which lines come in.
  enum Start: CaseIterable {
    case lines, file, source, pipe
  }

  /// Runs lines, of which the program executes only the first ones before it is killed.
  private func run(
    _ lines: [String], as start: Start, killedAfter count: Int? = nil, key: String? = nil, in sandbox: Sandbox
  ) async throws -> String {
    let shell = sandbox.shell
    let executed = lines.prefix(count ?? lines.count)
    var code = ExitStatus.success
    switch start {
    case .lines:
      let sources = lines.map { [Input.line($0)] }
      await shell.begin(lines: ScriptRunner.lines(of: sources))
      for (index, line) in executed.enumerated() where code == .success {
        code = await ScriptRunner(shell, ScriptRunner.Options()).run(
          ScriptInput([.line(line)], after: index), named: "-c")
      }
    case .file, .source:
      let path = sandbox.folder + "/night.market"
      try sandbox.writeFile("night.market", lines.joined(separator: "\n") + "\n")
      if start == .source { return await sandbox.run("source ~/night.market") }
      code = await ScriptRunner(shell, ScriptRunner.Options()).run(ScriptInput(executed.map { .line($0) }), named: path)
    case .pipe:
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data((lines.joined(separator: "\n") + "\n").utf8))
      try pipe.fileHandleForWriting.close()
      code = await ScriptRunner(shell, ScriptRunner.Options()).run(
        ScriptInput(LineReader(pipe.fileHandleForReading.fileDescriptor), isRecorded: true, isAtHand: false),
        named: "standard input")
      try pipe.fileHandleForReading.close()
    }
    if count != nil { try await kill(sandbox) }
    await shell.endScripts(code)
    return sandbox.console.take() + (code == .success ? "" : "= \(code.rawValue)\n")
  }

  /// Simulates that the program was killed, so that it didn't record the end of its run.
  private func kill(_ sandbox: Sandbox) async throws {
    let queue = try DatabaseQueue(path: sandbox.home.journalFolder + "/journal.sqlite")
    try await queue.write { database in
      try database.execute(
        sql: "UPDATE run SET state = 'interrupted', session = 'killed' WHERE n = (SELECT max(n) FROM run)")
      try database.execute(sql: "UPDATE op SET session = 'killed'")
    }
    try queue.close()
  }

  private func stocks(_ ids: Int..., in sandbox: Sandbox) async throws -> [Int?] {
    var stocks: [Int?] = []
    for id in ids { stocks.append(try await sandbox.product(id)?.stock) }
    return stocks
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var lines: [String]
    /// The number of lines that were executed before the kill.
    var count: Int
    /// The product and its stock after `resume`.
    var product: Int
    var stock: Int
    /// What `resume` says if it doesn't go on.
    var listed: [String] = []
    var testDescription: String { lines.joined(separator: " | ") }
  }

  private static let cases = [
    Case(
      lines: ["patch 138 stock+=2 yes", "patch 132 stock=1 yes", "patch 138 stock+=1 yes"], count: 1, product: 138,
      stock: 28),
    Case(lines: ["patch 138 stock+=2 yes", "patch _ stock+=1 yes"], count: 1, product: 138, stock: 28),
    Case(lines: ["let n = 4", "patch 138 stock+=2 yes", "patch 132 stock=$n yes"], count: 2, product: 132, stock: 4),
    Case(lines: ["let p = patch 138 stock+=2 yes", "patch $p stock+=1 yes"], count: 1, product: 138, stock: 28),
    Case(
      lines: ["let p = show 138", "patch 132 stock+=2 yes", "patch $p stock+=1 yes"], count: 2, product: 138, stock: 26),
    Case(
      lines: ["ls where id=138", "patch 132 stock+=2 yes", "patch @1 stock+=1 yes"], count: 2, product: 138, stock: 26),
    Case(lines: ["patch 132 stock+=2 yes", "let n = 7", "patch 138 stock=$n yes"], count: 2, product: 138, stock: 7),
    Case(
      lines: ["let r = get /healthChecker", "patch 132 stock+=2 yes", "echo $r.status", "patch 138 stock+=1 yes"],
      count: 2, product: 138, stock: 25, listed: ["line 3: `echo $r.status`", "line 4: `patch 138 stock+=1 yes`"]),
    Case(
      lines: ["patch 132,126 stock+=2 yes", "patch _ stock+=1 yes", "show 138"], count: 1, product: 138, stock: 25,
      listed: ["line 2: `patch _ stock+=1 yes`", "line 3: `show 138`"]),
    Case(
      lines: ["patch 132 stock+=2 yes; patch 138 stock+=1 yes", "show 138"], count: 1, product: 138, stock: 26,
      listed: ["line 1: `patch 132 stock+=2 yes; patch 138 stock+=1 yes`", "line 2: `show 138`"]),
    Case(
      lines: ["patch 132 stock+=2 yes", "raw GET /healthChecker token=abcdefghijkl"], count: 1, product: 138, stock: 25,
      listed: ["line 2: `raw …`"]),
  ]

  /// Several `-c`: the rest is run with the values that the lines before it left, or it is listed, and the run stays.
  @Test(arguments: cases) func restOfTheLinesIsRunOrListed(_ each: Case) async throws {
    try await Sandbox.with { sandbox in
      _ = try await run(each.lines, as: .lines, killedAfter: each.count, in: sandbox)
      let said = await sandbox.run("resume yes")
      #expect(try await stocks(each.product, in: sandbox) == [each.stock], "\(said)")
      #expect(each.listed.allSatisfy { said.contains($0) }, "\(said)")
      #expect(said.contains("r1 is complete.") == each.listed.isEmpty, "\(said)")
      #expect(said.contains("= 7\n") == !each.listed.isEmpty, "\(said)")
      let status = await sandbox.run("status")
      #expect(status.contains("1 run was interrupted.") == !each.listed.isEmpty, "\(status)")
      guard !each.listed.isEmpty else { return }
      let again = try await run(each.lines, as: .lines, in: sandbox)
      #expect(again.hasSuffix("= 4\n") && again.contains("r1"), "\(again)")
      #expect(await sandbox.run("forget r1 yes").contains("r1 is given up"))
    }
  }

  /// From a moment on, product 138 is another one, or can't be read.
  private struct ChangedMarket: Transport {
    enum Change: CaseIterable { case replaced, unreachable }

    final class Switch: Sendable {
      private let change = Mutex<Change?>(nil)
      func turn(to change: Change) { self.change.withLock { $0 = change } }
      var value: Change? { change.withLock { $0 } }
    }

    let inner: any Transport
    let change: Switch

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      guard let change = change.value, request.path.last == "138" else {
        return try await inner.send(request, to: base, with: options)
      }
      guard change == .replaced else { throw TransportError(.connectionRefused, extent: .none) }
      var request = request
      request.path[request.path.count - 1] = "126"
      var response = try await inner.send(request, to: base, with: options)
      let body = String(decoding: response.body, as: UTF8.self)
      response.body = Data(body.replacing(/"id" ?: ?126\b/, with: "\"id\":138").utf8)
      return response
    }
  }

  /// What the rest of a script refers to is read again: it isn't run if another product has the number now, or if the
  /// server can't be reached.
  @Test(
    arguments: [
      (["let p = show 138", "patch 132 stock+=2 yes", "patch $p stock+=1 yes"], 2),
      (["let p = patch 138 stock+=2 yes", "patch $p stock+=1 yes"], 1),
      (["patch 138 stock+=2 yes", "patch _ stock+=1 yes"], 1),
      (["ls where id=138", "patch 132 stock+=2 yes", "patch @1 stock+=1 yes"], 2),
    ], ChangedMarket.Change.allCases)
  private func productOfTheRestIsRead(_ script: (lines: [String], count: Int), _ change: ChangedMarket.Change)
    async throws
  {
    let market = ChangedMarket.Switch()
    try await Sandbox.with(between: { transport, _ in ChangedMarket(inner: transport, change: market) }) { sandbox in
      let before = try #require(try await sandbox.product(126)).stock
      _ = try await run(script.lines, as: .lines, killedAfter: script.count, in: sandbox)
      let stocks = try await stocks(138, in: sandbox)
      market.turn(to: change)
      let said = await sandbox.run("resume yes")
      #expect(said.contains("line \(script.count + 1): `\(script.lines[script.count])`"), "\(said)")
      #expect(said.hasSuffix("= 7\n") && !said.contains("r1 is complete."), "\(said)")
      #expect(try await self.stocks(138, 126, in: sandbox) == stocks + [before])
    }
  }

  /// The lines of a pipe are recorded as far as they are there.
  @Test func restOfStandardInputIsRun() async throws {
    try await Sandbox.with(between: { transport, _ in InterruptingTransport(inner: transport) }) { sandbox in
      let stop = "patch \(InterruptingTransport.product) stock=1 yes"
      let said = try await run(
        ["patch 138 stock+=2 yes", stop, "patch 132 stock=1 yes"], as: .pipe, in: sandbox)
      #expect(said.hasSuffix("= 130\n"), "\(said)")
      // The line that stopped is executed again, and stops again.
      let resumed = await sandbox.run("resume yes")
      #expect(resumed.hasSuffix("= 130\n") && !resumed.contains("complete"), "\(resumed)")
      #expect(try await stocks(138, 132, in: sandbox) == [27, 41])
    }
    try await Sandbox.with { sandbox in
      let said = try await run(
        ["patch 138 stock+=2 yes", "show 142 id", "patch 132 stock=1 yes"], as: .pipe, in: sandbox)
      #expect(said.hasSuffix("= 1\n"), "\(said)")
      try sandbox.writePictures()
      _ = await sandbox.run(#"new name="새 상품" description="열 글자가 넘는 설명입니다" price=1 currency=KRW images=~/cup.png yes"#)
      let resumed = await sandbox.run("resume r1 yes")
      #expect(resumed.contains("r1 is complete."), "\(resumed)")
      #expect(try await stocks(138, 132, in: sandbox) == [27, 1])
    }
  }

  /// All changes of `each` are one plan.
  @Test func lineOfEachIsCompleteAfterItsPlan() async throws {
    try await Sandbox.with { sandbox in
      _ = try await run(["each 138,132: patch _ stock+=2 yes"], as: .lines, killedAfter: 1, in: sandbox)
      #expect(await sandbox.run("resume yes").contains("r1 is complete."))
      #expect(try await stocks(138, in: sandbox) == [27])
    }
  }

  /// A line that runs others isn't complete because the writes that were begun are.
  @Test func lineOfSeveralStepsStaysInterrupted() async throws {
    try await Sandbox.with { sandbox in
      let lines = ["patch 138 stock+=2 yes; patch 132 stock+=2 yes"]
      _ = try await run(lines, as: .lines, killedAfter: 1, in: sandbox)
      let said = await sandbox.run("resume yes")
      #expect(said.contains("r1 may have more to do") && said.hasSuffix("= 7\n"), "\(said)")
      #expect(try await run(lines, as: .lines, in: sandbox).hasSuffix("= 4\n"))
      #expect(try await stocks(138, in: sandbox) == [27])
    }
  }

  /// A nightly script with `resume yes` in front finishes yesterday's run and then does today's.
  @Test(arguments: [Start.lines, .file, .source]) func resumeInFrontOfAScriptFinishesTheOldOne(_ start: Start)
    async throws
  {
    try await Sandbox.with { sandbox in
      let lines = ["# nightly", "resume yes", "patch 138 stock+=2 yes", "patch 132 stock+=1 yes"]
      _ = try await run(lines, as: start == .source ? .file : start, killedAfter: 3, in: sandbox)
      #expect(try await stocks(132, in: sandbox) == [41])
      let held = try await run(Array(lines.dropFirst(2)), as: .lines, in: sandbox)
      #expect(held.hasSuffix("= 4\n"), "\(held)")
      let said = try await run(lines, as: start, in: sandbox)
      #expect(said.contains("r1 is complete.") && !said.contains("= "), "\(said)")
      #expect(try await stocks(138, 132, in: sandbox) == [29, 43])
      #expect(await sandbox.run("status").contains("No pending changes."))
    }
  }

  /// The same with one line, or in one line.
  @Test(arguments: [["resume yes", "patch 138 stock+=2 yes"], ["resume yes; patch 138 stock+=2 yes"]])
  func resumeInFrontOfALineFinishesTheOldOne(_ lines: [String]) async throws {
    try await Sandbox.with { sandbox in
      _ = try await run(["patch 138 stock+=2 yes"], as: .lines, killedAfter: 1, in: sandbox)
      #expect(try await run(["patch 138 stock+=2 yes"], as: .lines, in: sandbox).hasSuffix("= 4\n"))
      let said = try await run(lines, as: .lines, in: sandbox)
      #expect(said.contains("r1 is complete.") && !said.contains("= "), "\(said)")
      #expect(try await stocks(138, in: sandbox) == [29], "\(said)")
      _ = try await run(lines, as: .lines, in: sandbox)
      #expect(try await stocks(138, in: sandbox) == [31])
    }
  }

  /// A sale and a snapshot that a script made are not made again when it is started again.
  @Test(arguments: ["snapshot before", "sale 138 10% from 2030-01-01 to 2030-01-02 round 10 yes"])
  func stepOfAScriptIsHeld(_ line: String) async throws {
    try await Sandbox.with { sandbox in
      let stopped = try await run([line, "show 999999"], as: .source, in: sandbox)
      #expect(stopped.hasSuffix("= 1\n"), "\(stopped)")
      let held = try await run([line, "show 999999"], as: .source, in: sandbox)
      #expect(held.hasSuffix("= 4\n") && held.contains("1 sale or snapshot"), "\(held)")
      #expect(!held.contains("undoes the 0"), "\(held)")
      #expect(await sandbox.run("forget r1 yes").contains("r1 is given up"))
      #expect(await sandbox.run("status").contains("No pending changes."))
    }
  }

  /// After Ctrl-C in a batch the choice is offered at once.
  @Test(arguments: [("", nil), ("d", "forget r12 yes"), ("U", "undo r12"), ("n", nil)] as [(String, String?)])
  func choiceAfterControlCIsOffered(_ answer: String, _ line: String?) async throws {
    let asker = ScriptedAsker([answer])
    try await Sandbox.with(asker: asker) { sandbox in
      let unit = RunUnit(.line, "patch mine price-=10%", identity: nil)
      let counts = Run.Counts(done: 5, left: 18)
      let begun = Timestamp(seconds: 0, isUTC: true)
      let run = Run(number: 12, unit: unit, begun: begun, life: RunLife(.interrupted), counts: counts)
      #expect(await sandbox.shell.lineAfterInterruption(run) == line)
      #expect(asker.questions == ["18 not sent. Enter keeps r12, d forgets it, u takes back the 5: "])
      let none = Run(number: 12, unit: unit, begun: begun, life: RunLife(.interrupted), counts: Run.Counts(done: 5))
      #expect(await sandbox.shell.lineAfterInterruption(none) == nil && asker.questions.count == 1)
    }
  }

  /// What is left of a run of which nothing was done isn't the rest of anything.
  @Test(arguments: [
    (Run.Counts(left: 1), "resume r12 finishes it; forget", "resume r12는 1건을 마저 처리하고,"),
    (Run.Counts(unknown: 1, left: 2), "resume r12 finishes the 3; forget", "resume r12는 3건을 마저 처리하고,"),
    (Run.Counts(done: 1, left: 1), "resume r12 finishes the other 1; undo", "resume r12는 나머지 1건을 마저 처리하고,"),
  ])
  func hintSaysWhatIsLeftOfARun(_ counts: Run.Counts, _ english: String, _ korean: String) throws {
    let begun = Timestamp(seconds: 0, isUTC: true)
    let unit = RunUnit(.line, "patch mine price-=10%", identity: nil)
    let run = Run(number: 12, unit: unit, begun: begun, life: RunLife(.interrupted), counts: counts)
    let hint = try #require(RunMessages.interrupted([run], now: begun).nextSteps.first)
    #expect(hint.english.plain.hasPrefix(english), "\(hint.english.plain)")
    #expect(hint.korean.plain.hasPrefix(korean), "\(hint.korean.plain)")
  }

  /// A script that is checked sends nothing and isn't held back; `source FILE from N` runs what a stopped script has left.
  @Test func scriptBeginsWithALine() async throws {
    try await Sandbox.with { sandbox in
      let lines = ["patch 138 stock+=2 yes", "show 999999", "patch 132 stock+=1 yes"]
      let stopped = try await run(lines, as: .source, in: sandbox)
      #expect(stopped.hasSuffix("= 1\n"), "\(stopped)")
      var options = ScriptRunner.Options()
      options.checksOnly = true
      let path = sandbox.folder + "/night.market"
      #expect(
        await ScriptRunner(sandbox.shell, options).run(ScriptInput(lines.map { .line($0) }), named: path) == .success)
      _ = sandbox.console.take()
      #expect(await sandbox.run("source ~/night.market").hasSuffix("= 4\n"))
      let said = await sandbox.run("source ~/night.market from 3")
      #expect(!said.contains("= "), "\(said)")
      let stocks = try await stocks(132, 138, in: sandbox)
      #expect(stocks == [42, 27])
      #expect(await sandbox.run("forget r1 yes").contains("r1 is given up"))
    }
  }
}
