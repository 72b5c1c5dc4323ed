import Catalog
import Text

/// A day or a time as users write it, the same in every command: `today`, `yesterday`, `tomorrow`, a weekday, `last week`,
/// `next week`, `11-20` or `2026-11-20`, each day also with a time of day (`monday 10:00`, `11-20T09:30`), and a time of day
/// alone.
///
/// It is the one reader of days. Which day a weekday, a date without a year or a time of day means is decided by what is
/// asked: the last one in the past, the next one for a sale.
package struct WrittenTime: Hashable, Sendable {
  /// The day, as it was named.
  package enum Day: Hashable, Sendable {
    /// A number of days after the current one.
    case offset(Int64)
    /// From 0 for Sunday to 6 for Saturday.
    case weekday(Int64)
    /// Monday to Sunday, a number of weeks after the current week.
    case week(Int64)
    case dayOfYear(DayOfYear)
    case date(CivilDate)
    /// No day, for a time of day alone.
    case unnamed
  }

  package let day: Day
  /// The second of the day, or `nil` for all of the day.
  package let second: Int64?

  private static let words: [String: Day] = [
    "today": .offset(0), "오늘": .offset(0), "yesterday": .offset(-1), "어제": .offset(-1), "그제": .offset(-2),
    "그저께": .offset(-2), "tomorrow": .offset(1), "내일": .offset(1), "모레": .offset(2),
    "last week": .week(-1), "last-week": .week(-1), "지난 주": .week(-1), "지난주": .week(-1),
    "this week": .week(0), "this-week": .week(0), "이번 주": .week(0), "이번주": .week(0),
    "next week": .week(1), "next-week": .week(1), "다음 주": .week(1), "다음주": .week(1),
  ]

  /// Returns `nil` for other text, and for a day or a time that doesn't exist.
  package init?(_ text: String) {
    let word = text.nfcNormalized.lowercased()
    guard let match = word.wholeMatch(of: /(?:(.+?)[t ])?([0-9]{1,2}):([0-9]{1,2})(?::([0-9]{2}))?/) else {
      guard let day = WrittenTime.day(word) else { return nil }
      (self.day, second) = (day, nil)
      return
    }
    guard let hour = Int64(match.2), let minute = Int64(match.3), let second = match.4.map({ Int64($0) }) ?? 0,
      hour < 24, minute < 60, second < 60
    else { return nil }
    self.second = hour * 3_600 + minute * 60 + second
    guard let name = match.1 else {
      day = .unnamed
      return
    }
    guard let day = WrittenTime.day(String(name)) else { return nil }
    if case .week = day { return nil }
    self.day = day
  }

  private static func day(_ word: String) -> Day? {
    if let day = words[word] ?? Weekday.number(of: word).map({ .weekday($0) }) { return day }
    if let day = DayOfYear(word) { return .dayOfYear(day) }
    guard let match = word.wholeMatch(of: /([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})/), let year = Int64(match.1),
      let month = Int64(match.2), let day = Int64(match.3)
    else { return nil }
    return CivilDate(year: year, month: month, day: day).map { .date($0) }
  }

  /// A Boolean value that indicates that the current time decides which day is meant.
  package var isRelative: Bool { if case .date = day { false } else { true } }

  /// Returns the days since 1970 that are meant at a time of the same calendar, of which a weekday, a date without a year
  /// and a time of day are the last ones.
  ///
  /// - Parameter now: The current time in seconds since 1970, by the clock whose days are meant.
  package func lastDays(at now: Int64) -> ClosedRange<Int64> {
    let (today, time) = CivilDate.split(seconds: now)
    let current = today.daysSince1970
    func whole(_ day: Int64) -> ClosedRange<Int64> { day...day }
    switch day {
    case .offset(let days): return whole(current + days)
    case .weekday(let weekday): return whole(current - Weekday.daysBack(from: today, to: weekday))
    case .week(let weeks): return WrittenTime.week(weeks, after: today)
    case .dayOfYear(let day): return whole(day.last(until: today).daysSince1970)
    case .date(let date): return whole(date.daysSince1970)
    case .unnamed: return whole(time >= second ?? 0 ? current : current - 1)
    }
  }

  /// Returns the days from Monday to Sunday of the week that is a number of weeks after that of a day.
  package static func week(_ weeks: Int64, after day: CivilDate) -> ClosedRange<Int64> {
    let monday = day.daysSince1970 - (day.weekday + 6) % 7 + weeks * 7
    return monday...monday + 6
  }
}

/// A day without a year, such as `11-20`.
package struct DayOfYear: Hashable, Sendable {
  package let month: Int64
  package let day: Int64

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
  /// The names from Sunday on.
  package static let english = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
  package static let korean = ["일요일", "월요일", "화요일", "수요일", "목요일", "금요일", "토요일"]

  /// Returns 0 for Sunday to 6 for Saturday, or `nil` for a word that names no weekday.
  ///
  /// `word` is in lower case.
  static func number(of word: String) -> Int64? {
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
