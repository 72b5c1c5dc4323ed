import EmbeddedMarket
import Foundation
import Platform
import TestSupport
import Testing
import WriteJournal

/// A command that is interrupted and run again until it exits with 0 has exactly one effect in every edition, if the run
/// that holds it back is resumed, and reports on standard error what the interrupted run created.
///
/// In a half of the cases `resume yes` comes between, and a line that can be repeated has no second effect.
///
/// Each case has its own market and home, and is determined by the seed and its number. The long form
/// `OPENMARKET_LONG_TESTS=1 OPENMARKET_SEED=1 OPENMARKET_AGAIN=1500 swift test --filter AgainTests` runs that number of
/// cases for each command; `OPENMARKET_AGAIN_FROM=700` begins with that case. A single failed case:
/// `OPENMARKET_LONG_TESTS=1 OPENMARKET_SEED=1 OPENMARKET_AGAIN_FROM=731 OPENMARKET_AGAIN=1`.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct AgainTests {
  @Test(arguments: Intent.Operation.allCases)
  func repeatedCommandHasExactlyOneEffect(_ operation: Intent.Operation) async throws {
    try await run(operation, count: Trial.count(1, long: 100, variable: "OPENMARKET_AGAIN"))
  }

  private func run(_ operation: Intent.Operation, count: Int) async throws {
    let first = Trial.count(1, long: 1, variable: "OPENMARKET_AGAIN_FROM")
    let cases = first..<first + count
    try await withThrowingTaskGroup(of: Void.self) { group in
      var rest = cases.makeIterator()
      for _ in 0..<(Trial.isLong ? 4 : 1) {
        if let number = rest.next() { group.addTask { try await AgainCase(operation, number).run() } }
      }
      while try await group.next() != nil {
        if let number = rest.next() { group.addTask { try await AgainCase(operation, number).run() } }
      }
    }
    Trial.printInLongRun("\(operation): cases \(cases) tried")
  }
}

/// A command, the interruption of its first run, and the later runs.
private struct AgainCase: Sendable {
  /// The interruption of the first run.
  private enum Harm: CustomStringConvertible {
    case kill(Instant)
    /// Killed by strace at the n-th call of this name.
    case killAtCall(String, Int)
    /// This many requests, beginning with this one, have this fate.
    case fate(Fate, from: Int, times: Int)

    var description: String {
      switch self {
      case .kill(let instant): "killed \(instant)"
      case .killAtCall(let call, let number): "killed at \(call) \(number)"
      case .fate(let fate, let first, let times): "\(fate) from request \(first), \(times) times"
      }
    }
  }

  private let operation: Intent.Operation
  private let number: Int
  private let edition: ServedEdition
  private let dice: SplitMix64

  /// Creates a case, in which the program is killed or its connections are cut.
  init(_ operation: Intent.Operation, _ number: Int) {
    self.operation = operation
    self.number = number
    let index = Intent.Operation.allCases.firstIndex(of: operation) ?? 0
    edition = ServedEdition.allCases[(number + index) % ServedEdition.allCases.count]
    dice = SplitMix64(Trial.seed &* 7_000_003 &+ UInt64(index * 1_000_000 + number))
  }

  func run() async throws {
    try await Town.with(edition) { town in
      var dice = dice
      let intent = try await Intent(operation, in: town)
      let harm = AgainCase.harm(to: intent, &dice)
      let before = try await town.market.auditLog().last?.number ?? 0
      let entry = try town.lastEntry()
      var runs = [try await interrupted(intent, harm, in: town)]
      town.proxy.decide { _ in .pass }
      let created = try await town.effects(after: before).filter { $0.kind == .create }.map(\.product)
      let wasUntouched = try runs[0].code == 0 || !isRepeatable && town.recordedSuccess(after: entry)
      var resumed = ""
      // After `resume yes` a line that isn't repeatable would be another write.
      if isRepeatable, Bool.random(using: &dice) {
        let (faults, said) = try await town.settle()
        #expect(faults == [], "seed \(Trial.seed), \(operation) \(number): \(said)")
        resumed = said
      }
      // A late request arrives in less than a second, and a case has few of them.
      while wasUntouched && runs.count == 1 ? isRepeatable : !isOver(runs.last), runs.count < 8 {
        if runs.count > 3 { try await town.sendUnarrivedCreates() }
        runs.append(try await once(intent, in: town))
      }
      let again = runs.dropFirst().map { $0.output + $0.errors }.joined(separator: "\n") + resumed
      let trace: Comment = """
        seed \(Trial.seed), \(operation) \(number), \(edition), \(harm)
        \(runs.map { "exit \($0.code): \($0.errors)\($0.output)" }.joined(separator: "---\n"))
        """
      #expect(isOver(runs.last) || wasUntouched && runs.count == 1, trace)
      #expect(try await town.faults(of: intent, after: before) == [], trace)
      if !wasUntouched {
        for id in created where !Self.reports(id, in: runs[0]) {
          #expect(again.contains("\(id)"), "product \(id) is not named; \(trace)")
        }
      }
      // Planned writes of the interrupted run aren't made in addition.
      let (faults, said) = try await town.settle()
      #expect(faults == [], "\(trace) \(said)")
      #expect(try await town.faults(of: intent, after: before) == [], "after resume: \(trace) \(said)")
    }
  }

  /// Returns whether the output names a created product, in a sentence or in the table of a batch's results.
  private static func reports(_ id: Int64, in run: Child.Ended) -> Bool {
    run.errors.contains("Created product \(id).")
      || (run.output + "\n" + run.errors).split(separator: "\n").contains {
        $0.split(separator: " ").prefix(2).elementsEqual(["\(id)", "done"])
      }
  }

  /// Returns whether the effect is complete.
  ///
  /// An editor that finds the wanted value changes nothing, which the program reports as an error, and so is an undo of
  /// what was undone, once it was shown.
  private func isOver(_ run: Child.Ended?) -> Bool {
    guard let run else { return false }
    return run.code == 0 || operation == .edit && run.code == 4 && run.errors.contains("without changes")
      || operation == .undoOfEntry && run.code == 1 && run.errors.contains("was already undone by entry")
  }

  /// A Boolean value that indicates that a second run has no second effect.
  ///
  /// A second `new`, `undo` or computed edit is another write.
  private var isRepeatable: Bool {
    switch operation {
    case .apply, .importing, .undoOfEntry, .resume, .restore, .edit, .due: true
    case .new, .script, .undo, .computed: false
    }
  }

  private static func harm(to intent: Intent, _ dice: inout SplitMix64) -> Harm {
    switch Int.random(in: 0..<6, using: &dice) {
    case 0..<3: return .kill(Instant(&dice, writes: intent.writes, within: 60 * (intent.writes + 2)))
    case 3 where intent.editor == nil:
      let call = SystemCalls.allCases.randomElement(using: &dice) ?? .fdatasync
      return .killAtCall(call.rawValue, Int.random(in: 1...call.most, using: &dice))
    default:
      let end = Fate.End.allCases.randomElement(using: &dice) ?? .fin
      let share = [0, 1000, Int.random(in: 1..<1000, using: &dice)].randomElement(using: &dice) ?? 0
      let fate: Fate =
        switch Int.random(in: 0..<3, using: &dice) {
        case 0: .cutRequest(share, end)
        case 1: .cutAnswer(min(share, 999), end)
        default: .late(milliseconds: Int.random(in: 0...800, using: &dice), end)
        }
      let times = Int.random(in: 0..<6, using: &dice) == 0 ? 3 : 1
      return .fate(fate, from: Int.random(in: 1...intent.writes, using: &dice), times: times)
    }
  }

  private func interrupted(_ intent: Intent, _ harm: Harm, in town: Town) async throws -> Child.Ended {
    var tracer: [String] = []
    switch harm {
    case .kill: break
    case .killAtCall(let call, let number): tracer = SystemCalls.killing(at: call, number)
    case .fate(let fate, let first, let times):
      town.proxy.decide { (first..<first + times).contains($0.number) ? fate : .pass }
    }
    if let editor = intent.editor {
      let person = try Person(in: town, running: intent.words, editor: editor)
      if case .kill(let instant) = harm {
        let process = person.process
        await instant.arm(in: town) { Foundation.kill(process, SIGKILL) }
      }
      return try await person.ended()
    }
    let child = try town.launch(intent.words, under: tracer)
    if case .kill(let instant) = harm { await instant.arm(in: town) { child.kill() } }
    return await child.ended()
  }

  private func once(_ intent: Intent, in town: Town) async throws -> Child.Ended {
    guard let editor = intent.editor else { return try await town.finishing(intent.words) }
    return try await Person(in: town, running: intent.words, editor: editor).ended()
  }
}

extension Person {
  /// Returns the exit code, with the screen as the error output.
  fileprivate func ended() async throws -> Child.Ended {
    let code = try await ends()
    return Child.Ended(code: code, output: "", errors: try await screen())
  }
}
