import Catalog
import Text

/// A time in the past as users write it: `yesterday`, `monday`, `3d`, `2026-11-20`, `2026-11-20T10:00`.
///
/// A day means the state at its end, and `today` the state at its beginning. Days are those of the local time zone.
package struct PastDate: Hashable, Sendable {
  /// The time in seconds since 1970, UTC.
  package let seconds: Int64

  private static let day: Int64 = 86_400

  /// Parses a time relative to `now`, in seconds since 1970, UTC.
  ///
  /// Returns `nil` for other text.
  package init?(_ text: String, at now: Int64) {
    let word = text.lowercased()
    let east = LocalTimeZone(at: now)?.secondsFromGMT ?? 0
    let today = CivilDate.split(seconds: now + east).date
    let midnight = today.daysSince1970 * PastDate.day - east
    if word == "today" || word == "오늘" {
      seconds = midnight
    } else if word == "yesterday" || word == "어제" {
      seconds = midnight
    } else if word == "그제" || word == "그저께" {
      seconds = midnight - PastDate.day
    } else if let weekday = Weekday.number(of: word) {
      seconds = midnight - (Weekday.daysBack(from: today, to: weekday) - 1) * PastDate.day
    } else if let age = RelativeTime(word), age.isAge {
      seconds = now - age.seconds
    } else if let time = Timestamp(text.count == 16 ? text + ":00" : text) {
      let start = time.seconds - (time.isUTC ? 0 : east)
      seconds = text.count == 10 ? start + PastDate.day : start
    } else {
      return nil
    }
  }
}
