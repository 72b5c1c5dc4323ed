import Catalog
import CommandLanguage
import Text

/// The start and end of a sale, read from days such as `12-01`, `2026-12-01` and `12-01T09:00` in this machine's time
/// zone.
package struct SalePeriod: Hashable, Sendable {
  package let start: Timestamp
  /// The time when the sale ends.
  ///
  /// An end without a time of day is the end of that day.
  package let end: Timestamp
  /// The maximum length of a sale in seconds if its end is a day of the next year given without the year.
  ///
  /// A longer one is probably a mistake.
  private static let longestUnsaid: Int64 = 183 * 86_400

  /// - Throws: `ParseError` for an invalid day, for an end that isn't after the start or has passed, and for an end
  ///   without a year that could only be in the next year, more than half a year later.
  package init(from first: String, to last: String, now: Timestamp) throws(ParseError) {
    let today = SaleDate.civil(now)
    let from = try SaleDate(first)
    let to = try SaleDate(last)
    // A day without a year is the next one with that date. The end is the next one after the start.
    var start = try from.moment(in: from.year ?? today.year, first)
    if from.year == nil, start < SaleDate.midnight(of: now) { start = try from.moment(in: today.year + 1, first) }
    var end = try to.end(in: to.year ?? SaleDate.civil(start).year, last)
    if to.year == nil, end <= start {
      let next = SaleDate.civil(start).year + 1
      end = try to.end(in: next, last)
      if end.seconds - start.seconds > SalePeriod.longestUnsaid { throw SalePeriod.endsBefore(first, last, next) }
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
    // Without a year it may be a day of a leap year.
    _ = try day.moment(in: day.year ?? 2024, text)
  }

  private static func endsBefore(_ first: String, _ last: String, _ next: Int64) -> ParseError {
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
  let year: Int64?
  private let month: Int64
  private let day: Int64
  /// The minute of the day, or `nil` for a complete day.
  private let minute: Int64?

  init(_ text: String) throws(ParseError) {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { SaleDate.number($0) }
    let date = parts.compactMap(\.self)
    guard date.count == parts.count, date.count == 2 || date.count == 3 && halves[0].split(separator: "-")[0].count == 4
    else { throw SaleDate.noDay(text) }
    if halves.count == 2 {
      let clock = halves[1].split(separator: ":", omittingEmptySubsequences: false).map { SaleDate.number($0) }
      guard clock.count == 2, let hour = clock[0], let minutes = clock[1], hour < 24, minutes < 60 else {
        throw SaleDate.noDay(text)
      }
      minute = hour * 60 + minutes
    } else {
      minute = nil
    }
    (year, month, day) = (date.count == 3 ? date[0] : nil, date[date.count - 2], date[date.count - 1])
  }

  /// Returns the time at which the day, or the minute, begins.
  func moment(in year: Int64, _ text: String) throws(ParseError) -> Timestamp {
    guard let date = CivilDate(year: year, month: month, day: day) else { throw SaleDate.noDay(text) }
    return SaleDate.utc(date.daysSince1970 * 86_400 + (minute ?? 0) * 60)
  }

  /// Returns the time at which the day, or the minute, ends.
  func end(in year: Int64, _ text: String) throws(ParseError) -> Timestamp {
    guard let date = CivilDate(year: year, month: month, day: day) else { throw SaleDate.noDay(text) }
    return SaleDate.utc((date.daysSince1970 + (minute == nil ? 1 : 0)) * 86_400 + (minute ?? 0) * 60)
  }

  /// Returns the date in this machine's time zone.
  static func civil(_ moment: Timestamp) -> CivilDate { CivilDate.split(seconds: local(moment)).date }

  static func midnight(of moment: Timestamp) -> Timestamp { utc(civil(moment).daysSince1970 * 86_400) }

  private static func local(_ moment: Timestamp) -> Int64 {
    moment.seconds + (LocalTimeZone(at: moment.seconds)?.secondsFromGMT ?? 0)
  }

  /// Returns the time that this machine's clock shows.
  ///
  /// A time that daylight saving skips is one hour later.
  private static func utc(_ local: Int64) -> Timestamp {
    let guess = local - (LocalTimeZone(at: local)?.secondsFromGMT ?? 0)
    return Timestamp(seconds: local - (LocalTimeZone(at: guess)?.secondsFromGMT ?? 0), isUTC: true)
  }

  private static func number(_ text: Substring) -> Int64? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text)
  }

  private static func noDay(_ text: String) -> ParseError {
    ParseError(
      LocalizedText("Invalid date: \(.foreign(text)).", ko: "\(.foreign(text), .topic) 날짜가 아닙니다."),
      suggestion: LocalizedText(
        "Use a date such as \(.value("12-01")), \(.value("2026-12-01")) or \(.value("12-01T09:00")).",
        ko: "\(.value("12-01")), \(.value("2026-12-01")), \(.value("12-01T09:00"))처럼 씁니다."))
  }
}
