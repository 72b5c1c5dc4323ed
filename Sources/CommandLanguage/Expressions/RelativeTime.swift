import Catalog
import Text

/// A time relative to the evaluation: `today`, `yesterday`, `monday`, `11-20`, `today-7d`, `-7d`, `now-2h`, or an age such
/// as `30d`; in Korean `오늘`, `어제`, `그제`, `월요일`, `-7일`.
///
/// Days are those of UTC, which the servers use for their dates.
package struct RelativeTime: Hashable, Sendable {
  /// The starting point of a relative time.
  package enum Origin: Hashable, Sendable {
    /// The current day.
    case today
    case now
    /// The last such day before the current one, from 0 for Sunday to 6 for Saturday.
    case weekday(Int64)
    /// The last such day, the current one included.
    case day(DayOfYear)
    /// An age: `modified<30d` selects products that were changed less than 30 days ago.
    case ago
  }

  package let origin: Origin
  /// The offset from the origin, or the age.
  package let seconds: Int64
  /// The text as typed.
  package let text: String

  private static let day: Int64 = 86_400
  private static let earlierDays = ["yesterday": -1, "어제": -1, "그제": -2, "그저께": -2] as [String: Int64]

  /// Parses the units `w`, `d`, `h` and `min`, in Korean `주`, `일`, `시간` and `분`; `today` accepts only days.
  ///
  /// Returns `nil` for other text.
  package init?(_ text: String) {
    self.text = text
    let word = text.lowercased()
    if let days = RelativeTime.earlierDays[word] {
      (origin, seconds) = (.today, days * RelativeTime.day)
      return
    }
    if let weekday = Weekday.number(of: word) {
      (origin, seconds) = (.weekday(weekday), 0)
      return
    }
    if let day = DayOfYear(word) {
      (origin, seconds) = (.day(day), 0)
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
    if rest.isEmpty, found != .ago {
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

  /// Returns the literal at a time given in seconds since 1970, UTC.
  func resolved(at now: Int64) -> LiteralValue {
    let today = CivilDate.split(seconds: now).date
    switch origin {
    case .today: return RelativeTime.day(today.daysSince1970 * RelativeTime.day + seconds)
    case .weekday(let weekday):
      let days = today.daysSince1970 - Weekday.daysBack(from: today, to: weekday)
      return RelativeTime.day(days * RelativeTime.day)
    case .day(let day): return RelativeTime.day(day.last(until: today).daysSince1970 * RelativeTime.day)
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

/// A time in the past as users write it: `yesterday`, `monday`, `3d`, `2026-11-20`, `11-20`, `2026-11-20T10:00`.
///
/// A day without a year is the last one of that date, today included. Days are those of the local time zone.
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
    let word = text.lowercased()
    let today = CivilDate.split(seconds: Timestamp(seconds: now, isUTC: true).local.seconds).date
    func midnight(after days: Int64 = 0, _ date: CivilDate) -> Int64 {
      LocalTimeZone.unixTime(ofLocal: (date.daysSince1970 + days) * PastDate.day)
    }
    if ["today", "오늘"].contains(word) {
      (beginning, seconds) = (midnight(today), midnight(today))
    } else if ["yesterday", "어제"].contains(word) {
      (beginning, seconds) = (midnight(after: -1, today), midnight(today))
    } else if word == "그제" || word == "그저께" {
      (beginning, seconds) = (midnight(after: -2, today), midnight(after: -1, today))
    } else if let weekday = Weekday.number(of: word) {
      let days = -Weekday.daysBack(from: today, to: weekday)
      (beginning, seconds) = (midnight(after: days, today), midnight(after: days + 1, today))
    } else if let age = RelativeTime(word), age.isAge {
      (beginning, seconds) = (now - age.seconds, now - age.seconds)
    } else if let day = DayOfYear(text)?.last(until: today) {
      (beginning, seconds) = (midnight(day), midnight(after: 1, day))
    } else if let time = Timestamp(text.count == 16 ? text + ":00" : text) {
      func moment(_ seconds: Int64) -> Int64 { time.isUTC ? seconds : LocalTimeZone.unixTime(ofLocal: seconds) }
      (beginning, seconds) = (
        moment(time.seconds), moment(text.count == 10 ? time.seconds + PastDate.day : time.seconds)
      )
    } else {
      return nil
    }
  }
}

/// A day without a year, such as `11-20`.
package struct DayOfYear: Hashable, Sendable {
  private let month: Int64
  private let day: Int64

  /// Returns `nil` for other text, and for a day that no year has.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{1,2})-([0-9]{1,2})/), let month = Int64(match.1),
      let day = Int64(match.2), CivilDate(year: 2000, month: month, day: day) != nil
    else { return nil }
    (self.month, self.day) = (month, day)
  }

  /// Returns the last such day up to `today`, which may be that day itself.
  func last(until today: CivilDate) -> CivilDate {
    // 29 February is at most eight years ago.
    for year in (today.year - 8...today.year).reversed() {
      if let date = CivilDate(year: year, month: month, day: day), date.daysSince1970 <= today.daysSince1970 {
        return date
      }
    }
    return today
  }
}

/// The days of the week by their names in English and Korean.
package enum Weekday {
  private static let english = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  private static let korean = ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"]

  /// Returns 0 for Sunday to 6 for Saturday, or `nil` for a word that names no weekday.
  ///
  /// `word` is in lower case.
  package static func number(of word: String) -> Int64? {
    (english.firstIndex(of: word) ?? korean.firstIndex(of: word)).map { Int64($0) }
  }

  /// Returns the number of days, 1 to 7, from the last such weekday to a day.
  ///
  /// On a Monday, `monday` is a week ago; for the current day there is `today`.
  static func daysBack(from day: CivilDate, to weekday: Int64) -> Int64 {
    let back = (day.weekday - weekday + 7) % 7
    return back == 0 ? 7 : back
  }
}
