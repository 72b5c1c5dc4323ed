import Catalog

/// A time relative to the evaluation: `today`, `yesterday`, `today-7d`, `now-2h`, or an age such as `30d`.
///
/// Days are those of UTC, which the servers use for their dates.
package struct RelativeTime: Hashable, Sendable {
  /// The starting point of a relative time.
  package enum Origin: String, Hashable, Sendable {
    /// The current day.
    case today
    case now
    /// An age: `modified<30d` selects products that were changed less than 30 days ago.
    case age
  }

  package let origin: Origin
  /// The offset from the origin, or the age.
  package let seconds: Int64
  /// The text as typed.
  package let text: String

  /// Parses the units `w`, `d`, `h` and `min`; `today` accepts only days.
  ///
  /// Returns `nil` for other text.
  package init?(_ text: String) {
    self.text = text
    var rest = Substring(text)
    func origin(_ word: String) -> Bool {
      guard rest.hasPrefix(word) else { return false }
      rest = rest.dropFirst(word.count)
      return true
    }
    if text == "yesterday" {
      (self.origin, seconds) = (.today, -86_400)
      return
    }
    let found: Origin = origin("today") ? .today : origin("now") ? .now : .age
    self.origin = found
    if rest.isEmpty, found != .age {
      seconds = 0
      return
    }
    var sign: Int64 = 1
    if found != .age {
      guard let first = rest.first, first == "-" || first == "+" else { return nil }
      sign = first == "-" ? -1 : 1
      rest = rest.dropFirst()
    }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard (1...5).contains(digits.count), let count = Int64(digits) else { return nil }
    let unit: Int64
    switch rest.dropFirst(digits.count) {
    case "w": unit = 7 * 86_400
    case "d": unit = 86_400
    case "h" where found != .today: unit = 3_600
    case "min" where found != .today: unit = 60
    default: return nil
    }
    seconds = sign * count * unit
  }

  package var isAge: Bool { origin == .age }

  /// Returns the literal at a time given in seconds since 1970, UTC.
  func literal(at now: Int64) -> Literal {
    switch origin {
    case .today:
      let day = Literal.day(of: Timestamp(seconds: now, isUTC: true)) * 86_400 + seconds
      return Literal(Timestamp(seconds: day, isUTC: false), isDay: true)
    case .now: return Literal(Timestamp(seconds: now + seconds, isUTC: false), isDay: false)
    case .age: return Literal(Timestamp(seconds: now - seconds, isUTC: false), isDay: false)
    }
  }
}

extension Comparison {
  var isOrder: Bool {
    switch self {
    case .less, .atMost, .more, .atLeast: true
    case .equal, .different, .contains, .lacks: false
    }
  }

  /// The operator for the time instead of the age: younger means later.
  fileprivate var turned: Comparison {
    switch self {
    case .less: .more
    case .atMost: .atLeast
    case .more: .less
    case .atLeast: .atMost
    case .equal, .different, .contains, .lacks: self
    }
  }
}

extension Expression {
  /// Returns the condition with its relative times replaced by those at `now`, in seconds since 1970, UTC.
  ///
  /// All products of a long list are then compared with the same time.
  package func resolved(at now: Int64) -> Expression {
    switch self {
    case .compare(let left, let comparison, let right):
      guard case .time(let time) = right.meaning else { return self }
      return .compare(left, time.isAge ? comparison.turned : comparison, time.literal(at: now))
    case .among(let left, let items):
      return .among(left, items.map { if case .time(let time) = $0.meaning { time.literal(at: now) } else { $0 } })
    case .relate, .value: return self
    case .not(let term): return .not(term.resolved(at: now))
    case .all(let terms): return .all(terms.map { $0.resolved(at: now) })
    case .any(let terms): return .any(terms.map { $0.resolved(at: now) })
    }
  }
}
