import Catalog
import Text

/// A time relative to the evaluation: a `WrittenTime` such as `yesterday`, `monday` and `11-20`, or `today-7d`, `-7d`,
/// `now-2h`, or an age such as `30d`; in Korean `어제`, `월요일`, `-7일`.
///
/// In conditions for products, days are those of UTC, which the servers use for their dates.
package struct RelativeTime: Hashable, Sendable {
  /// The starting point of a relative time.
  package enum Origin: Hashable, Sendable {
    /// The current day.
    case today
    case now
    /// A day or a time as it was named.
    case named(WrittenTime)
    /// An age: `modified<30d` selects products that were changed less than 30 days ago.
    case ago
  }

  package let origin: Origin
  /// The offset from the origin, or the age.
  package let seconds: Int64
  /// The text as typed.
  package let text: String

  private static let day: Int64 = 86_400
  private static let wholeToday = WrittenTime("today")

  /// Parses the units `w`, `d`, `h` and `min`, in Korean `주`, `일`, `시간` and `분`; `today` accepts only days.
  ///
  /// Returns `nil` for other text.
  package init?(_ text: String) {
    self.text = text
    let word = text.lowercased()
    if let named = WrittenTime(text), named.isRelative {
      (origin, seconds) = (named == RelativeTime.wholeToday ? .today : .named(named), 0)
      return
    }
    var rest = Substring(word)
    func begins(with word: String) -> Bool {
      guard rest.hasPrefix(word) else { return false }
      rest = rest.dropFirst(word.count)
      return true
    }
    var found: Origin = .ago
    if begins(with: "today") || begins(with: "오늘") {
      found = .today
    } else if begins(with: "now") || begins(with: "지금") {
      found = .now
    }
    if rest.isEmpty, found == .now {
      (origin, seconds) = (found, 0)
      return
    }
    let sign = rest.first.flatMap { $0 == "-" || $0 == "+" ? $0 : nil }
    guard found == .ago ? sign != "+" : sign != nil else { return nil }
    if sign != nil { rest = rest.dropFirst() }
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard (1...5).contains(digits.count), let count = Int64(digits),
      let unit = RelativeTime.unit(rest.dropFirst(digits.count))
    else { return nil }
    // `-7d` is `today-7d`, and `-2h` is `now-2h`.
    if sign == "-", found == .ago { found = unit % RelativeTime.day == 0 ? .today : .now }
    guard found != .today || unit % RelativeTime.day == 0 else { return nil }
    (origin, seconds) = (found, (sign == "-" ? -1 : 1) * count * unit)
  }

  private static func unit(_ text: Substring) -> Int64? {
    switch text {
    case "w", "주": 7 * day
    case "d", "일": day
    case "h", "시간": 3_600
    case "min", "분": 60
    default: nil
    }
  }

  package var isAge: Bool { origin == .ago }

  /// Returns the literal at a time given in seconds since 1970, of the calendar whose days are meant.
  func resolved(at now: Int64) -> LiteralValue {
    let today = CivilDate.split(seconds: now).date
    switch origin {
    case .today: return RelativeTime.day(today.daysSince1970 * RelativeTime.day + seconds)
    case .named(let named):
      let days = named.lastDays(at: now)
      guard let second = named.second else { return LiteralValue(days: days) }
      return LiteralValue(
        Timestamp(seconds: days.lowerBound * RelativeTime.day + second, isUTC: false), isDay: false)
    case .now: return LiteralValue(Timestamp(seconds: now + seconds, isUTC: false), isDay: false)
    case .ago: return LiteralValue(Timestamp(seconds: now - seconds, isUTC: false), isDay: false)
    }
  }

  private static func day(_ seconds: Int64) -> LiteralValue {
    LiteralValue(Timestamp(seconds: seconds, isUTC: false), isDay: true)
  }
}

extension Comparison {
  var isOrdering: Bool {
    switch self {
    case .less, .lessOrEqual, .greater, .atLeast: true
    case .equal, .notEqual, .contains, .notContains: false
    }
  }

  /// The operator for the time instead of the age: younger means later.
  fileprivate var mirrored: Comparison {
    switch self {
    case .less: .greater
    case .lessOrEqual: .atLeast
    case .greater: .less
    case .atLeast: .lessOrEqual
    case .equal, .notEqual, .contains, .notContains: self
    }
  }
}

extension Condition {
  /// Returns the condition with its times replaced by those on the clock of this machine at `now`, in seconds since 1970, UTC.
  ///
  /// The values that it is compared with are times of that clock, too (`Timestamp.local`). It is for times that this machine
  /// recorded; those of products are the server's.
  package func resolvedOnLocalClock(at now: Int64) -> Condition {
    onLocalClock.resolved(at: Timestamp(seconds: now, isUTC: true).local.seconds)
  }

  /// The condition with the times in UTC replaced by those of the clock of this machine.
  private var onLocalClock: Condition {
    switch self {
    case .compare(let left, let comparison, let right): return .compare(left, comparison, right.onLocalClock)
    case .isIn(let left, let items): return .isIn(left, items.map(\.onLocalClock))
    case .compareFormulas, .value: return self
    case .not(let term): return .not(term.onLocalClock)
    case .all(let terms): return .all(terms.map(\.onLocalClock))
    case .any(let terms): return .any(terms.map(\.onLocalClock))
    }
  }

  /// Checks that the time from which on a column of the past is asked for has come.
  ///
  /// - Throws: `ParseError` for `time>=tomorrow`, as `PastDate.read` throws.
  package func requirePast(_ column: String, at now: Int64) throws(ParseError) {
    switch self {
    case .all(let terms): for term in terms { try term.requirePast(column, at: now) }
    case .compare(.column(column), .atLeast, let beginning) where PastDate(beginning.text, at: now) != nil:
      _ = try PastDate.read(beginning.text, at: now)
    case .compare, .isIn, .compareFormulas, .value, .not, .any: break
    }
  }

  /// Returns the condition with its relative times replaced by those at `now`, in seconds since 1970, UTC.
  ///
  /// All products of a long list are then compared with the same time.
  package func resolved(at now: Int64) -> Condition {
    switch self {
    case .compare(let left, let comparison, let right):
      guard case .relativeTime(let time) = right.meaning else { return self }
      return .compare(left, time.isAge ? comparison.mirrored : comparison, time.resolved(at: now))
    case .isIn(let left, let items):
      return .isIn(
        left, items.map { if case .relativeTime(let time) = $0.meaning { time.resolved(at: now) } else { $0 } })
    case .compareFormulas, .value: return self
    case .not(let term): return .not(term.resolved(at: now))
    case .all(let terms): return .all(terms.map { $0.resolved(at: now) })
    case .any(let terms): return .any(terms.map { $0.resolved(at: now) })
    }
  }
}

/// A time in the past as users write it: a `WrittenTime` such as `yesterday`, `monday`, `11-20` and `2026-11-20T10:00`, or
/// `3d`, `-7d` and `now-2h`.
///
/// A weekday or a day without a year is the last one. Days are those of the local time zone.
package struct PastDate: Hashable, Sendable {
  /// The time whose state is meant, in seconds since 1970, UTC.
  ///
  /// A day means the state at its end, and `today` the state at its beginning.
  package let seconds: Int64
  /// The time from which changes are meant, in seconds since 1970, UTC: of a day its beginning.
  package let beginning: Int64

  private static let day: Int64 = 86_400

  /// Parses a time relative to `now`, in seconds since 1970, UTC.
  ///
  /// Returns `nil` for other text.
  package init?(_ text: String, at now: Int64) {
    let local = Timestamp(seconds: now, isUTC: true).local.seconds
    func midnight(_ days: Int64) -> Int64 { LocalTimeZone.unixTime(ofLocal: days * PastDate.day) }
    switch RelativeTime(text) {
    case let time? where time.isAge: (beginning, seconds) = (now - time.seconds, now - time.seconds)
    case let time? where time.origin == .now && time.seconds != 0:
      (beginning, seconds) = (now + time.seconds, now + time.seconds)
    case let time? where time.origin == .today:
      let day = CivilDate.split(seconds: local + time.seconds).date.daysSince1970
      (beginning, seconds) = (midnight(day), midnight(time.seconds == 0 ? day : day + 1))
    case _?, nil:
      if let written = WrittenTime(text) {
        let days = written.lastDays(at: local)
        if let second = written.second {
          beginning = LocalTimeZone.unixTime(ofLocal: days.lowerBound * PastDate.day + second)
          seconds = beginning
        } else {
          (beginning, seconds) = (midnight(days.lowerBound), midnight(days.upperBound + 1))
        }
      } else if let time = Timestamp(text) {
        beginning = time.isUTC ? time.seconds : LocalTimeZone.unixTime(ofLocal: time.seconds)
        seconds = beginning
      } else {
        return nil
      }
    }
  }

  /// Parses a time that isn't later than `now`, in seconds since 1970, UTC.
  ///
  /// - Throws: `ParseError` for other text, and for a time that hasn't come yet.
  package static func read(_ text: String, at now: Int64) throws(ParseError) -> PastDate {
    guard let date = PastDate(text, at: now) else {
      throw ParseError(
        LocalizedText("Not a time: \(.value(text)).", ko: "시각이 아닙니다: \(.value(text))."), suggestion: forms)
    }
    guard date.beginning <= now else {
      throw ParseError(
        LocalizedText("\(.value(text)) has not come yet.", ko: "\(.value(text)), 아직 오지 않은 때입니다."), suggestion: forms)
    }
    return date
  }

  /// The hint with the forms of a time in the past.
  package static let forms = LocalizedText(
    "Use yesterday, monday, last week, 30min, 2h, 3d, 11-20, 2026-11-20 or 2026-11-20T10:00.",
    ko: "yesterday, monday, last week, 30min, 2h, 3d, 11-20, 2026-11-20, 2026-11-20T10:00처럼 씁니다.")
}
