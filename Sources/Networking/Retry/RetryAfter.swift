import Foundation
import Text

/// Parses `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.
///
/// The date is compared with the response's own `Date`, so that the clock of this machine does not matter.
package enum RetryAfter {
  /// Returns the seconds to wait, at least 0, or `nil` if the field is missing or invalid.
  package static func seconds(of reply: Response) -> Int? {
    guard let text = reply.header("Retry-After") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) { return Int(text) ?? Int.max }
    guard let then = date(text), let now = reply.header("Date").flatMap(date) else { return nil }
    return max(0, then - now)
  }

  /// Returns the Unix time of `Sun, 06 Nov 1994 08:49:37 GMT`, or `nil` for any other format.
  private static func date(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], 1...31),
      let year = number(parts[3], 1970...9999), let month = months.firstIndex(of: String(parts[2])),
      let date = CivilDate(year: Int64(year), month: Int64(month + 1), day: Int64(day))
    else { return nil }
    let clock = parts[4].split(separator: ":")
    guard clock.count == 3, let h = number(clock[0], 0...23), let m = number(clock[1], 0...59),
      let s = number(clock[2], 0...60)
    else { return nil }
    return Int(date.daysSince1970) * 86_400 + h * 3600 + m * 60 + s
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard let number = Int(text), range.contains(number) else { return nil }
    return number
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
