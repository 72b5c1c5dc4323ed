import Foundation
import GRDB
import Platform
import TestSupport
import WriteJournal

/// Lines and scripts that compute are interrupted, and others come before they are finished, given up, undone or made again.
///
/// It knows what each line adds and which requests arrived, so it knows every stock to the piece. What comes in between is
/// the same line in another market, a script with an equal line, the line once more while the server can't be reached, the
/// shell that was interrupted and lives on, a clock that jumps, another product under the number, and a product that somebody
/// else deleted.
struct RecurringShop {
  private struct Unit: Hashable {
    var line: String
    /// What each of its lines adds two to.
    var lines: [[Int64]]
    var isScript: Bool { line.hasPrefix("-f ") }
    var all: [Int64] { lines.flatMap { $0 } }
  }

  private enum Between: CaseIterable {
    case otherMarket, otherScript, unreachable, clock, replaced, deleted, again
  }

  private enum End: CaseIterable { case resume, forget, undo, all, answer }

  private let shop: Shop
  private var dice: SplitMix64
  /// The products that are left, and what they have to have.
  private var stocks: [String: [Int64: Int]] = [:]
  private(set) var faults: [String] = []
  private(set) var trace: [String] = []
  private(set) var runs = 0

  init(_ seed: UInt64, _ shop: Shop) throws {
    self.shop = shop
    dice = SplitMix64(seed)
    for market in shop.markets.keys {
      stocks[market] = try shop.rows(at: market).filter { $0.key.isMultiple(of: 6) }.mapValues(\.stock)
    }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &dice) }
  private mutating func one<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }

  /// One line, perhaps interrupted, and everything until nothing of it is left.
  mutating func step() async throws {
    let here = one(["outlet", "shop"])
    let there = here == "shop" ? "outlet" : "shop"
    let common = Array(Set(stocks[here, default: [:]].keys).intersection(stocks[there, default: [:]].keys)).sorted()
      .shuffled(using: &dice)
    guard common.count > 3 else { return }
    let (first, second, third) = (common[0], common[1], common[2])
    try shop.write("a.market", "patch \(first) stock+=2 yes\npatch \(second) stock+=2 yes\n")
    try shop.write("b.market", "patch \(third) stock+=2 yes\npatch \(first) stock+=2 yes\n")
    let unit = one([
      Unit(line: "patch \(first),\(second) stock+=2 jobs 1 yes", lines: [[first, second]]),
      Unit(line: "-f a.market", lines: [[first], [second]]),
    ])
    let at = number(1...2)
    let lands = number(0...1) == 1
    let isStopped = number(0...2) == 0
    let kill = Program.Fate.killed(applied: lands)
    let living = isStopped ? try shop.start(at: here) { $0.isWrite && $0.number == at ? .interrupted : .normal } : nil
    let code: Int32
    if let living {
      let typed = unit.isScript ? "source ~/\(unit.line.dropFirst(3))" : unit.line
      code = note(typed, here, " with Ctrl-C at \(at)", try await living.type(typed)).code
    } else {
      code = try await run(unit.line, here, " killed at \(at), \(lands ? "landed" : "lost")") {
        $0.isWrite && $0.number == at ? kill : .normal
      }
    }
    let made = Set(unit.all.prefix(isStopped || lands ? at : at - 1))
    for id in made { add(2, here, id) }
    try compare(unit.line)
    // After Ctrl-C at its last request everything is done.
    let isEnded = isStopped && at == 2
    if code != (isStopped ? 130 : -9) { faults.append("\(unit.line) ended with \(code)") }
    let pending = isEnded ? [] : Set(unit.all).subtracting(made)
    var others: [Unit] = []
    // The product that somebody else deleted or put another one in the place of.
    var changed: Int64?
    if !isEnded {
      for _ in 0..<number(0...3) {
        let planned = unit.isScript ? [unit.all[at - 1]] : unit.all
        try await comeBetween(
          unit, here, there, third, pending.intersection(planned), stopsAtFirstLine: unit.isScript && at == 1, &others,
          &changed)
      }
      if others.isEmpty, changed == nil { try await held(unit, here) }
      shop.clock.set(0, in: "own")
      try await end(unit, here, made, pending, others, changed)
    }
    // What is asked for now is new.
    let again = Unit(line: unit.line, lines: unit.lines)
    if Set(again.all).isSubset(of: stocks[here, default: [:]].keys) {
      let code = try await run(again.line, here)
      for id in again.all { add(2, here, id) }
      if code != 0 { faults.append("\(again.line) ended with \(code), and nothing is left of the run before") }
      try compare(again.line)
    }
    shop.clock.advance(Double(number(600...60_000)))
  }

  private mutating func comeBetween(
    _ unit: Unit, _ here: String, _ there: String, _ third: Int64, _ planned: Set<Int64>, stopsAtFirstLine: Bool,
    _ others: inout [Unit], _ changed: inout Int64?
  ) async throws {
    switch one(Between.allCases) {
    case .otherMarket:
      let code = try await run(unit.line, there)
      for id in unit.all { add(2, there, id) }
      if code != 0 { faults.append("\(unit.line) ended with \(code) in another market") }
    case .otherScript where others.isEmpty && changed == nil:
      let script = Unit(line: "-f b.market", lines: [[third], [unit.all[0]]])
      let code = try await run(script.line, here)
      if code != 4 { faults.append("\(script.line) ended with \(code)") }
      // Its second line is the one at which the other script stopped: nothing of it is sent. Otherwise it repeats a part of
      // the interrupted run, which is known only when it is planned.
      if !stopsAtFirstLine {
        add(2, here, third)
        others.append(script)
      }
    case .unreachable:
      let code = try await run(unit.line, here, " unreachable") { _ in .unsent }
      if code != 4 { faults.append("\(unit.line) ended with \(code) while the server couldn't be reached") }
    case .clock: shop.clock.set(Double(one([-4_000, -30, 2, 30, 400])) * 86_400, in: "own")
    case .replaced where changed == nil && others.isEmpty:
      guard let id = planned.min() else { return }
      changed = id
      try shop.replace(id, at: here)
      trace.append("another product has the number \(id) of \(here)")
    case .deleted where changed == nil && others.isEmpty:
      guard let id = planned.min() else { return }
      changed = id
      try shop.delete(id, at: here)
      stocks[here]?[id] = nil
      trace.append("somebody else deleted \(id) of \(here)")
    case .again, .otherScript, .replaced, .deleted: if changed == nil { try await held(unit, here) }
    }
    try compare("what came between")
  }

  /// The line again, which is held back.
  private mutating func held(_ unit: Unit, _ here: String) async throws {
    let code = try await run(unit.line, here)
    if code != 4 { faults.append("\(unit.line) was not held back: \(code)") }
    try compare("\(unit.line), held back")
  }

  private mutating func end(
    _ unit: Unit, _ here: String, _ made: Set<Int64>, _ pending: Set<Int64>, _ others: [Unit], _ changed: Int64?
  ) async throws {
    let names = try unsettled(here)
    let end = changed != nil || !others.isEmpty ? .resume : one(End.allCases)
    switch end {
    case .resume:
      for name in names {
        let code = try await run("resume \(name) yes", here)
        // In the place of `changed` there is none or another one, which is said.
        let isNamed = changed != nil && name == names.first
        if (code == 0) == isNamed { faults.append("resume \(name) ended with \(code)") }
      }
      // The line of a script after one that failed isn't begun.
      if changed == nil || !unit.isScript { for id in pending where id != changed { add(2, here, id) } }
      for other in others { add(2, here, other.all[1]) }
    case .forget: for name in names { _ = try await run("forget \(name) yes", here) }
    case .undo:
      for name in names {
        let code = try await run("undo \(name) yes", here)
        if code != 0, !made.isEmpty { faults.append("undo \(name) ended with \(code)") }
      }
      for id in made { add(-2, here, id) }
    case .all:
      let code = unit.isScript ? 0 : try await run(unit.line + " again", here)
      if code != 0 { faults.append("\(unit.line) again ended with \(code)") }
      if !unit.isScript { for id in unit.all { add(2, here, id) } }
    case .answer:
      guard !unit.isScript else { break }
      let program = try shop.start(at: here, answers: ["1", "y"])
      let ended = note(unit.line, here, ", 1, y", try await shop.run(unit.line, in: program))
      if ended.code != 0 { faults.append("\(unit.line), answered with 1, ended with \(ended.code)") }
      for id in pending { add(2, here, id) }
    }
    try compare("\(end)")
    for name in try unsettled(here) { _ = try await run("forget \(name) yes", here) }
    try compare("forget")
    if let changed { stocks[here]?[changed] = nil }
  }

  private func unsettled(_ market: String) throws -> [String] {
    try Journal(at: shop.home().journalFolder).unsettledRuns(shop.binding(market)).map(\.name)
  }

  private mutating func add(_ count: Int, _ market: String, _ id: Int64) { stocks[market]?[id]? += count }

  private mutating func run(
    _ line: String, _ market: String, _ why: String = "",
    _ decide: @escaping @Sendable (Program.Passage) -> Program.Fate = { _ in .normal }
  ) async throws -> Int32 {
    let program = try shop.start(at: market, decide: decide)
    let ended =
      line.hasPrefix("-f ")
      ? try await shop.run(script: String(line.dropFirst(3)), in: program) : try await shop.run(line, in: program)
    return note(line, market, why, ended).code
  }

  private mutating func note(
    _ line: String, _ market: String, _ why: String, _ ended: Program.Ended
  ) -> Program.Ended {
    runs += 1
    let last = ended.said.split(separator: "\n").suffix(3).joined(separator: " / ")
    trace.append("\(market)> \(line)\(why) -> \(ended.code): \(last)")
    return ended
  }

  private mutating func compare(_ line: String) throws {
    for (market, wanted) in stocks {
      let now = try shop.rows(at: market)
      for (id, stock) in wanted where now[id]?.stock != stock {
        let found = now[id].map { String($0.stock) } ?? "gone"
        faults.append("\(line): \(market) \(id) has \(found), not \(stock)")
        stocks[market]?[id] = now[id]?.stock
      }
    }
  }
}
