import TestSupport
import Testing
import WriteJournal

/// Lines and scripts that are run again after every interruption keep nine invariants, and without one of the rules they don't.
///
/// With `OPENMARKET_LONG_TESTS` the histories are one event longer.
@Suite(.computesLong, .timeLimit(Trial.limit)) struct RunModelTests {
  private typealias Model = RunModel

  private static let line = Model.Unit(name: "patch 1,2", lines: [[.add(1), .add(2)]])
  private static let part = Model.Unit(name: "patch 1", lines: [[.add(1)]])
  private static let script = Model.Unit(name: "night", lines: [[.set(3)], [.add(1)], [.add(2)]])
  private static let closed = Model.Unit(name: "closed", lines: [[.add(1)], [.add(2)]], isRestorable: false)

  /// The lines and scripts of a search, with what may happen to them.
  private struct Focus {
    var units: [Model.Unit]
    var markets = [0]
    var askings: [Model.Asking] = [.unattended, .again, .answer(0), .answer(1), .answer(2), .answer(3)]
    var faults: [Model.Fault]
    var depth = 3
    /// What other clients do to product 1 and product 2.
    var others: [Model.Other] = []
    var clocks: [Int] = []
    var hasOtherHome = false
    var hasBackup = false
  }

  private static let faults: [Model.Fault] = [
    .none, .killed(line: 0, row: 0, lands: true), .killed(line: 0, row: 0, lands: false),
    .killed(line: 0, row: 1, lands: true), .stopped(line: 0, row: 0), .beforeRecord, .beforeEnd,
  ]

  private static let focuses = [
    Focus(units: [closed], faults: [.none, .failingRead, .killed(line: 0, row: 0, lands: true), .beforeEnd]),
    Focus(
      units: [line], markets: [0, 1], askings: [.unattended, .answer(0)],
      faults: [.none, .killed(line: 0, row: 0, lands: true)]),
    Focus(
      units: [line], askings: [.unattended, .key(1), .key(2)],
      faults: [.none, .killed(line: 0, row: 0, lands: true), .beforeEnd]),
    Focus(
      units: [line, script], askings: [.unattended, .answer(0)],
      faults: [.none, .paused, .overtaken, .stopped(line: 0, row: 0)]),
    Focus(
      units: [script],
      faults: [
        .none, .failingRead, .killed(line: 1, row: 0, lands: true), .killed(line: 1, row: 0, lands: false),
        .killed(line: 2, row: 0, lands: true), .beforeEnd,
      ]),
    Focus(units: [line, part], faults: [.none, .killed(line: 0, row: 0, lands: true), .beforeEnd]),
    Focus(units: [line], faults: faults),
    Focus(
      units: [line], askings: [.unattended],
      faults: [
        .none, .killed(line: 0, row: 0, lands: true), .killed(line: 0, row: 0, lands: false),
        .stopped(line: 0, row: 0),
      ], others: [.deleted, .bought, .renamed, .replaced]),
    Focus(
      units: [script], askings: [.unattended], faults: [.none, .killed(line: 1, row: 0, lands: true), .failingRead],
      others: [.deleted, .bought, .replaced]),
    // A first line that states a value holds nothing, so the script is run again.
    Focus(
      units: [script], askings: [.unattended],
      faults: [.none, .killed(line: 0, row: 0, lands: true), .killed(line: 0, row: 0, lands: false)]),
    Focus(
      units: [line, part], askings: [.unattended, .answer(0)],
      faults: [.none, .killed(line: 0, row: 0, lands: true), .stopped(line: 0, row: 0)], clocks: [4, -40]),
    Focus(
      units: [line], askings: [.unattended, .key(1)],
      faults: [.none, .stopped(line: 0, row: 0), .killed(line: 0, row: 0, lands: true)], hasOtherHome: true),
    // Of a script, a home that was copied back makes lines again that it doesn't know.
    Focus(
      units: [line], askings: [.unattended], faults: [.none, .stopped(line: 0, row: 0)], depth: 5, hasBackup: true),
    Focus(
      units: [line], askings: [.unattended, .key(1)],
      faults: [.none, .killed(line: 0, row: 0, lands: true), .unreadable]),
  ]

  /// Returns the events that are possible, with every intent that an execution may have.
  private static func events(_ focus: Focus, _ state: Model.State) -> [Model.Event] {
    var events: [Model.Event] = []
    for unit in focus.units {
      for market in focus.markets {
        let isMet = state.runs.contains { $0.market == market && $0.life.isUnsettled }
        // Whoever runs a line again may mean an execution that isn't over. A key names one.
        let jobs = state.jobs.indices.filter {
          state.jobs[$0].unit == unit && state.jobs[$0].market == market && !state.jobs[$0].isOver
        }
        for asking in isMet ? focus.askings : focus.askings.filter({ if case .answer = $0 { false } else { true } }) {
          for fault in focus.faults {
            guard case .key(let key) = asking else {
              for job in [nil] + jobs.suffix(1).map(Optional.some) {
                events.append(.run(unit, market: market, job: job, asking, fault))
              }
              continue
            }
            let job = state.runs.first { $0.key == key && $0.market == market }?.job
            events.append(.run(unit, market: market, job: job, asking, fault))
          }
        }
      }
    }
    if state.runs.contains(where: { $0.life.state == .interrupted }) {
      events += [.resume(.none), .resumeTwice, .forget, .undo, .undoOne]
      events += focus.faults.filter { $0 != .none }.map { .resume($0) }
      if !focus.clocks.isEmpty { events.append(.resume(.none, isNumbered: false)) }
    }
    events += focus.clocks.map(Model.Event.clock)
    for product in [1, 2] where !state.runs.isEmpty {
      // Two purchases of one each look like an edit by two that was lost.
      events += focus.others.filter { $0 != .bought || state[0, product].touches == 0 }.map { .other($0, product) }
    }
    if focus.hasOtherHome {
      for unit in focus.units {
        events.append(.elsewhere(unit, job: nil))
        if let job = state.jobs.lastIndex(where: { $0.unit == unit && !$0.isOver }) {
          events.append(.elsewhere(unit, job: job))
        }
      }
    }
    if focus.hasBackup { events.append(state.backup == nil ? .copyHome : .restoreHome) }
    if state.runs.contains(where: \.isPaused) { events.append(.goOn) }
    return events
  }

  /// Returns the first violation with its history, or `nil`, and the number of steps.
  private static func search(_ model: Model, _ focuses: [Focus], isLong: Bool = false) -> (found: String?, steps: Int) {
    var steps = 0
    for focus in focuses {
      var seen: Set<Model.State> = []
      var states: [(state: Model.State, history: [Model.Event])] = [(Model.State(), [])]
      for depth in 1...(focus.depth + (isLong ? 1 : 0)) {
        var next: [(state: Model.State, history: [Model.Event])] = []
        for (state, history) in states {
          for event in events(focus, state) {
            steps += 1
            do {
              let after = try model.step(event, from: state)
              if depth < focus.depth + (isLong ? 1 : 0), seen.insert(after).inserted {
                next.append((after, history + [event]))
              }
            } catch let violation as Model.Violation {
              return (violation.text + "\n" + (history + [event]).map { "  \($0)" }.joined(separator: "\n"), steps)
            } catch {
              return ("\(error)", steps)
            }
          }
        }
        states = next
      }
    }
    return (nil, steps)
  }

  @Test func invariantsHold() {
    let all = Set(Model.Rule.allCases)
    let (found, steps) = Self.search(Model(rules: all), Self.focuses, isLong: Trial.isLong)
    #expect(found == nil, "\(found ?? "")")
    #expect(steps > 2_000)
    Trial.printInLongRun("\(steps) steps")
  }

  /// Each rule is needed.
  @Test(arguments: Model.Rule.allCases) func removedRuleIsNoticed(_ rule: RunModel.Rule) {
    let model = Model(rules: Set(Model.Rule.allCases).subtracting([rule]))
    // The later focuses are those of the later rules.
    let isLate = Model.Rule.allCases.suffix(9).contains(rule)
    let focuses: [Focus] = isLate ? Array(Self.focuses.reversed()) : Self.focuses
    #expect(Self.search(model, focuses).found != nil, "nothing is wrong without \(rule)")
  }
}
