import Catalog
import CommandLanguage
import MarketOperations
import Text

/// The time that a report is about: `week`, `month`, `monday`, `last week`, `3d`, `2026-11`, `2026-11-01..2026-11-30`.
///
/// A day of a span lasts from its first to its last second, and a span without an end lasts until now.
struct ReportSpan: Hashable, Sendable {
  /// The text as typed, which a saved report stores.
  let text: String
  /// The first second, in seconds since 1970, UTC.
  let start: Int64
  /// The last second, or `nil` if the span lasts until now.
  let end: Int64?

  /// The days of `week` and `month`, up to now: a report that runs every Monday misses no day.
  private static let days = ["week": 7, "주": 7, "일주일": 7, "month": 30, "달": 30, "한달": 30] as [String: Int64]
  private static let day: Int64 = 86_400

  /// Parses a span at a time in seconds since 1970, UTC.
  ///
  /// Returns `nil` for other text, and for a span that ends before it begins or begins after now.
  init?(_ text: String, at now: Int64) {
    self.text = text
    let word = text.lowercased()
    if let days = ReportSpan.days[word] {
      (start, end) = (now - days * ReportSpan.day, nil)
    } else if let range = text.firstRange(of: "..") {
      guard let first = PastDate(String(text[..<range.lowerBound]), at: now),
        let last = PastDate(String(text[range.upperBound...]), at: now)
      else { return nil }
      let isToday = ["today", "오늘"].contains(text[range.upperBound...].lowercased())
      // A day ends with its last second, and today has not ended.
      let end = isToday ? now : last.seconds > last.beginning ? last.seconds - 1 : last.seconds
      guard first.beginning <= end else { return nil }
      (start, self.end) = (first.beginning, end < now ? end : nil)
    } else if let month = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})/), let year = Int64(month.1),
      let number = Int64(month.2), let first = CivilDate(year: year, month: number, day: 1),
      let next = CivilDate(year: number == 12 ? year + 1 : year, month: number % 12 + 1, day: 1)
    {
      start = LocalTimeZone.unixTime(ofLocal: first.daysSince1970 * ReportSpan.day)
      let end = LocalTimeZone.unixTime(ofLocal: next.daysSince1970 * ReportSpan.day) - 1
      self.end = end < now ? end : nil
    } else if let date = PastDate(text, at: now) {
      start = date.beginning
      // `monday` begins a span, a week is one.
      let isWeek = if case .week? = WrittenTime(text)?.day { true } else { false }
      end = isWeek && date.seconds <= now ? date.seconds - 1 : nil
    } else {
      return nil
    }
    guard start <= now else { return nil }
  }

  func contains(_ moment: Timestamp) -> Bool { moment.seconds >= start && end.map { moment.seconds <= $0 } ?? true }

  /// Returns the span in words, up to the time `now` if it has no end.
  func words(_ now: Timestamp) -> LocalizedText {
    let first = LocalTime(Timestamp(seconds: start, isUTC: true)).description
    let last = LocalTime(end.map { Timestamp(seconds: $0, isUTC: true) } ?? now).description
    return LocalizedText("\(first) to \(last)", ko: "\(first)부터 \(last)까지")
  }
}
