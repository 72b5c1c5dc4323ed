/// Reads `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date that is compared with the answer's own `Date`, so
/// that a wrong clock on this machine decides nothing.
package enum RetryAfter {
  /// The seconds to wait, at least 0; nil without the header and for what cannot be read.
  package static func seconds(of reply: Reply) -> Int? {
    guard let text = reply.header("Retry-After") else { return nil }
    if !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) { return Int(text) ?? Int.max }
    guard let then = date(text), let now = reply.header("Date").flatMap(date) else { return nil }
    return max(0, then - now)
  }

  /// Seconds since 1970 of `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
  private static func date(_ text: String) -> Int? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = number(parts[1], 1...31),
      let year = number(parts[3], 1970...9999),
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let clock = parts[4].split(separator: ":")
    guard clock.count == 3, let h = number(clock[0], 0...23), let m = number(clock[1], 0...59),
      let s = number(clock[2], 0...60)
    else { return nil }
    return days(year, month + 1, day) * 86_400 + h * 3600 + m * 60 + s
  }

  private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
    guard let number = Int(text), range.contains(number) else { return nil }
    return number
  }

  /// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let y = month <= 2 ? year - 1 : year
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
