import EmbeddedMarket
import Foundation
import MarketOperations
import Shell
import ShellRuntime
import TestSupport
import Testing
import WriteJournal

/// Connections are cut, reset or silent at any byte: every write has exactly one effect, or is proven not applied.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct ConnectionCutTests {
  private static let lanes = 6

  @Test(arguments: 0..<lanes)
  func everyWriteHasOneEffectWhereverTheConnectionIsCut(lane: Int) async throws {
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 2000 &+ UInt64(lane))
      let cuts = Trial.count(3, long: 2000 / Self.lanes, variable: "OPENMARKET_CUTS")
      for number in 1...cuts {
        let cut = Cut(number, &dice)
        let lines = cut.lines(town)
        town.proxy.decide { cut.fate(of: $0) }
        let run = try await town.run(lines + ["status"])
        let trace: Comment = "seed \(Trial.seed), lane \(lane), case \(number), \(cut): \(run.errors)"
        #expect(try await town.faults() == [], trace)
        if cut.isLostCreate {
          #expect(run.code == 0 || run.code == 5, trace)
        } else if cut.times < 3 {
          #expect(run.errors.hasSuffix("note: No pending changes.\n"), trace)
          #expect(run.code == 0, trace)
        }
        if cut.isCreate { #expect(town.proxy.passages.count == 1, trace) }
        town.proxy.decide { _ in .pass }
        let (faults, said) = try await town.settle()
        #expect(faults == [], "\(trace) \(said)")
        if cut.isCreate { #expect(town.proxy.passages.isEmpty, "sent again: \(said)") }
        guard faults.isEmpty else { return }
      }
      Trial.printInLongRun("\(cuts) cuts in lane \(lane), all accounted for")
    }
  }

  /// A create arrives long after it was abandoned, and this home changes the new product before its owner is
  /// determined.
  @Test(arguments: 0..<2)
  func lateCreateIsRecognizedAfterItWasChanged(lane: Int) async throws {
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 6000 &+ UInt64(lane))
      let count = Trial.count(2, long: 50, variable: "OPENMARKET_LATE")
      for number in 1...count {
        let turnstile = Turnstile()
        let end = Fate.End.allCases.randomElement(using: &dice) ?? .fin
        town.proxy.decide { $0.number == 1 ? .held(turnstile, end) : .pass }
        let run = try await town.run([town.new("Late \(number)", pictures: 2)])
        #expect(run.code == 5 && town.proxy.passages.count == 1, "\(run.errors)")
        let before = try await town.market.auditLog().count
        turnstile.open()
        try await Waiting.until("the late arrival") {
          try await Task.sleep(for: .milliseconds(20))
          return try await town.market.auditLog().count > before
        }
        let id = try #require(try await town.market.auditLog().last?.product)
        let (faults, said) = try await town.settle(after: Self.own(id, &dice))
        #expect(faults == [], "seed \(Trial.seed), lane \(lane), case \(number), \(end): \(said)")
        #expect(
          !town.proxy.passages.dropFirst().contains {
            $0.method == "POST" && $0.operation == town.proxy.passages[0].operation
          })
        guard faults.isEmpty else { return }
      }
      Trial.printInLongRun("\(count) late deliveries in lane \(lane), all accounted for")
    }
  }

  private static func own(_ id: Int64, _ dice: inout SplitMix64) -> [String] {
    switch Int.random(in: 0..<5, using: &dice) {
    case 0: ["patch \(id) stock+=1", "patch \(id) stock+=1"]
    case 1: ["patch \(id) price=1200 name=\"Another name\"", "undo"]
    case 2: ["patch \(id) name=\"Another name\"", "rm \(id)"]
    case 3: ["rm \(id)"]
    default: []
    }
  }

  /// Servers that read a request and close the connection make curl and URLSession send again.
  @Test func closedConnectionCausesNoSecondRequest() async throws {
    try await Town.with { town in
      await #expect(try town.run([town.new("Closed upon")]).code == 0)
      let id = try #require(try await town.market.auditLog().last?.product)
      town.proxy.decide { $0.number % 2 == 0 ? .cutAnswer(0, .fin) : .cutAnswer(0, .reset) }
      let count = Trial.count(30, long: 1000)
      // In small groups: a busy machine needs seconds for each, and a program has a limit of three minutes.
      for first in stride(from: 1, through: count, by: 10) {
        let run = try await town.run((first..<first + 10).map { "patch \(id) stock=\($0 + 10)" })
        #expect(run.code == 0, "\(run.errors)")
      }
      let operations = town.proxy.passages.map(\.operation)
      #expect(operations.count == count)
      #expect(Set(operations).count == count)
      await #expect(try town.faults() == [])
    }
  }
}

/// A write and the damage to its requests.
private struct Cut: CustomStringConvertible {
  private enum Deed: CaseIterable {
    case create
    case patch
    case delete
    case undo
  }

  private let number: Int
  private let deed: Deed
  private let damage: Fate
  /// The first damaged request, and the number of damaged ones.
  private let first: Int
  let times: Int

  init(_ number: Int, _ dice: inout SplitMix64) {
    self.number = number
    deed = Deed.allCases.randomElement(using: &dice) ?? .create
    let end = Fate.End.allCases.randomElement(using: &dice) ?? .fin
    let share = [0, 1000, Int.random(in: 1..<1000, using: &dice)].randomElement(using: &dice) ?? 0
    switch Int.random(in: 0..<3, using: &dice) {
    case 0: damage = .cutRequest(share, end)
    case 1: damage = .cutAnswer(min(share, 999), end)
    default: damage = .late(milliseconds: Int.random(in: 0...400, using: &dice), end)
    }
    times = Int.random(in: 0..<6, using: &dice) == 0 ? 3 : 1
    switch deed {
    case .create: first = 1
    case .patch: first = 2
    // A delete takes two requests, and so does the undo of a create.
    case .delete, .undo: first = Int.random(in: 2...3, using: &dice)
    }
  }

  var description: String { "\(deed), \(damage), from request \(first), \(times) times" }

  var isCreate: Bool { deed == .create }

  /// A Boolean value that indicates a create that the client sent completely and the server didn't receive, whose
  /// outcome can't be determined.
  var isLostCreate: Bool {
    if case .cutRequest = damage { return isCreate }
    return false
  }

  func lines(_ town: Town) -> [String] {
    let new = town.new("Cut \(number)", pictures: 1 + number % 2)
    return switch deed {
    case .create: [new]
    case .patch: [new, "patch _ price=1200 stock=8 name=\"Cut \(number) in two\""]
    case .delete: [new, "rm _"]
    case .undo: [new, "undo"]
    }
  }

  func fate(of passage: Passage) -> Fate {
    (first..<first + times).contains(passage.number) ? damage : .pass
  }
}
