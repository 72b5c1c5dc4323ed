import Catalog
import Foundation
import Synchronization
import Text

/// The line or the script that a run executes.
package struct RunUnit: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// A line of a user, or one of `-c`.
    case line
    /// A script from its first line to its last: `-f`, `source FILE` alone on a line, several `-c`, standard input.
    case script
    /// The writes of a journal of a version before 0.3, which has no runs.
    case earlier
    /// The writes of another home; see `HandedOverLog`.
    case handedOver = "handover"
  }

  package var kind: Kind
  /// The line, or the name of the script as the user typed it.
  package var text: String
  /// A digest that is equal for the same command with the same targets and values, or for the same script, however it is
  /// started; `nil` for lines that aren't known before they are run.
  package var identity: String?
  /// The path of the script without symbolic links.
  package var path: String?
  /// The key of `once`: the same key in one market is the same intent.
  package var key: String?

  package init(_ kind: Kind, _ text: String, identity: String?, path: String? = nil, key: String? = nil) {
    self.kind = kind
    self.text = text
    self.identity = identity
    self.path = path
    self.key = key
  }
}

/// One execution of a line or a script in one market with one login, with a number that is never used again.
package struct Run: Hashable, Sendable {
  package var number: Int
  package var unit: RunUnit
  package var begun: Timestamp
  package var life: RunLife
  /// The number of executions that were held back because they would have repeated a part of the run.
  package var heldBack: Int
  /// The line of the script that was executed last, with its number.
  package var line: ScriptLine?
  /// The digest of the lines of the script up to that one; see `RunInProgress.content`.
  package var content: String?
  /// The lines of a script that is in no file.
  package var script: RunScript?
  /// The values that the line refers to, or `nil` if they aren't known.
  package var values: RunValues?
  package var counts: Counts

  package init(
    number: Int, unit: RunUnit, begun: Timestamp, life: RunLife, heldBack: Int = 0, line: ScriptLine? = nil,
    content: String? = nil, script: RunScript? = nil, values: RunValues? = nil, counts: Counts = Counts()
  ) {
    self.number = number
    self.unit = unit
    self.begun = begun
    self.life = life
    self.heldBack = heldBack
    self.line = line
    self.content = content
    self.script = script
    self.values = values
    self.counts = counts
  }

  /// A line of a script, with the number of its first physical line.
  package struct ScriptLine: Hashable, Sendable, Codable {
    package var number: Int
    package var text: String
    /// A Boolean value that indicates that the text is the line as typed. Otherwise it is shortened, because the line may
    /// contain a secret or a token.
    package var isComplete: Bool

    package init(number: Int, text: String, isComplete: Bool = true) {
      self.number = number
      self.text = text
      self.isComplete = isComplete
    }
  }

  /// The numbers of changes by their state.
  package struct Counts: Hashable, Sendable {
    /// Applied and not undone.
    package var done = 0
    /// Sent, and the outcome isn't known.
    package var unknown = 0
    /// Planned and not sent, or proven not applied.
    package var left = 0
    /// Refused, not stored, given up, or not sent because the product had changed.
    package var failed = 0
    /// Sales and snapshots that the lines of a script made.
    package var steps = 0

    package init(done: Int = 0, unknown: Int = 0, left: Int = 0) {
      self.done = done
      self.unknown = unknown
      self.left = left
    }
  }

  /// A Boolean value that indicates that it ended and that none of its changes took effect or may have.
  package var hasFailedAltogether: Bool {
    life.state == .ended && counts.failed > 0 && counts.done == 0 && counts.unknown == 0 && counts.steps == 0
  }

  /// The name by which users refer to it: `r12`.
  package var name: String { "r\(number)" }

  /// Returns the number of a name such as `r12`, or `nil` for other text.
  package static func number(of name: String) -> Int? {
    guard name.first == "r" || name.first == "R", name.count <= 16 else { return nil }
    return Int(name.dropFirst()).flatMap { $0 > 0 ? $0 : nil }
  }
}

/// The life of a run, which decides whether another line may repeat what it did.
///
/// It does no I/O, so that the journal and the model test drive the same value.
package struct RunLife: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Its program lives and executes it.
    case open
    /// Its program has ended or has returned to its prompt, and a change has no final outcome that was reported; or a script
    /// stopped before its last line and has made something.
    case interrupted
    /// Every change has a final outcome, and the report was handed to its output.
    case ended
    /// It was resumed to its end, undone, forgotten, replaced, or nothing is left of it.
    case settled
  }

  package enum Event: Hashable, Sendable {
    /// The program ended without a word: killed, or the power failed.
    case programVanished
    /// The line returned, or the script stopped.
    ///
    /// `isOpen` indicates a change without a final outcome, `isStopped` a script that stopped before its last line, and
    /// `holds` that a change of the run would have a further effect if it was repeated.
    case returned(isOpen: Bool, isStopped: Bool, holds: Bool)
    /// `resume` takes it over, with its number.
    case takenOver
    /// The user undid its changes, forgot it, or replaced it with `again`.
    case givenUp
    /// Its changes were superseded, undone one by one or answered, so that nothing is left of it.
    case emptied
  }

  package private(set) var state: State

  package init(_ state: State = .open) { self.state = state }

  /// A Boolean value that indicates that a line that would repeat a part of the run is asked about or held back.
  package var isUnsettled: Bool { state == .open || state == .interrupted }

  /// Changes the state.
  ///
  /// - Returns: Whether the event is possible in this state. If it isn't, nothing changes.
  @discardableResult
  package mutating func handle(_ event: Event) -> Bool {
    switch (state, event) {
    case (.open, .programVanished): state = .interrupted
    case (.open, .returned(let isOpen, let isStopped, let holds)):
      state = isOpen || isStopped && holds ? .interrupted : .ended
    case (.interrupted, .takenOver): state = .open
    case (.interrupted, .givenUp), (.interrupted, .emptied): state = .settled
    case (.open, _), (.interrupted, _), (.ended, _), (.settled, _): return false
    }
    return true
  }
}

/// A run that did not end, and what a new line or script would repeat of it.
package struct RunConflict: Hashable, Sendable {
  package var run: Run
  /// A Boolean value that indicates the same line or script.
  package var isSameUnit: Bool
  /// The items of the new plan that the run holds; see `HeldItem`.
  package var items: Set<String>

  package init(run: Run, isSameUnit: Bool, items: Set<String>) {
    self.run = run
    self.isSameUnit = isSameUnit
    self.items = items
  }

  /// Returns what a line or script would repeat of an unsettled run, or `nil` if it would repeat nothing.
  ///
  /// - Parameters:
  ///   - unit: The identity of the line or script, or `nil` to compare changes alone.
  ///   - items: The names of its changes that have a further effect when they are repeated.
  ///   - identity: The identity of the run's line or script.
  ///   - held: The names of what the run holds. A run that holds nothing conflicts with no line.
  package static func meeting(
    unit: String?, items: Set<String>, of identity: String?, holding held: Set<String>
  ) -> (isSameUnit: Bool, items: Set<String>)? {
    let isSameUnit = !held.isEmpty && unit != nil && unit == identity
    let common = items.intersection(held)
    return isSameUnit || !common.isEmpty ? (isSameUnit, common) : nil
  }
}

/// The names of what a run holds: its changes that have a further effect when they are repeated.
package enum HeldItem {
  /// Returns the name of a computed edit, such as `stock+=2`.
  ///
  /// `price-=1%` after `price-=10%` is the same edit with a corrected operand, so the operand is no part of the name. An amount
  /// of stock counts something that happens again and again: `stock-=2` after `stock-=1` is another edit.
  package static func edit(_ product: Product.ID, _ formula: String) -> String {
    guard let parts = formula.wholeMatch(of: /(\w+)([-+*]=)(.+)/) else { return "edit \(product) \(formula)" }
    let isCount = parts.1 == ProductField.stock.rawValue && parts.2 != "*=" && !parts.3.hasSuffix("%")
    return isCount ? "edit \(product) \(formula)" : "edit \(product) \(parts.1)\(parts.2)…"
  }
  /// Returns the name of a create by the digest of its content.
  package static func create(_ fingerprint: String) -> String { "create \(fingerprint)" }
  /// Returns the name of a raw request by its digest.
  package static func raw(_ fingerprint: String) -> String { "raw \(fingerprint)" }
  /// Returns the name of what a line of a script made that is no write, such as a sale or a snapshot.
  package static func step(_ name: String, line: Int) -> String { "step \(line) \(name)" }
  /// Returns the line of a script in the name of such a step, or `nil` for another name.
  static func line(ofStep item: String) -> Int? {
    item.hasPrefix("step ") ? item.split(separator: " ").dropFirst().first.flatMap { Int($0) } : nil
  }
  /// Returns the name of the undo of a log entry.
  package static func undo(of entry: Int) -> String { "undo \(entry)" }
}

/// A line or a script that is being executed, with the numbers of its runs.
///
/// There is one run for each market and login that it writes to, begun with the first write. It is a reference, because the
/// session is a value that is copied.
package final class RunInProgress: Sendable {
  package let unit: RunUnit

  /// The run in one market.
  private struct MarketRun {
    var login: MarketLogin
    /// The number, or `nil` if nothing was written there.
    var number: Int?
    /// The runs that this one replaces, which are settled with its first record.
    var replaced: Set<Int> = []
    /// The items that other runs don't hold any more, because the user wants them made by this one.
    var released: [Int: Set<String>] = [:]
  }

  private struct State {
    /// A line writes to one market or two.
    var markets: [MarketRun] = []
    var line: Run.ScriptLine?
    var content = ""
    var script: RunScript?
    var values: RunValues?
    /// The runs about which the user decided.
    var answered: Set<Int> = []

    subscript(_ login: MarketLogin) -> MarketRun {
      get { markets.first { $0.login == login } ?? MarketRun(login: login) }
      set {
        if let index = markets.firstIndex(where: { $0.login == login }) {
          markets[index] = newValue
        } else {
          markets.append(newValue)
        }
      }
    }
  }

  private let state = Mutex(State())

  package init(_ unit: RunUnit) { self.unit = unit }

  /// Creates the continuation of a run that `resume` took over.
  ///
  /// `outer` is the line or script that contains `resume`. It isn't in conflict with the continuation: both are wanted.
  package init(resuming run: Run, within outer: RunInProgress? = nil, _ binding: MarketLogin) {
    unit = run.unit
    state.withLock { state in
      state[binding].number = run.number
      state.line = run.line
      state.content = run.content ?? ""
      state.script = run.script
      state.values = run.values
      state.answered = Set([run.number] + (outer?.numbers ?? [])).union(outer?.admitted ?? [])
    }
  }

  /// The number of the run in a market, or `nil` if nothing was written there.
  package func number(_ binding: MarketLogin) -> Int? { state.withLock { $0[binding].number } }

  /// The numbers of all runs.
  package var numbers: [Int] { state.withLock { $0.markets.compactMap(\.number).sorted() } }

  /// The line of the script that is being executed.
  package var line: Run.ScriptLine? { state.withLock { $0.line } }

  /// The digest of the lines that were begun, by which a script is recognized as unchanged up to its last line.
  package var content: String { state.withLock { $0.content } }

  /// The lines of a script that is in no file, as far as they are known.
  package var script: RunScript? {
    get { state.withLock { $0.script } }
    set { state.withLock { $0.script = newValue } }
  }

  /// The values that the line which is being executed refers to.
  var values: RunValues? { state.withLock { $0.values } }

  /// Begins a line of a script, or begins it again when the run goes on with it.
  ///
  /// - Parameters:
  ///   - sourced: The digest of the files that it names as scripts.
  ///   - values: What it refers to.
  package func begin(_ line: Run.ScriptLine, sourced: String = "", values: RunValues? = nil) {
    state.withLock { state in
      defer { (state.line, state.values) = (line, values) }
      if state.line?.number == line.number { return }
      state.content = SHA256.hex(Data((state.content + "\n" + line.text + sourced).utf8))
    }
  }

  /// Records that the user wants the line although it repeats a part of these runs.
  ///
  /// - Parameters:
  ///   - runs: The runs, about which isn't asked again.
  ///   - replaced: Those that are settled as soon as this run records something.
  ///   - released: The items that the other runs don't hold from then on.
  ///   - binding: The market and login.
  package func admit(
    _ runs: [Int], replacing replaced: [Int] = [], releasing released: [Int: Set<String>] = [:], _ binding: MarketLogin
  ) {
    state.withLock { state in
      state.answered.formUnion(runs)
      state[binding].replaced.formUnion(replaced)
      state[binding].released.merge(released) { $0.union($1) }
    }
  }

  /// The runs about which the user decided.
  private var admitted: Set<Int> { state.withLock { $0.answered } }

  /// Returns whether the user decided about a run.
  package func hasAdmitted(_ run: Int) -> Bool { state.withLock { $0.answered.contains(run) } }

  func replacedRuns(_ binding: MarketLogin) -> Set<Int> { state.withLock { $0[binding].replaced } }

  func releasedItems(_ binding: MarketLogin) -> [Int: Set<String>] {
    state.withLock { $0[binding].released }
  }

  /// Sets the number after the run was recorded, with which the runs that it replaces were settled.
  func didBegin(_ number: Int, _ binding: MarketLogin) {
    state.withLock { $0[binding] = MarketRun(login: binding, number: number) }
  }
}

extension RunInProgress: Hashable {
  package static func == (one: RunInProgress, other: RunInProgress) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
