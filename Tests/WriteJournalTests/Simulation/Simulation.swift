import Catalog
import Foundation
import Synchronization
import TestSupport

@testable import WriteJournal

/// Several shells with one journal write to one market while the network fails, shells are killed, another shell runs a
/// line again that is just being resumed, and another writer writes; afterwards the verdicts are compared with what was
/// applied. A user whose line was interrupted resumes its run, and runs it anew only if it has none.
///
/// The runner, the state machine and the journal are the real ones. All that happens is drawn from the seed: the same
/// seed gives the same history. Late copies of a patch or a delete arrive within the confirmation window, because later
/// ones are reported when a list is read, which no shell does here; late creates arrive at any time. Half of the seeds have
/// servers whose responses are wrong, and replicas that lag behind by less than the window.
final class Simulation: Sendable {
  /// A rule that is broken, to see that the simulation notices.
  enum Mutant: CaseIterable, Sendable {
    /// A line is run anew although its run was interrupted.
    case ignoresRuns
    /// A create is sent again although it may have left whole.
    case repeatsCreates
    /// A write that is not seen at once counts as not applied.
    case noWindow
    /// One read after an answer decides.
    case judgesByOneRead
    /// The last bytes of a create leave before that is in the journal.
    case leavesUnwritten
    /// The client sends some requests twice.
    case sendsTwice
  }

  struct Result: Equatable {
    var history: [String]
    var violations: [String]
  }

  /// What a line of a shell is to bring about.
  enum Wish: Sendable {
    case create(String)
    case price(Product.ID, Int)
    case delete(Product.ID)
  }

  struct Line: Sendable {
    var wishes: [Wish]
    var jobs: Int
  }

  struct Shell: Sendable {
    var process: SimulatedProcess
    var journal: Journal
    var runner: PlanRunner
  }

  struct State {
    var shells: [Int: Shell] = [:]
    var lines: [[Line]] = []
    /// The line that each shell is at.
    var positions: [Int] = []
    var operations = 0
    /// Names of creates that a shell is just resuming.
    var resumed: Set<String> = []
    /// Names of creates that another shell made anew, because the run that made them had ended.
    var again: [String] = []
    var violations: [String] = []
  }

  private static let window = ConfirmationWindow(duration: .seconds(5))
  /// A product that all shells change; the others belong to one shell each.
  static let shared: Product.ID = 4

  let scheduler: SeededScheduler
  let market: SimulatedMarket
  let binding: MarketLogin
  let state = Mutex(State())
  private let storage: SimulatedJournal
  /// Of this simulation in its journal.
  private let number: Int
  private let mutant: Mutant?

  private init(seed: UInt64, mutant: Mutant?, in storage: SimulatedJournal) {
    scheduler = SeededScheduler(seed: seed)
    let products = (1...8).map { id in
      Product(id: id, name: "product \(id)", price: Amount(10), stock: 100, vendorID: 7, images: [])
    }
    market = SimulatedMarket(products, scheduler)
    self.storage = storage
    number = storage.next()
    let name = "market-\(number)"
    binding = MarketLogin(profile: name, baseURL: "http://" + name, vendor: "demo")
    self.mutant = mutant
  }

  static func run(seed: UInt64, mutant: Mutant? = nil, in storage: SimulatedJournal) -> Result {
    let simulation = Simulation(seed: seed, mutant: mutant, in: storage)
    simulation.run()
    // The runners of the shells refer to the simulation, which would keep its journal on disk.
    return simulation.state.withLock { state in
      state.shells = [:]
      return Result(history: simulation.scheduler.history, violations: state.violations)
    }
  }

  func blame(_ text: String) { state.withLock { $0.violations.append(text) } }

  private func run() {
    let count = scheduler.happens(25) ? 3 : 2
    let isLying = scheduler.happens(50)
    market.faults = SimulatedMarket.Faults(
      sends: [0, 15, 40][scheduler.draw(0...2)], reads: [0, 3][scheduler.draw(0...1)],
      lag: .milliseconds(isLying ? [0, 0, 1_500, 4_000][scheduler.draw(0...3)] : 0), isLying: isLying)
    let lines = (0..<count).map { shell in
      (0..<(scheduler.happens(30) ? 2 : 1)).map { line(of: shell, number: $0) }
    }
    state.withLock { ($0.lines, $0.positions) = (lines, lines.map { _ in 0 }) }
    var kills: [Int: Int] = [:]
    for shell in 0..<count {
      start(shell)
      for _ in 0..<scheduler.draw(0...2) { kills[scheduler.draw(5...400)] = shell }
    }
    for _ in 0..<scheduler.draw(0...2) {
      scheduler.after(.milliseconds(scheduler.draw(0...8_000))) { [market] in market.writeForeign() }
    }
    guard run({ step in if let shell = kills[step] { self.kill(shell) } }) else { return }
    settle()
  }

  private func run(_ before: (Int) -> Void = { _ in }) -> Bool {
    let isOver = scheduler.run(atMost: 60_000, before: before)
    if !isOver { blame("it never ends") }
    return isOver
  }

  /// Nothing fails any more, and all that was late has arrived: a user who runs `resume` then leaves nothing open but
  /// questions.
  private func settle() {
    let hasLag = market.faults.lag > .zero
    market.faults = SimulatedMarket.Faults()
    guard let last = open("last shell") else { return }
    _ = Task(executorPreference: scheduler) {
      for _ in 1...2 {
        _ = try? await last.runner.recover()
        for one in (try? await last.runner.resume()) ?? [] {
          self.scheduler.record("last shell: \(one.change.action) \(one.outcome.summary)")
        }
      }
    }
    guard run() else { return }
    judge(last.journal, hasLag: hasLag)
  }

  // MARK: Shells

  private func line(of shell: Int, number: Int) -> Line {
    let own = shell + 1
    let price = 1_000 * (shell + 1) + 10 * number
    func wish(_ part: Int) -> Wish {
      switch scheduler.draw(0...5) {
      case 0, 1, 2: .create("new \(shell)-\(number)-\(part)")
      case 3: .price(own, price + part)
      case 4: .price(Simulation.shared, price + part)
      default: .delete(5 + shell)
      }
    }
    let size = scheduler.happens(20) ? scheduler.draw(2...4) : 1
    return Line(wishes: (0..<size).map(wish), jobs: scheduler.draw(1...4))
  }

  private func open(_ name: String) -> Shell? {
    let process = SimulatedProcess(scheduler)
    guard let journal = try? storage.open(by: process, scheduler) else {
      blame("\(name) has no journal")
      return nil
    }
    var runner = PlanRunner(
      journal: journal, market: SimulatedConnection(market, process, name, mutant: mutant), binding: binding,
      window: Simulation.window, identify: { [self] in nextOperation() })
    runner.executor = scheduler
    switch mutant {
    case .repeatsCreates: runner.rules.repeatsCreates = true
    case .noWindow: runner.rules.window = ConfirmationWindow(duration: .zero, agreementInterval: .zero)
    case .judgesByOneRead: runner.rules.judgesByOneRead = true
    case .leavesUnwritten, .sendsTwice, .ignoresRuns, nil: break
    }
    return Shell(process: process, journal: journal, runner: runner)
  }

  private func nextOperation() -> String {
    let operation = state.withLock { state in
      state.operations += 1
      return state.operations
    }
    return "SIMULATED-\(number)-\(10_000 + operation)"
  }

  private func start(_ number: Int) {
    guard let shell = open("shell \(number)") else { return }
    scheduler.record("shell \(number) starts")
    state.withLock { $0.shells[number] = shell }
    _ = Task(executorPreference: scheduler) { await self.work(number, shell) }
  }

  private func kill(_ number: Int) {
    guard let shell = state.withLock({ $0.shells.removeValue(forKey: number) }) else { return }
    scheduler.record("shell \(number) is killed")
    shell.process.kill()
    storage.kill(shell.journal)
    scheduler.after(.milliseconds(scheduler.draw(1...4_000))) { self.start(number) }
  }

  private func work(_ number: Int, _ shell: Shell) async {
    while shell.process.isAlive {
      let (line, position) = state.withLock { state in
        let position = state.positions[number]
        return (position < state.lines[number].count ? state.lines[number][position] : nil, position)
      }
      guard let line else { return }
      await perform(line, position, of: number, shell)
      guard shell.process.isAlive else { return }
      state.withLock { $0.positions[number] = position + 1 }
    }
  }

  /// Runs the line, and again those parts of it that have no verdict, as a user at the prompt would.
  private func perform(_ line: Line, _ position: Int, of number: Int, _ shell: Shell) async {
    var settled: Set<Int> = []
    let unit = RunUnit(.line, "line \(position) of shell \(number)", identity: "shell \(number) line \(position)")
    let conflicts = (try? shell.journal.conflicts(of: unit, items: [], current: nil, binding)) ?? []
    if !conflicts.isEmpty, mutant != .ignoresRuns {
      await resume(number, shell)
      guard shell.process.isAlive else { return }
    }
    for attempt in 1...6 {
      var (changes, indices): ([Change], [Int]) = ([], [])
      for (index, wish) in line.wishes.enumerated() where !settled.contains(index) {
        guard let change = try? await change(for: wish, isFirst: attempt == 1, shell) else { continue }
        changes.append(change)
        indices.append(index)
      }
      if !changes.isEmpty {
        let current = mutant == .ignoresRuns ? nil : RunInProgress(unit)
        var runner = shell.runner
        runner.run = current
        let outcomes = await runner.outcomes(of: Plan(changes), pace: BatchOptions(concurrency: line.jobs))
        guard shell.process.isAlive else { return }
        if let current { _ = try? shell.journal.finish(current, isStopped: false) }
        for (index, outcome) in zip(indices, outcomes) {
          scheduler.record("shell \(number): \(line.wishes[index]) \(outcome.summary)")
          if outcome.isSuccess || outcome.isUnknown { settled.insert(index) }
        }
      }
      guard settled.count < line.wishes.count else { return }
      await resume(number, shell)
      guard shell.process.isAlive else { return }
    }
  }

  /// Runs `resume` for the lines of this shell. Meanwhile another shell may run one of them again.
  private func resume(_ number: Int, _ shell: Shell) async {
    let open = (try? shell.journal.resumableEntries(binding) + shell.journal.undecidedEntries(binding)) ?? []
    let names = Set(open.filter { Simulation.shell(of: $0) == number }.compactMap(Simulation.name))
    if !names.isEmpty, scheduler.happens(50) {
      let name = names.sorted()[scheduler.draw(0...names.count - 1)]
      scheduler.after(.milliseconds(scheduler.draw(0...1_000))) { self.runAgain(name, besides: number) }
    }
    state.withLock { $0.resumed.formUnion(names) }
    defer { state.withLock { $0.resumed.subtract(names) } }
    _ = try? await shell.runner.recover()
    guard shell.process.isAlive else { return }
    let runs = ((try? shell.journal.unsettledRuns(binding)) ?? []).filter { run in
      run.life.state == .interrupted && run.unit.identity?.hasPrefix("shell \(number) ") == true
        && (try? shell.journal.takeOver(run.number)) == true
    }
    let own =
      (try? shell.journal.resumableEntries(binding))?.filter { Simulation.shell(of: $0) == number }.map(\.id) ?? []
    for one in (try? await shell.runner.resume(Set(own))) ?? [] where shell.process.isAlive {
      scheduler.record("shell \(number) resumes: \(one.change.action) \(one.outcome.summary)")
    }
    guard shell.process.isAlive else { return }
    for run in runs { _ = try? shell.journal.finish(RunInProgress(resuming: run, binding), isStopped: false) }
  }

  /// Another shell runs a line that is just being resumed, with the same create.
  private func runAgain(_ name: String, besides number: Int) {
    let shells = state.withLock { state in
      state.resumed.contains(name) ? state.shells.filter { $0.key != number }.sorted { $0.key < $1.key } : []
    }
    guard !shells.isEmpty else { return }
    let (other, shell) = shells[scheduler.draw(0...shells.count - 1)]
    let current = RunInProgress(RunUnit(.line, "again", identity: "again"))
    let change = Change.create(Simulation.draft(name))
    let items = Set(Journal.heldItems(of: change, WriteOrigin(), binding))
    // A run that has ended in the meantime isn't repeated: its create would be another product.
    guard (try? shell.journal.conflicts(of: current.unit, items: items, current: nil, binding))?.isEmpty == false else {
      return
    }
    scheduler.record("shell \(other) runs \(name) again")
    var runner = shell.runner
    runner.run = current
    _ = Task(executorPreference: scheduler) { [runner] in
      let outcomes = await runner.outcomes(of: Plan([change]))
      guard shell.process.isAlive else { return }
      self.scheduler.record("shell \(other): \(name) again \(outcomes[0].label)")
      if current.numbers.isEmpty { return }
      self.state.withLock { $0.again.append(name) }
      _ = try? shell.journal.finish(current, isStopped: false)
    }
  }

  /// Returns the change that the wish still needs; nil when it is fulfilled, or open and left to `resume`.
  private func change(for wish: Wish, isFirst: Bool, _ shell: Shell) async throws -> Change? {
    switch wish {
    case .create(let name):
      let earlier = try shell.journal.entries(limit: 1_000, profile: binding.profile) {
        Simulation.name(of: $0) == name
      }
      if earlier.contains(where: { [.done, .needsDecision].contains($0.state) }) { return nil }
      let isOpen =
        try shell.journal.resumableEntries(binding).contains { Simulation.name(of: $0) == name }
        || earlier.contains { WriteStateMachine.State.inDoubt.contains($0.state) }
      // The first run after a kill looks at nothing: the runner has to find what the interrupted one has left.
      return isOpen && !isFirst ? nil : .create(Simulation.draft(name))
    case .price(let id, let price):
      guard let now = try await shell.runner.market.read(id), now.price != Amount(price) else { return nil }
      return .edit(now, from: ProductValues(price: now.price), to: ProductValues(price: Amount(price)))
    case .delete(let id):
      return try await shell.runner.market.read(id).map { .delete($0) }
    }
  }

  private static func draft(_ name: String) -> ProductDraft {
    ProductDraft(
      name: name, description: "simulated", price: Amount(5), currency: .krw, stock: 1,
      pictures: [PictureFile(name: "a.jpg", type: "image/jpeg", bytes: Data("picture".utf8))])
  }

  /// The shell whose line an entry is of: what a line of another shell has left open is left to that.
  private static func shell(of entry: JournalEntry) -> Int? {
    switch entry.change {
    case .create(let draft): draft.name.split(separator: " ").last?.split(separator: "-").first.flatMap { Int($0) }
    case .edit(_, _, let to): to.price.flatMap { price in (0...2).first { price < Amount(1_000 * ($0 + 2)) } }
    case .delete(let product): product.id - 5
    case nil: nil
    }
  }

  static func name(of entry: JournalEntry) -> String? {
    guard case .change(.create(let draft)) = entry.work else { return nil }
    return draft.name
  }
}

extension Outcome {
  /// Its word, and the reason where nothing was sent.
  fileprivate var summary: String {
    switch self {
    case .journalUnavailable(.interruptedRun, _): "\(label): held back"
    case .journalUnavailable(let failure, _): "\(label): \(failure)"
    case .notSent(let reason, _), .aborted(let reason), .needsDecision(let reason), .unknown(let reason):
      "\(label): \(reason)"
    case .notApplied(let reason, _): "\(label): \(String(describing: reason))"
    case .locked(let holder): "\(label): held since \(holder.since)"
    default: label
    }
  }
}
