import EmbeddedMarket
import Foundation

/// What lines wanted of a shop, and what its markets show: an account that knows nothing of the program's own log.
///
/// It knows each line as it was typed, its exit status and the rows of the markets before and after it. Every difference has to
/// be what the line wanted, or what an earlier line wanted that `resume` finishes; a line that ended with 0 has to have made
/// all of it, once.
struct Ledger {
  enum Field: String, CaseIterable { case stock, discount, price }

  /// A field of a product of a market.
  struct Place: Hashable {
    var market: String
    var product: Int64
    var field: Field
  }

  /// What a line wants of a field.
  enum Effect: Hashable {
    case set(Int)
    case add(Int)

    func callAsFunction(_ value: Int) -> Int {
      switch self {
      case .set(let wanted): wanted
      case .add(let difference): value + difference
      }
    }
  }

  /// An effect that a line of a home wanted and that hasn't been made.
  private struct Claim {
    var home: String
    var place: Place
    var effect: Effect
    var begun: Date
    /// A Boolean value that indicates that `resume` has to make it: it is recorded, and nothing has touched the field since.
    var isCertain: Bool
    /// A Boolean value that indicates a line of the timer, whose next run goes on with it.
    var isTimers = false
  }

  /// A line that the timer ran, and what it wants.
  struct TimerLine {
    var line: String
    /// Its exit status, or `nil` if it isn't known whether it was run to its end.
    var code: Int32?
    var wanted: [Place: Effect]
  }

  typealias Rows = [String: [Int64: Shop.Row]]

  private(set) var faults: [String] = []
  private var claims: [Claim] = []
  /// The values that each field had before a line of ours, which an undo may restore.
  private var earlier: [Place: Set<Int>] = [:]
  /// The names of products that lines made or were to make, each of which may exist once.
  private var names: Set<String> = []
  /// The homes of which an undo did not end, so that `resume` may delete what a line made.
  private var undoing: Set<String> = []

  /// Returns the value of a field, or `nil` if the product is gone.
  static func value(_ place: Place, _ rows: Rows) -> Int? {
    guard let row = rows[place.market]?[place.product] else { return nil }
    switch place.field {
    case .stock: return row.stock
    case .discount: return row.discount
    case .price: return row.price
    }
  }

  mutating func blame(_ fault: String) { faults.append(fault) }

  /// Compares the rows after a line with what it wanted.
  ///
  /// - Parameters:
  ///   - line: The line, for faults.
  ///   - home: The home.
  ///   - code: Its exit status.
  ///   - wanted: What it wants of each field.
  ///   - isRecorded: Whether it was killed or cut at a request, before which its whole plan is recorded.
  ///   - isHeld: Whether it has to be held back.
  ///   - time: The time of the home's clock, by which its runs have an age.
  mutating func enter(
    _ line: String, in home: String, code: Int32, wanted: [Place: Effect], isRecorded: Bool, isHeld: Bool,
    at time: Date,
    _ before: Rows, _ after: Rows
  ) {
    if isHeld, code != 4 { blame("\(line) was not held back: exit status \(code)") }
    for (place, effect) in wanted {
      guard let old = Ledger.value(place, before), let new = Ledger.value(place, after) else { continue }
      let aim = effect(old)
      let isMade = new == aim
      if isHeld || code == 4 {
        if new != old { blame("\(line) ended with \(code) and changed \(place): \(old) -> \(new)") }
        continue
      }
      if code == 0, !isMade { blame("\(line) ended with 0, and \(place) is \(new), not \(aim), was \(old)") }
      if !isMade, new != old { blame("\(line) (\(code)) changed \(place) to \(new), not \(aim), was \(old)") }
      if new != old { earlier[place, default: []].insert(old) }
      if case .set = effect {
        if code == 0 || new != old {
          claims.removeAll { $0.home == home && $0.place == place }
        } else {
          doubt { $0.home == home && $0.place == place }
        }
      }
      if new != old { doubt { $0.place == place } }
      if !isMade {
        claims.append(Claim(home: home, place: place, effect: effect, begun: time, isCertain: isRecorded))
      }
    }
    explain(line, code, allowing: Set(wanted.keys), before, after)
  }

  /// Compares the rows after a run of the timer with what its lines want, and with what interrupted runs of them wanted.
  mutating func enterTimer(
    in home: String, code: Int32, _ lines: [TimerLine], alsoAllowing others: Set<Place>, at time: Date, _ before: Rows,
    _ after: Rows
  ) {
    let begun = Set(claims.filter { $0.home == home && $0.isTimers }.map(\.place)).subtracting(others)
    let wanted = lines.flatMap { line in line.wanted.map { (place: $0.key, effect: $0.value, line: line) } }
    for place in begun.union(wanted.map(\.place)) {
      guard let old = Ledger.value(place, before), let new = Ledger.value(place, after) else { continue }
      let open = claims.filter { $0.home == home && $0.place == place && $0.isTimers }
      let now = wanted.filter { $0.place == place }
      var possible: Set<Int> = [old]
      for effect in open.map(\.effect) + now.map(\.effect) { possible.formUnion(possible.map { effect($0) }) }
      if !possible.contains(new) {
        blame("timer run (\(code)) changed \(place): \(old) -> \(new), not \(possible)")
      }
      for one in now where one.line.code == 0 && open.isEmpty && new != one.effect(old) {
        blame("\(one.line.line) of the timer ended with 0, and \(place) is \(new), not \(one.effect(old))")
      }
      if new != old {
        earlier[place, default: []].insert(old)
        doubt { $0.place == place }
        claims.removeAll { $0.home == home && $0.place == place && $0.isTimers && $0.effect(old) == new }
      }
      for one in now {
        if one.line.code == 0 {
          // A stated value replaces every earlier one of the home, also where the row shows it already.
          let isStated = if case .set = one.effect { true } else { false }
          claims.removeAll { $0.home == home && $0.place == place && (isStated || $0.isTimers) }
        } else if new != one.effect(old) {
          claims.append(
            Claim(home: home, place: place, effect: one.effect, begun: time, isCertain: false, isTimers: true))
        }
      }
    }
    for place in others {
      guard let old = Ledger.value(place, before), Ledger.value(place, after) != old else { continue }
      earlier[place, default: []].insert(old)
      doubt { $0.place == place }
    }
    explain("timer run", code, allowing: begun.union(wanted.map(\.place)).union(others), before, after)
  }

  /// Enters that a home's log went to another home, which can undo what is in it.
  mutating func handOver(from home: String, to other: String) {
    if undoing.contains(home) { undoing.insert(other) }
  }

  /// Enters that another client changed a field.
  mutating func enterForeign(_ place: Place) { doubt { $0.place == place } }

  /// Compares the rows after `resume` with what earlier lines of the home wanted.
  mutating func enterResume(
    in home: String, at market: String, code: Int32, alsoAllowing others: Set<Place>, at time: Date, _ before: Rows,
    _ after: Rows
  ) {
    let own = claims.filter { $0.home == home && $0.place.market == market && !others.contains($0.place) }
    for (place, claims) in Dictionary(grouping: own, by: \.place) {
      guard let old = Ledger.value(place, before), let new = Ledger.value(place, after) else { continue }
      var possible: Set<Int> = [old]
      for claim in claims { possible.formUnion(possible.map { claim.effect($0) }) }
      // It may finish an undo, too.
      if undoing.contains(home) { possible.formUnion(earlier[place] ?? []) }
      if !possible.contains(new) {
        blame("resume (\(code)) of \(home) changed \(place): \(old) -> \(new), not \(possible)")
      }
      if code == 0, claims.count == 1, claims[0].isCertain, time.timeIntervalSince(claims[0].begun) < 2 * 86_400,
        new != claims[0].effect(old)
      {
        blame("resume of \(home) ended with 0, and \(place) is \(new), not \(claims[0].effect(old))")
      }
      if new != old {
        earlier[place, default: []].insert(old)
        doubt { $0.place == place }
        self.claims.removeAll { $0.home == home && $0.place == place && $0.effect(old) == new }
      }
    }
    if code == 0 {
      claims.removeAll {
        $0.home == home && $0.place.market == market && time.timeIntervalSince($0.begun) < 2 * 86_400
      }
    }
    doubt { $0.home == home && $0.place.market == market }
    let restored = earlier.filter { place, values in
      undoing.contains(home) && Ledger.value(place, after).map(values.contains) == true
    }
    explain(
      "resume of \(home)", code, allowing: Set(own.map(\.place)).union(others).union(restored.keys),
      isDeleting: undoing.contains(home), before, after)
  }

  /// Compares the rows after an undo, which restores what fields had before.
  mutating func enterUndo(in home: String, code: Int32, _ before: Rows, _ after: Rows) {
    var places: Set<Place> = []
    for (place, values) in earlier {
      guard let old = Ledger.value(place, before), let new = Ledger.value(place, after), old != new else { continue }
      if code == 4 || !values.contains(new) { blame("undo (\(code)) changed \(place): \(old) -> \(new)") }
      places.insert(place)
      earlier[place]?.insert(old)
    }
    if code != 0 { undoing.insert(home) }
    doubt { $0.home == home || places.contains($0.place) }
    explain("undo", code, allowing: places, isDeleting: true, before, after)
  }

  /// Returns whether an undo of a home did not end.
  func isUndoing(_ home: String) -> Bool { undoing.contains(home) }

  /// Enters that the interrupted runs of a home were given up.
  mutating func enterForget(in home: String, at market: String, _ before: Rows, _ after: Rows) {
    claims.removeAll { $0.home == home && $0.place.market == market }
    explain("forget", 0, allowing: [], before, after)
  }

  /// Compares the rows after a line that creates a product.
  mutating func enterCreate(
    _ line: String, _ name: String, at market: String, code: Int32, _ before: Rows, _ after: Rows
  ) {
    names.insert(name)
    let count = after[market]?.values.count { $0.name == name } ?? 0
    if code == 0, count != 1 { blame("\(line) ended with 0, and there are \(count) of \(name)") }
    explain(line, code, allowing: [], before, after)
  }

  /// Checks that nothing else was changed than these fields, and that no product exists twice.
  private mutating func explain(
    _ line: String, _ code: Int32, allowing places: Set<Place>, isDeleting: Bool = false, _ before: Rows, _ after: Rows
  ) {
    for (market, rows) in before {
      for (id, row) in rows {
        guard let now = after[market]?[id] else {
          if !isDeleting || !names.contains(row.name) { blame("\(line) (\(code)) deleted \(market) \(id)") }
          continue
        }
        guard now != row else { continue }
        for field in Field.allCases {
          let place = Place(market: market, product: id, field: field)
          let (old, new) = (Ledger.value(place, before), Ledger.value(place, after))
          if old != new, !places.contains(place) {
            blame("\(line) (\(code)) changed \(place): \(old ?? -1) -> \(new ?? -1)")
          }
        }
      }
      for row in (after[market] ?? [:]).filter({ rows[$0.key] == nil }).values where !names.contains(row.name) {
        blame("\(line) (\(code)) made \(row.name)")
      }
    }
    for (market, rows) in after {
      for name in names where rows.values.count(where: { $0.name == name }) > 1 {
        blame("\(line) (\(code)): \(name) exists twice in \(market)")
      }
    }
  }

  private mutating func doubt(_ isMeant: (Claim) -> Bool) {
    for index in claims.indices where isMeant(claims[index]) { claims[index].isCertain = false }
  }
}
