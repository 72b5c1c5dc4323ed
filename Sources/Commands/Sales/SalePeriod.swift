import Catalog
import CommandLanguage
import MarketOperations
import Text

/// The start and end of a sale, read from days such as `12-01`, `2026-12-01`, `12-01T09:00`, `tomorrow`, `monday` and
/// `next week` (see `WrittenTime`) in this machine's time zone.
package struct SalePeriod: Hashable, Sendable {
  package let start: Timestamp
  /// The time when the sale ends.
  ///
  /// An end without a time of day is the end of that day.
  package let end: Timestamp
  /// The maximum length of a sale in seconds if its end is a day of the next year given without the year.
  ///
  /// A longer one is probably a mistake.
  private static let maximumLengthWithoutYear: Int64 = 183 * 86_400

  /// - Throws: `ParseError` for an invalid day, for an end that isn't after the start or has passed, and for an end
  ///   without a year that could only be in the next year, more than half a year later.
  package init(from first: String, to last: String, now: Timestamp) throws(ParseError) {
    let today = SaleDate.civil(now)
    let from = try SaleDate(first)
    let to = try SaleDate(last)
    // A day without a year is the next one with that date. The end is the next one after the start.
    var start: Timestamp
    if let day = from.day(at: now, startingAt: nil) {
      start = from.moment(on: day)
    } else {
      start = try from.moment(in: from.year ?? today.year, first)
      if from.year == nil, start < SaleDate.midnight(of: now) { start = try from.moment(in: today.year + 1, first) }
    }
    var end: Timestamp
    if let day = to.day(at: now, startingAt: start) {
      end = to.end(on: day)
    } else {
      end = try to.end(in: to.year ?? SaleDate.civil(start).year, last)
    }
    if to.isDate, to.year == nil, end <= start {
      let next = SaleDate.civil(start).year + 1
      end = try to.end(in: next, last)
      if end.seconds - start.seconds > SalePeriod.maximumLengthWithoutYear {
        throw SalePeriod.endsBefore(first, last: last, next: next)
      }
    }
    guard end > start else {
      throw ParseError(
        LocalizedText("A sale cannot end before it starts.", ko: "할인은 시작하기 전에 끝날 수 없습니다."),
        suggestion: LocalizedText(
          "The sale would run from \(LocalTime(start).description) to \(LocalTime(end).description).",
          ko: "\(LocalTime(start).description)부터 \(LocalTime(end).description)까지인 할인입니다."))
    }
    guard end > now else {
      throw ParseError(
        LocalizedText(
          "This sale would already have ended at \(LocalTime(end).description).",
          ko: "\(LocalTime(end).description)에 이미 끝났을 할인입니다."))
    }
    self.start = start
    self.end = end
  }
}

extension SalePeriod {
  /// Reports an invalid day before anything is read.
  ///
  /// A day in the past is reported later, because that needs the current time.
  static func check(_ text: String) throws(ParseError) {
    let day = try SaleDate(text)
    guard day.isDate else { return }
    // Without a year it may be a day of a leap year.
    _ = try day.moment(in: day.year ?? 2024, text)
  }

  private static func endsBefore(_ first: String, last: String, next: Int64) -> ParseError {
    ParseError(
      LocalizedText(
        "\(.value(last)) is before \(.value(first)).", ko: "\(.value(last), .topic) \(.value(first))보다 앞선 날입니다."),
      suggestion: LocalizedText(
        "For next year, include the year: \(.command("to \(next)-\(last)"))",
        ko: "다음 해의 그날이라면 연도까지 적습니다: \(.command("to \(next)-\(last)"))"))
  }
}

/// The start or end of a sale as typed.
private struct SaleDate {
  private let written: WrittenTime

  /// The year of a date that has one.
  var year: Int64? { if case .date(let date) = written.day { date.year } else { nil } }

  /// A Boolean value that indicates that the day is given by its numbers.
  var isDate: Bool {
    switch written.day {
    case .date, .dayOfYear: true
    case .offset, .weekday, .week, .unnamed: false
    }
  }

  init(_ text: String) throws(ParseError) {
    guard let written = WrittenTime(text) else { throw SaleDate.noDay(text) }
    self.written = written
  }

  /// Returns the day of a word in days since 1970, or `nil` for a date in numbers.
  ///
  /// A weekday is the next one after today. As the end of a sale it is the first one from the first day on.
  func day(at now: Timestamp, startingAt start: Timestamp?) -> Int64? {
    let today = SaleDate.civil(now)
    let current = today.daysSince1970
    switch written.day {
    case .date, .dayOfYear: return nil
    case .offset(let days): return current + days
    case .weekday(let weekday):
      if let first = start.map(SaleDate.civil) { return first.daysSince1970 + (weekday - first.weekday + 7) % 7 }
      return current + (weekday - today.weekday + 6) % 7 + 1
    case .week(let weeks):
      let week = WrittenTime.week(weeks, after: today)
      return start == nil ? week.lowerBound : week.upperBound
    case .unnamed:
      // The next such time of day, and as the end of a sale the first one after the start.
      let (date, time) = CivilDate.split(seconds: (start ?? now).local.seconds)
      return date.daysSince1970 + (time < written.second ?? 0 ? 0 : 1)
    }
  }

  func moment(on day: Int64) -> Timestamp { SaleDate.utc(day * 86_400 + (written.second ?? 0)) }

  func end(on day: Int64) -> Timestamp {
    SaleDate.utc((day + (written.second == nil ? 1 : 0)) * 86_400 + (written.second ?? 0))
  }

  /// Returns the time at which the day, or the minute, begins.
  func moment(in year: Int64, _ text: String) throws(ParseError) -> Timestamp {
    moment(on: try number(in: year, text))
  }

  /// Returns the time at which the day, or the minute, ends.
  func end(in year: Int64, _ text: String) throws(ParseError) -> Timestamp {
    end(on: try number(in: year, text))
  }

  /// Returns the day of a date in numbers, in days since 1970.
  private func number(in year: Int64, _ text: String) throws(ParseError) -> Int64 {
    switch written.day {
    case .date(let date): return date.daysSince1970
    case .dayOfYear(let day):
      guard let date = CivilDate(year: year, month: day.month, day: day.day) else { throw SaleDate.noDay(text) }
      return date.daysSince1970
    case .offset, .weekday, .week, .unnamed: throw SaleDate.noDay(text)
    }
  }

  /// Returns the date in this machine's time zone.
  static func civil(_ moment: Timestamp) -> CivilDate { CivilDate.split(seconds: moment.local.seconds).date }

  static func midnight(of moment: Timestamp) -> Timestamp { utc(civil(moment).daysSince1970 * 86_400) }

  private static func utc(_ local: Int64) -> Timestamp {
    Timestamp(seconds: LocalTimeZone.unixTime(ofLocal: local), isUTC: true)
  }

  private static func noDay(_ text: String) -> ParseError {
    ParseError(
      LocalizedText("Invalid date: \(.foreign(text)).", ko: "\(.foreign(text), .topic) 날짜가 아닙니다."),
      suggestion: LocalizedText(
        "Use a date such as \(.value("12-01")), \(.value("2026-12-01")) or \(.value("12-01T09:00")), or \(.value("today")), \(.value("tomorrow")), a weekday such as \(.value("monday")), or \(.value("next week")).",
        ko:
          "\(.value("12-01")), \(.value("2026-12-01")), \(.value("12-01T09:00"))처럼 쓰거나 \(.value("오늘")), \(.value("내일")), \(.value("월요일")) 같은 요일, \(.value("다음 주"))를 쓰세요."
      ))
  }
}
