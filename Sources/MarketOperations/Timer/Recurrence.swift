import CommandLanguage
import Text

/// The days and the time of day at which a recurring line is due: `monday 7:00`, `day 7:00`, `monday,thursday 18:30`.
///
/// Times are those of this machine's clock, with daylight saving time.
package struct Recurrence: Hashable, Sendable {
  /// A time at which the line is due.
  package struct Occurrence: Hashable, Sendable {
    /// The time in seconds since 1970, UTC.
    package var seconds: Int64
    /// The day and the time as the clock of this machine shows them, `2026-11-30T07:00`.
    ///
    /// It names the occurrence, also where daylight saving time skips or repeats that time.
    package var name: String

    package init(seconds: Int64, name: String) {
      self.seconds = seconds
      self.name = name
    }
  }

  /// Returns the offset of the clock from UTC at a time in seconds since 1970.
  package typealias Offset = (Int64) -> Int64

  /// The days of the week, from 0 for Sunday to 6 for Saturday.
  package let weekdays: Set<Int64>
  /// The minute of the day.
  package let minute: Int64

  private static let everyDay = Set<Int64>(0...6)
  private static let everyDayWords = ["day", "매일"]
  /// The words for days in English.
  package static let dayWords = ["day"] + Weekday.english[1...] + [Weekday.english[0]]

  /// Parses the days and the time as they are typed.
  ///
  /// - Throws: `ParseError` that names the invalid word.
  package init(days: String, time: String) throws(ParseError) {
    if Recurrence.everyDayWords.contains(days.nfcNormalized.lowercased()) {
      weekdays = Recurrence.everyDay
    } else {
      var found = Set<Int64>()
      for name in days.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
        guard let written = WrittenTime(name), written.second == nil, case .weekday(let number) = written.day else {
          throw Recurrence.noDay(name)
        }
        found.insert(number)
      }
      weekdays = found
    }
    guard let written = WrittenTime(time), written.day == .unnamed, let second = written.second, second % 60 == 0
    else { throw Recurrence.noTime(time) }
    minute = second / 60
  }

  /// The days as they are typed, `monday,thursday` or `day`.
  package var days: String {
    weekdays == Recurrence.everyDay
      ? Recurrence.everyDayWords[0] : ordered.map { Weekday.english[Int($0)] }.joined(separator: ",")
  }

  /// The time of day, `07:00`.
  package var time: String {
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
    return two(minute / 60) + ":" + two(minute % 60)
  }

  /// The days and the time for a user.
  package var words: LocalizedText {
    let korean =
      weekdays == Recurrence.everyDay
      ? Recurrence.everyDayWords[1] : ordered.map { Weekday.korean[Int($0)] }.joined(separator: "·")
    return LocalizedText("every \(days.replacing(",", with: ", ")) at \(time)", ko: "\(korean) \(time)")
  }

  /// The days of the week, from Monday on.
  private var ordered: [Int64] { weekdays.sorted { ($0 + 6) % 7 < ($1 + 6) % 7 } }

  /// Returns the last occurrence at or before a time in seconds since 1970, UTC.
  package func last(until now: Int64, offset: Offset = Recurrence.offset) -> Occurrence? {
    let today = Recurrence.localDay(now, offset)
    // The day of the zone may be the one after, and the last such weekday is at most a week ago.
    for day in stride(from: today + 1, through: today - 8, by: -1) {
      if let found = occurrence(on: day, offset), found.seconds <= now { return found }
    }
    return nil
  }

  /// Returns the first occurrence after a time in seconds since 1970, UTC.
  package func next(after now: Int64, offset: Offset = Recurrence.offset) -> Occurrence? {
    let today = Recurrence.localDay(now, offset)
    for day in today - 1...today + 8 {
      if let found = occurrence(on: day, offset), found.seconds > now { return found }
    }
    return nil
  }

  /// Returns the number of occurrences after one time and before another, up to a limit.
  package func count(
    after start: Int64, before end: Int64, limit: Int = 999, offset: Offset = Recurrence.offset
  ) -> Int {
    var (count, time) = (0, start)
    while count < limit, let found = next(after: time, offset: offset), found.seconds < end {
      (count, time) = (count + 1, found.seconds)
    }
    return count
  }

  private func occurrence(on day: Int64, _ offset: Offset) -> Occurrence? {
    let date = CivilDate(daysSince1970: day)
    guard weekdays.contains(date.weekday) else { return nil }
    return Occurrence(
      seconds: LocalTimeZone.unixTime(ofLocal: day * 86_400 + minute * 60, offset: offset), name: "\(date)T\(time)")
  }

  private static func localDay(_ seconds: Int64, _ offset: Offset) -> Int64 {
    CivilDate.split(seconds: seconds + offset(seconds)).date.daysSince1970
  }

  /// The offset of this machine's clock.
  package static func offset(_ seconds: Int64) -> Int64 { LocalTimeZone(at: seconds)?.secondsFromGMT ?? 0 }

  private static func noDay(_ text: String) -> ParseError {
    ParseError(
      LocalizedText("Invalid day: \(.foreign(text)).", ko: "\(.foreign(text), .topic) 요일이 아닙니다."),
      suggestion: LocalizedText(
        "Use \(.value("day")), a weekday such as \(.value("monday")), or several: \(.value("monday,thursday"))",
        ko: "\(.value("매일")), \(.value("월요일")) 같은 요일, \(.value("월요일,목요일"))처럼 여러 요일을 쓰세요."))
  }

  private static func noTime(_ text: String) -> ParseError {
    ParseError(
      LocalizedText("Invalid time: \(.foreign(text)).", ko: "\(.foreign(text), .topic) 시각이 아닙니다."),
      suggestion: LocalizedText(
        "Use hours and minutes, such as \(.value("7:00")) or \(.value("18:30")).",
        ko: "\(.value("7:00")), \(.value("18:30"))처럼 시와 분을 쓰세요."))
  }
}
