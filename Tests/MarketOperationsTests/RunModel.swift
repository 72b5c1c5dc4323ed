import Catalog
import MarketOperations
import WriteJournal

/// A model of lines and scripts that are run again after an interruption, which drives the values of the program: `RunLife`,
/// `RunConflict`, `AdmissionChoice` and `ProductReference`.
///
/// Its oracle gives each execution an intent, a new one or that of an execution before, which the program can't see. A kill
/// or a cut loses a request or lets it land.
struct RunModel {
  /// The rules of the program, each of which can be removed.
  enum Rule: CaseIterable {
    case sameUnitMeets, equalChangesMeet, openRunsMeet, recordRepeatsMeeting, answerSettles, marketsAreApart
    case takeOverIsExclusive, unknownIsRead, unrunLinesStay, endedRunsHoldNothing, heldBackIsCounted, keyNamesIntent
    case undoneChangesAreNotHeld, dryMeets
    case nothingLapses, oldRunsNeedTheirNumber, unreadableJournalStops
    case vanishedProductsAreNamed, otherProductsAreHeld, renamesAreNone, changedValuesAreNotOverwritten
    case undecidableIsAsked, laterStatementsSupersede
  }

  struct Violation: Error { var text: String }

  let rules: Set<Rule>

  private func has(_ rule: Rule) -> Bool { rules.contains(rule) }

  // MARK: The program

  private func conflicts(
    _ unit: Unit?, _ changes: [Change], market: Int, own: Int?, exempt: Set<Int>, _ state: State
  ) -> [(run: Int, conflict: RunConflict)] {
    let items = Set(changes.compactMap(\.item))
    return state.runs.indices.compactMap { index in
      let run = state.runs[index]
      guard index != own, !exempt.contains(index), run.market == market || !has(.marketsAreApart),
        run.life.isUnsettled || !has(.endedRunsHoldNothing), run.life.state != .open || has(.openRunsMeet),
        has(.nothingLapses) || abs(state.day - run.begun) < 2
      else { return nil }
      let held = run.rows.filter { !$0.isUndone || !has(.undoneChangesAreNotHeld) }
        .compactMap(\.change.item).filter { !run.released.contains($0) }
      guard !held.isEmpty else { return nil }
      let meeting = RunConflict.meeting(
        unit: has(.sameUnitMeets) ? unit?.name : nil, items: has(.equalChangesMeet) ? items : [], of: run.unit.name,
        holding: Set(held))
      guard let meeting else { return nil }
      var counts = Run.Counts()
      for row in run.rows where !row.isUndone {
        switch row.state {
        case .left: counts.left += 1
        case .done: counts.done += 1
        case .unknown: counts.unknown += 1
        case .skipped: break
        }
      }
      let value = Run(
        number: index + 1, unit: RunUnit(run.unit.isScript ? .script : .line, run.unit.name, identity: run.unit.name),
        begun: Timestamp(seconds: 0, isUTC: true), life: run.life, heldBack: run.heldBack, counts: counts)
      return (index, RunConflict(run: value, isSameUnit: meeting.isSameUnit, items: meeting.items))
    }
  }

  private enum Admission {
    /// The changes are made, without those that are left to older runs; these are replaced or give up the items.
    case made(leftOut: [Change], taken: [(run: Int, conflict: RunConflict)])
    case resumed(Int)
    case heldBack
  }

  private func admission(
    _ unit: Unit?, _ changes: [Change], market: Int, own: Int?, exempt: Set<Int>, _ asking: Asking, isLine: Bool,
    _ state: inout State
  ) -> Admission {
    let found = conflicts(unit, changes, market: market, own: own, exempt: exempt, state)
    if found.isEmpty { return .made(leftOut: [], taken: []) }
    switch asking {
    case .key where has(.keyNamesIntent): return .made(leftOut: [], taken: [])
    case .again: return .made(leftOut: [], taken: found)
    case .unattended, .key:
      if has(.heldBackIsCounted) { for one in found { state.runs[one.run].heldBack += 1 } }
      return .heldBack
    case .answer(let position):
      let choices = AdmissionChoice.of(found.map(\.conflict), forChanges: changes.count, isReplaceable: isLine)
      guard choices.indices.contains(position) else { return .heldBack }
      switch choices[position] {
      case .resume: return .resumed(found[0].run)
      case .all: return .made(leftOut: [], taken: found)
      case .undoFirst:
        for one in found { undo(one.run, &state) }
        return .made(leftOut: [], taken: found)
      case .rest:
        var left: [Change] = []
        for one in found {
          read(one.run, &state)
          for row in state.runs[one.run].rows where row.state == .done && !row.isUndone { left.append(row.change) }
        }
        return .made(leftOut: left, taken: found)
      }
    }
  }

  /// Reads what is unknown of a run.
  private func read(_ run: Int, _ state: inout State) {
    for index in state.runs[run].rows.indices where state.runs[run].rows[index].state == .unknown {
      guard has(.unknownIsRead) else {
        state.runs[run].rows[index].state = .left
        continue
      }
      let row = state.runs[run].rows[index]
      let now = state[state.runs[run].market, row.change.product]
      switch row.change {
      case .set: state.runs[run].rows[index].state = now.stock == RunModel.stated ? .done : .left
      // A product that is gone or another one shows nothing: its row is skipped before it is sent.
      case .add where now.isGone || now.generation != row.seen.generation:
        state.runs[run].rows[index].state = row.hasEffect ? .done : .left
      case .add:
        switch now.stock - row.seen.stock {
        case RunModel.amount: state.runs[run].rows[index].state = .done
        case 0: state.runs[run].rows[index].state = .left
        default: if !has(.undecidableIsAsked) { state.runs[run].rows[index].state = .left }
        }
      }
    }
  }

  private static let amount = 2
  private static let stated = 100

  /// Returns whether a row that was planned earlier is sent now, and skips it otherwise.
  private func isSent(_ row: Int, of run: Int, _ state: inout State) throws -> Bool {
    let one = state.runs[run].rows[row]
    let now = state[state.runs[run].market, one.change.product]
    if now.isGone {
      if has(.vanishedProductsAreNamed) { state.runs[run].rows[row].state = .skipped }
      return false
    }
    let (meant, found) = (one.seen.product(one.change.product), now.product(one.change.product))
    let isOther =
      ProductReference(recording: meant).mismatch(with: found) != nil
      || !has(.renamesAreNone) && meant.name != found.name
    if isOther, has(.otherProductsAreHeld) {
      if now.generation == one.seen.generation {
        throw Violation(text: "7: a renamed product was taken for another one")
      }
      state.runs[run].rows[row].state = .skipped
      return false
    }
    if now.generation != one.seen.generation { throw Violation(text: "7: another product was changed") }
    guard case .add = one.change, now.stock != one.seen.stock else { return true }
    if has(.changedValuesAreNotOverwritten) {
      if one.hasEffect { throw Violation(text: "3: what was made is told as not made") }
      state.runs[run].rows[row].state = .skipped
      return false
    }
    if now.touches != one.seen.touches { throw Violation(text: "8: a value that others changed was changed again") }
    return true
  }

  private func send(_ row: Int, of run: Int, _ state: inout State) {
    let change = state.runs[run].rows[row].change
    let market = state.runs[run].market
    switch change {
    case .add(let product): state[market, product].stock += RunModel.amount
    case .set(let product): state[market, product].stock = RunModel.stated
    }
    state.runs[run].rows[row].hasEffect = true
    state.jobs[state.runs[run].job].made[change, default: 0] += 1
  }

  private func undo(_ run: Int, _ state: inout State) {
    read(run, &state)
    for index in state.runs[run].rows.indices
    where state.runs[run].rows[index].state == .done && !state.runs[run].rows[index].isUndone {
      takeBack(index, of: run, &state)
    }
    state.runs[run].life.handle(.givenUp)
  }

  private func takeBack(_ row: Int, of run: Int, _ state: inout State) {
    state.runs[run].rows[row].isUndone = true
    let change = state.runs[run].rows[row].change
    state.jobs[state.runs[run].job].made[change, default: 0] -= 1
    if case .add(let product) = change { state[state.runs[run].market, product].stock -= RunModel.amount }
  }

  /// Sends the rows of a line that are left.
  ///
  /// - Returns: Whether the execution goes on.
  private func sendRows(
    of line: Int, _ run: Int, _ fault: Fault, isResumed: Bool = false, _ state: inout State
  ) throws -> Bool {
    var position = 0
    for row in state.runs[run].rows.indices where state.runs[run].rows[row].line == line {
      guard state.runs[run].rows[row].state == .left else { continue }
      if isResumed, try !isSent(row, of: run, &state) {
        if state.runs[run].rows[row].state == .left { state.runs[run].rows[row].state = .done }
        continue
      }
      if case .killed(line, position, let lands) = fault {
        if lands { send(row, of: run, &state) }
        state.runs[run].rows[row].state = .unknown
        state.runs[run].life.handle(.programVanished)
        return false
      }
      send(row, of: run, &state)
      state.runs[run].rows[row].state = .done
      if case .stopped(line, position) = fault {
        finish(run, isStopped: true, &state)
        return false
      }
      if fault == .paused {
        state.runs[run].isPaused = true
        return false
      }
      position += 1
    }
    return true
  }

  /// Gives up what older runs were to state of the same products, and settles those of which nothing is left.
  private func supersede(_ changes: [Change], _ current: Int, _ state: inout State) {
    guard has(.laterStatementsSupersede) else { return }
    for run in state.runs.indices where run != current && state.runs[run].life.state == .interrupted {
      guard state.runs[run].market == state.runs[current].market else { continue }
      for row in state.runs[run].rows.indices where [.left, .unknown].contains(state.runs[run].rows[row].state) {
        let one = state.runs[run].rows[row].change
        if case .set = one, changes.contains(one) { state.runs[run].rows[row].state = .skipped }
      }
      let holds = state.runs[run].rows.contains { row in
        [.left, .unknown].contains(row.state) || row.change.item != nil && !row.isUndone && row.state == .done
      }
      if !holds { state.runs[run].life.handle(.emptied) }
    }
  }

  private func finish(_ run: Int, isStopped: Bool, _ state: inout State) {
    let rows = state.runs[run].rows
    state.runs[run].life.handle(
      .returned(
        isOpen: rows.contains { $0.state == .left || $0.state == .unknown },
        isStopped: isStopped && state.runs[run].unit.isScript,
        holds: rows.contains { $0.change.item != nil && !$0.isUndone }))
    // Its report has said that all is done, so nobody runs it again for that.
    let isLast = state.runs[run].line == state.runs[run].unit.lines.count - 1
    if state.runs[run].life.state == .ended, isLast { state.jobs[state.runs[run].job].isOver = true }
  }

  /// The result of an execution.
  struct Ending {
    var code: Int
    /// A Boolean value that indicates that `resume`, a person or a key said that the old execution is meant.
    var isOld = false
    var sent = 0
  }

  private func execute(
    _ unit: Unit, market: Int, job: Int, _ asking: Asking, _ fault: Fault, _ state: inout State
  ) throws -> Ending {
    if fault == .unreadable, has(.unreadableJournalStops) { return Ending(code: 5) }
    let key: Int? = if case .key(let key) = asking { key } else { nil }
    if let key, has(.keyNamesIntent),
      let old = state.runs.lastIndex(where: { $0.key == key && $0.market == market })
    {
      switch state.runs[old].life.state {
      case .open, .settled: return Ending(code: 4)
      case .ended: return Ending(code: 0, isOld: true)
      case .interrupted:
        let code = try resume(old, fault, &state)
        return Ending(code: code, isOld: true)
      }
    }
    var exempt: Set<Int> = []
    var run: Int?
    var taken: [(run: Int, conflict: RunConflict)] = []
    var leftOut: [Change] = []
    var sent = 0
    func admit(_ unit: Unit?, _ changes: [Change], isLine: Bool) throws -> Ending? {
      if fault == .unreadable { return nil }
      switch admission(
        unit, changes, market: market, own: run, exempt: exempt, asking, isLine: isLine, &state)
      {
      case .heldBack:
        if let run { finish(run, isStopped: true, &state) }
        return Ending(code: 4, sent: sent)
      case .resumed(let old): return Ending(code: try resume(old, fault, &state), isOld: true)
      case .made(let left, let found):
        if !found.isEmpty { decide(job, found.map(\.run), &state) }
        leftOut += left
        taken += found
        exempt.formUnion(found.map(\.run))
        return nil
      }
    }
    if unit.isScript, let ending = try admit(unit, [], isLine: true) { return ending }
    for (line, changes) in unit.lines.enumerated() {
      if line > 0, fault == .failingRead {
        if let run { finish(run, isStopped: true, &state) }
        return Ending(code: 1, sent: sent)
      }
      if changes.contains(where: { state[market, $0.product].isGone }) {
        if let run { finish(run, isStopped: true, &state) }
        return Ending(code: 1, sent: sent)
      }
      if let ending = try admit(unit, changes, isLine: !unit.isScript) { return ending }
      let rest = changes.filter { !leftOut.contains($0) }
      if fault == .beforeRecord { return Ending(code: 137, sent: sent) }
      if line == 0, fault == .overtaken {
        _ = try execute(unit, market: market, job: job, .unattended, .stopped(line: 0, row: 0), &state)
      }
      let isRepeated =
        !conflicts(nil, rest, market: market, own: run, exempt: exempt, state).isEmpty && asking != .again && key == nil
      if has(.recordRepeatsMeeting), isRepeated, fault != .unreadable {
        if let run { finish(run, isStopped: true, &state) }
        return Ending(code: 4, sent: sent)
      }
      let current: Int
      if let run {
        current = run
      } else {
        current = state.runs.count
        state.runs.append(ModelRun(unit: unit, market: market, key: key, job: job, begun: state.day))
        run = current
      }
      state.runs[current].line = line
      if has(.answerSettles) {
        for one in taken {
          let items = Set(state.runs[one.run].rows.filter { !$0.isUndone }.compactMap(\.change.item))
          if one.conflict.isSameUnit || one.conflict.items.isSuperset(of: items) {
            state.runs[one.run].life.handle(.givenUp)
          } else {
            state.runs[one.run].released.formUnion(one.conflict.items)
            state.runs[one.run].rows.removeAll {
              $0.state == .left && one.conflict.items.contains($0.change.item ?? "")
            }
          }
        }
      }
      taken = []
      state.runs[current].rows += rest.map { Row(change: $0, line: line, seen: state[market, $0.product]) }
      sent += rest.count
      supersede(rest, current, &state)
      guard try sendRows(of: line, current, fault, &state) else { return Ending(code: 137, sent: sent) }
    }
    guard let run else { return Ending(code: 0, sent: sent) }
    if fault == .beforeEnd {
      state.runs[run].life.handle(.programVanished)
      return Ending(code: 137, sent: sent)
    }
    finish(run, isStopped: false, &state)
    return Ending(code: 0, sent: sent)
  }

  /// Finishes a run.
  private func resume(_ run: Int, _ fault: Fault, isLate: Bool = false, _ state: inout State) throws -> Int {
    let unit = state.runs[run].unit
    // Nothing is sent before the run is taken over.
    if !isLate || has(.takeOverIsExclusive) {
      guard state.runs[run].life.handle(.takenOver) else { return 0 }
    }
    read(run, &state)
    if state.runs[run].rows.contains(where: { $0.state == .unknown }) {
      finish(run, isStopped: true, &state)
      return 5
    }
    // A shell that is late has read the products before the other one changed them.
    guard try sendRows(of: state.runs[run].line, run, fault, isResumed: !isLate, &state) else { return 137 }
    for line in unit.lines.indices.dropFirst(state.runs[run].line + 1) {
      guard unit.isRestorable else {
        finish(run, isStopped: has(.unrunLinesStay), &state)
        return has(.unrunLinesStay) ? 7 : 0
      }
      let market = state.runs[run].market
      // The line ends with an error before it plans anything, and is executed again by the next `resume`.
      if unit.lines[line].contains(where: { state[market, $0.product].isGone }) {
        finish(run, isStopped: true, &state)
        return 1
      }
      state.runs[run].line = line
      state.runs[run].rows += unit.lines[line].map { Row(change: $0, line: line, seen: state[market, $0.product]) }
      guard try sendRows(of: line, run, fault, &state) else { return 137 }
    }
    finish(run, isStopped: false, &state)
    if state.runs[run].rows.contains(where: { $0.state == .skipped }) { return 7 }
    let job = state.jobs[state.runs[run].job]
    let missing = Set(unit.lines.joined()).filter { change in
      job.made[change, default: 0] < 1 && !isShown(change, state.runs[run].market, state)
    }
    if !job.isDecided, !missing.isEmpty, !isLate { throw Violation(text: "3: resume is complete without \(missing)") }
    return 0
  }

  // MARK: The oracle

  /// Returns whether the product has the value that a change states.
  private func isShown(_ change: Change, _ market: Int, _ state: State) -> Bool {
    guard case .set(let product) = change else { return false }
    return state[market, product].stock == RunModel.stated
  }

  /// Records the decision of a user about runs.
  private func decide(_ job: Int, _ runs: [Int], _ state: inout State) {
    state.jobs[job].isDecided = true
    for run in runs { state.jobs[state.runs[run].job].isDecided = true }
  }

  /// Returns the state after an event, which it checks.
  ///
  /// - Throws: `Violation` if an invariant doesn't hold.
  func step(_ event: Event, from old: State) throws -> State {
    var state = old
    let interrupted = old.runs.lastIndex { $0.life.state == .interrupted }
    switch event {
    case .run(let unit, let market, let wanted, let asking, let fault):
      let job = wanted ?? old.jobs.count
      if wanted == nil { state.jobs.append(Job(unit: unit, market: market)) }
      try checkDry(unit, market: market, asking, state)
      let before = state
      let ending = try execute(unit, market: market, job: job, asking, fault, &state)
      try check(ending, unit, market: market, job: job, wanted != nil, asking, fault, before: before, &state)
    case .resume(let fault, let isNumbered):
      guard let interrupted else { break }
      let isOld = state.day - state.runs[interrupted].begun > 3
      if isOld, !isNumbered, has(.oldRunsNeedTheirNumber) { break }
      let before = state.jobs.map(\.made)
      _ = try resume(interrupted, fault, &state)
      if isOld, !isNumbered, state.jobs.map(\.made) != before {
        throw Violation(text: "9: what is old was sent without its number")
      }
    case .other(let other, let product):
      state[0, product].touches += 1
      switch other {
      case .deleted: state[0, product].isGone = true
      case .bought: state[0, product].stock -= 1
      case .renamed: state[0, product].isRenamed = true
      case .replaced: state[0, product] = Shelf(generation: 1, touches: 1)
      }
    case .elsewhere(let unit, let wanted):
      let job = wanted ?? old.jobs.count
      if wanted == nil { state.jobs.append(Job(unit: unit, market: 0)) }
      // Nobody can keep another home from doing what this one has done, nor see which of them did it.
      for one in state.jobs.indices where state.jobs[one].unit == unit { state.jobs[one].isDecided = true }
      for change in unit.lines.joined() {
        state.jobs[job].made[change, default: 0] += 1
        state[0, change.product].touches += 1
        switch change {
        case .add(let product): state[0, product].stock += RunModel.amount
        case .set(let product): state[0, product].stock = RunModel.stated
        }
      }
    case .clock(let days): state.day += days
    case .copyHome: state.backup = state.runs
    case .restoreHome:
      guard let backup = state.backup else { break }
      // A home of before a run knows nothing of it, like another home.
      for run in state.runs.dropFirst(backup.count) { state.jobs[run.job].isDecided = true }
      state.runs = backup
    case .resumeTwice:
      guard let interrupted else { break }
      // Both have read the run before either takes it over.
      let rows = state.runs[interrupted].rows
      _ = try resume(interrupted, .none, &state)
      if !has(.takeOverIsExclusive) {
        state.runs[interrupted].rows = rows
        _ = try resume(interrupted, .none, isLate: true, &state)
      }
    case .forget:
      if let interrupted {
        state.runs[interrupted].life.handle(.givenUp)
        state.jobs[state.runs[interrupted].job].isDecided = true
      }
    case .undo:
      if let interrupted {
        undo(interrupted, &state)
        state.jobs[state.runs[interrupted].job].isDecided = true
      }
    case .undoOne:
      guard let interrupted,
        let row = state.runs[interrupted].rows.firstIndex(where: { $0.state == .done && !$0.isUndone })
      else { break }
      let job = state.runs[interrupted].job
      takeBack(row, of: interrupted, &state)
      state.jobs[job].isDecided = true
    case .goOn:
      for run in state.runs.indices where state.runs[run].isPaused {
        state.runs[run].isPaused = false
        if try sendRows(of: state.runs[run].line, run, .none, &state) {
          finish(run, isStopped: state.runs[run].line < state.runs[run].unit.lines.count - 1, &state)
        }
      }
    }
    for job in state.jobs where !job.isDecided {
      for (change, count) in job.made where count > 1 {
        if case .set = change { continue }
        throw Violation(text: "1: \(change) was made \(count) times without a decision")
      }
    }
    return state
  }

  /// A dry run meets what the execution meets.
  private func checkDry(_ unit: Unit, market: Int, _ asking: Asking, _ state: State) throws {
    guard asking == .unattended else { return }
    let all = Array(unit.lines.joined())
    let isHeld = !conflicts(unit, all, market: market, own: nil, exempt: [], state).isEmpty
    let isShown = has(.dryMeets) ? !isHeld : true
    var copy = state
    copy.jobs.append(Job(unit: unit, market: market))
    let ending = try? execute(unit, market: market, job: copy.jobs.count - 1, asking, .none, &copy)
    if let ending, [0, 4].contains(ending.code), isShown != (ending.code == 0) {
      throw Violation(text: "5: dry shows what isn't sent")
    }
  }

  private func check(
    _ ending: Ending, _ unit: Unit, market: Int, job: Int, _ isOldIntent: Bool, _ asking: Asking, _ fault: Fault,
    before: State, _ state: inout State
  ) throws {
    let isUnsettled = before.runs.contains { $0.market == market && $0.life.isUnsettled }
    for index in before.runs.indices where before.runs[index].market != market {
      if before.runs[index] != state.runs[index] { throw Violation(text: "4: r\(index + 1) of another market changed") }
    }
    if ending.code == 4 {
      // What another script was to change is known only when its line is planned.
      let isSame = before.runs.contains {
        $0.unit == unit && $0.market == market && $0.life.isUnsettled && $0.rows.contains { $0.change.item != nil }
      }
      if ending.sent > 0, isSame, fault == .none {
        throw Violation(text: "1: lines before the one that is held back were sent")
      }
      // The key of a run that was given up stays used.
      let isUsed = if case .key(let key) = asking { before.runs.contains { $0.key == key } } else { false }
      if !isUnsettled, !isUsed, fault != .overtaken { throw Violation(text: "2: held back, and no run is left") }
      let all = Set(unit.lines.joined())
      let isHeld = before.runs.contains { run in
        run.market == market && run.life.isUnsettled
          && (run.unit == unit || run.rows.contains { !$0.isUndone && all.contains($0.change) })
      }
      if !isHeld, !isUsed, fault != .overtaken { throw Violation(text: "2: held back by a run that has nothing of it") }
      let isCounted = before.runs.indices.contains { state.runs[$0].heldBack > before.runs[$0].heldBack }
      if asking == .unattended, !isCounted, fault == .none { throw Violation(text: "6: it isn't counted") }
      if case .key(let key) = asking, !before.runs.contains(where: { $0.key == key }) {
        throw Violation(text: "2: another key is another intent, and it was held back")
      }
      let isAnswered = !isUsed && isOldIntent && state.jobs[job].isDecided && before.jobs[job].isOver
      if isAnswered { throw Violation(text: "6: asked again") }
    }
    guard ending.code == 0 else { return }
    state.jobs[job].isOver = true
    // After an answer, its run and the new one are done: the same line isn't asked about again.
    if case .answer = asking, !ending.isOld {
      let found = conflicts(unit, Array(unit.lines.joined()), market: market, own: nil, exempt: [], state)
      // A run that is still open can't be settled.
      let isSame = found.contains { one in
        one.conflict.isSameUnit && one.run < before.runs.count && state.runs[one.run].life.state != .open
      }
      if isSame { throw Violation(text: "6: whoever has answered is asked again") }
    }
    if ending.isOld || state.jobs[job].isDecided { return }
    let missing = Set(unit.lines.joined()).filter { change in
      state.jobs[job].made[change, default: 0] < 1 && !isShown(change, market, state)
    }
    if !missing.isEmpty { throw Violation(text: "3: exit code 0 without \(missing)") }
  }
}
